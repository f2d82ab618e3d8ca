#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/font.hpp"
#include "report/canvas/frame.hpp"
#include "report/canvas/raster_canvas.hpp"

namespace fewdim {

namespace {

constexpr double pixel_scale = RasterCanvas::standard_scale, margin = 24, most_title_width = 170;
constexpr double most_pixels = 100e6;
constexpr double caption_size = 11, caption_line = 14, caption_gap = 10;

struct Range {
  double low, high;
};

/// Where everything goes: lines of pictures, each `width`×`height`, with row titles at their left.
struct Layout {
  Index lines = 0, columns = 0;
  double left = margin, top = margin, width = 0, height = 0, gap = 4;
  double caption = 0;  ///< height of what stands below a picture
  Sheet sheet;

  Box box(Index i) const {
    return {left + double(i % columns) * (width + gap), top + double(i / columns) * (height + caption + gap), width,
            height};
  }
};

void check(const ImageGrid& grid) {
  if (grid.images.rows() == 0) refuse_picture("images", "none", "must be one or more", "give a row per picture");
  if (grid.height < 1 || grid.width < 1 || grid.height > INT32_MAX || grid.width > INT32_MAX ||
      (grid.channels != 1 && grid.channels != 3) || grid.height * grid.width * grid.channels != grid.images.cols())
    refuse_picture("height x width",
                   fmt::format("{}x{}{}", grid.height, grid.width, grid.channels == 1 ? "" : " in color"),
                   fmt::format("must have as many pixels as images have columns, {}", grid.images.cols()),
                   "give the shape of one picture");
  if (grid.columns < 1)
    refuse_picture("columns", std::to_string(grid.columns), "must be at least 1", "say how many pictures go on a line");
  const Index columns = std::min(grid.columns, grid.images.rows());
  const Index lines = (grid.images.rows() + columns - 1) / columns;
  if (!grid.row_titles.empty() && Index(grid.row_titles.size()) != lines)
    refuse_picture("row_titles", fmt::format("{} entries", grid.row_titles.size()),
                   fmt::format("must be one for each of {} lines", lines), "leave it empty or give one per line");
  if (!grid.captions.empty() && std::ssize(grid.captions) != grid.images.rows())
    refuse_picture("captions", fmt::format("{} entries", grid.captions.size()),
                   fmt::format("must be one for each of {} pictures", grid.images.rows()),
                   "leave it empty or give one per picture");
  if (!(grid.longest_side >= 8 && grid.longest_side <= 10000))
    refuse_picture("longest_side", fmt::format("{}", grid.longest_side), "must be between 8 and 10000", "104 is usual");
  if (!std::isfinite(grid.low) || !std::isfinite(grid.high))
    refuse_picture("low and high", fmt::format("{}, {}", grid.low, grid.high), "must be finite",
                   "equal values take the range from the data");
}

/// Pictures as large as a line of about 760 has room for, and as the grid allows; small ones in whole steps, so that
/// their pixels stay squares.
Layout lay_out_grid(const ImageGrid& grid) {
  Layout layout;
  layout.columns = std::min(grid.columns, grid.images.rows());
  layout.lines = (grid.images.rows() + layout.columns - 1) / layout.columns;
  for (const std::string& title : grid.row_titles)
    layout.left = std::max(layout.left, margin + 14 + std::min(most_title_width, text_width(title, label_size)));
  layout.top = grid.title.empty() ? margin : 56;
  const double room = std::clamp((760 - layout.left) / double(layout.columns) - layout.gap, 8.0, grid.longest_side);
  double zoom = room / double(std::max(grid.width, grid.height));
  if (zoom * pixel_scale >= 1) zoom = std::floor(zoom * pixel_scale) / pixel_scale;
  const auto whole = [](double v) { return std::max(1.0, std::round(v * pixel_scale)) / pixel_scale; };
  layout.width = whole(double(grid.width) * zoom), layout.height = whole(double(grid.height) * zoom);
  if (!grid.captions.empty()) {
    Index lines = 1;
    for (const std::string& caption : grid.captions)
      lines = std::max<Index>(lines, 1 + std::ranges::count(caption, '\n'));
    layout.caption = double(lines) * caption_line + caption_gap;
  }
  const double used = layout.left + double(layout.columns) * (layout.width + layout.gap) - layout.gap + margin;
  layout.sheet.width =
      std::ceil(std::max(used, std::min(760.0, text_width(grid.title, title_size, true) + 2 * margin)));
  layout.sheet.height = std::ceil(layout.top + double(layout.lines) * (layout.height + layout.caption + layout.gap) -
                                  layout.gap + margin);
  layout.sheet.title = grid.title;
  if (!(layout.sheet.width * layout.sheet.height * pixel_scale * pixel_scale <= most_pixels))
    refuse_picture("images", fmt::format("{} pictures, {} a line", grid.images.rows(), layout.columns),
                   "is more than one picture can show", "plot fewer of them, or more on a line");
  return layout;
}

Range range_of(const ImageGrid& grid) {
  if (grid.low != grid.high) return {grid.low, grid.high};
  Range range{INFINITY, -INFINITY};
  for (Index i = 0; i < grid.images.size(); ++i)
    if (const double v = grid.images.data()[i]; std::isfinite(v))
      range.low = std::min(range.low, v), range.high = std::max(range.high, v);
  return range;
}

/// One picture at the size it is shown: each shown pixel is the mean of those it covers. Missing ones are tinted.
Pixels shown(const ImageGrid& grid, Index picture, const Range& range, const Layout& layout) {
  const auto width = Index(std::lround(layout.width * pixel_scale)),
             height = Index(std::lround(layout.height * pixel_scale));
  const Scale gray{range.low, range.high};
  const auto first = [](Index i, Index from, Index to) { return i * to / from; };
  const auto last = [](Index i, Index from, Index to) { return std::max(i * to / from + 1, (i + 1) * to / from); };
  std::vector<Color> shades;
  bool missing = false;
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      std::uint8_t bytes[3] = {0, 0, 0};
      bool here = true;
      for (Index channel = 0; channel < grid.channels; ++channel) {
        double sum = 0;
        Index count = 0;
        for (Index r = first(y, height, grid.height); r < last(y, height, grid.height); ++r)
          for (Index c = first(x, width, grid.width); c < last(x, width, grid.width); ++c)
            sum += grid.images(picture, (r * grid.width + c) * grid.channels + channel), ++count;
        const double mean = sum / double(count), level = range.low == range.high ? 0.5 : gray.fraction(mean);
        here = here && !std::isnan(mean);
        bytes[channel] =
            static_cast<std::uint8_t>(std::isnan(level) ? 0 : std::lround(255 * std::clamp(level, 0.0, 1.0)));
      }
      if (grid.channels == 1) bytes[1] = bytes[2] = bytes[0];
      missing = missing || !here;
      shades.push_back(here ? Color{bytes[0], bytes[1], bytes[2]} : colors::missing);
    }
  const bool colored = missing || grid.channels == 3;
  Pixels out{int(width), int(height), colored ? 3 : 1, {}};
  for (const Color& c : shades) {
    out.bytes.push_back(c.red);
    if (colored) out.bytes.insert(out.bytes.end(), {c.green, c.blue});
  }
  return out;
}

/// Below a picture, centered, line by line.
void draw_caption(Canvas& canvas, const std::string& caption, const Box& box) {
  std::size_t begin = 0;
  for (double y = box.bottom() + caption_line; begin <= caption.size(); y += caption_line) {
    const std::size_t end = std::min(caption.find('\n', begin), caption.size());
    canvas.text({box.x + box.width / 2, y}, fit_text(caption.substr(begin, end - begin), box.width + 2, caption_size),
                {caption_size, begin == 0 ? colors::ink : colors::soft_ink, Anchor::middle});
    begin = end + 1;
  }
}

}  // namespace

void plot(const ImageGrid& grid, const std::string& path, bool overwrite) {
  check(grid);
  const Layout layout = lay_out_grid(grid);
  const Range range = range_of(grid);
  save_picture(path, overwrite, layout.sheet, [&](Canvas& canvas) {
    draw_title(canvas, grid.title, margin, layout.sheet.width - 2 * margin);
    for (std::size_t line = 0; line < grid.row_titles.size(); ++line) {
      const Box first = layout.box(Index(line) * layout.columns);
      canvas.text({layout.left - 14, first.y + first.height / 2 + 0.36 * label_size},
                  fit_text(grid.row_titles[line], most_title_width, label_size),
                  {label_size, colors::ink, Anchor::end});
    }
    for (Index i = 0; i < grid.images.rows(); ++i) canvas.image(layout.box(i), shown(grid, i, range, layout));
    for (std::size_t i = 0; i < grid.captions.size(); ++i)
      draw_caption(canvas, grid.captions[i], layout.box(static_cast<Index>(i)));
  });
}

}  // namespace fewdim
