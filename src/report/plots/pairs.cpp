#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/font.hpp"
#include "report/canvas/frame.hpp"
#include "report/plots/cloud.hpp"

namespace fewdim {

namespace {

constexpr double panel_gap = 12, right = 20, bottom = 58;
constexpr Index most_columns = 12;

void check(const PairsPlot& plot) {
  const Index columns = plot.values.cols();
  if (columns < 2 || columns > most_columns)
    refuse_picture("values", fmt::format("{} columns", columns), fmt::format("must be 2 to {}", most_columns),
                   columns < 2 ? "a pair needs two; a ScatterPlot draws one column in its order" : "choose some");
  if (std::cmp_not_equal(plot.names.size(), columns))
    refuse_picture("names", fmt::format("{} entries", plot.names.size()),
                   fmt::format("must be one for each of {} columns", columns), "name every column");
}

/// Panels in a lower triangle: column c against column r + 1, c ≤ r, so that every axis has one scale along its line.
struct Panels {
  std::vector<Frame> frames;  // row by row
  double left = 0, side_x = 0, side_y = 0;
  Index lines = 0;

  /// Column c has no panels in its first c rows: the legend has room there, halfway along.
  Index legend_column() const { return (lines + 1) / 2; }
  Point legend_corner() const {
    const Box& first = frames.front().area;
    return {first.x + double(legend_column()) * (side_x + panel_gap) + (lines > 1 ? 2 * panel_gap : panel_gap),
            first.y};
  }
  double legend_height() const { return double(legend_column()) * (side_y + panel_gap) - panel_gap; }

  Panels(const PairsPlot& plot, const std::vector<Index>& kept, const Legend& legend, const Sheet& sheet) {
    lines = plot.values.cols() - 1;
    std::vector<Scale> scales;
    double half = 0;  // the largest half range: one unit for all, where axes are equal
    for (Index c = 0; c <= lines; ++c) {
      scales.push_back(scale_of(plot.values.col(c), kept, plot.density ? 0.12 : 0.05));
      half = std::max(half, scales.back().high / 2 - scales.back().low / 2);
    }
    if (plot.equal && std::isfinite(4 * half))
      for (Scale& scale : scales) {
        const double middle = scale.low / 2 + scale.high / 2;
        scale = {middle - half, middle + half};
      }
    const double top = plot.title.empty() ? 24 : 54;
    double widest = 0;
    for (const Scale& scale : scales)
      for (const std::string& label : nice_ticks(scale.low, scale.high, 4).labels)
        widest = std::max(widest, text_width(label, tick_size));
    left = std::ceil(38 + std::min(110.0, widest) + 9);
    const double beside = lines == 1 ? legend_width(legend) : 0.0;  // else above the diagonal
    side_x = std::floor((sheet.width - left - right - beside + panel_gap) / double(lines)) - panel_gap;
    side_y = std::floor((sheet.height - top - bottom + panel_gap) / double(lines)) - panel_gap;
    if (plot.equal) side_x = side_y = std::min(side_x, side_y);
    for (Index r = 0; r < lines; ++r)
      for (Index c = 0; c <= r; ++c) {
        Frame frame;
        frame.area = {left + double(c) * (side_x + panel_gap), top + double(r) * (side_y + panel_gap), side_x, side_y};
        frame.x = scales[static_cast<std::size_t>(c)], frame.y = scales[static_cast<std::size_t>(r + 1)];
        frame.x_ticks = nice_ticks(frame.x.low, frame.x.high, side_x < 110 ? 3 : 4);
        frame.y_ticks = nice_ticks(frame.y.low, frame.y.high, side_y < 110 ? 3 : 4);
        frame.x_label = r + 1 == lines ? plot.names[static_cast<std::size_t>(c)] : "";
        frame.y_label = c == 0 ? plot.names[static_cast<std::size_t>(r + 1)] : "";
        frames.push_back(std::move(frame));
      }
  }
};

void draw_panel_words(Canvas& canvas, const Frame& frame) {
  const Box& area = frame.area;
  if (!frame.x_label.empty()) {
    draw_x_numbers(canvas, frame);
    canvas.text({area.x + area.width / 2, area.bottom() + 43}, fit_text(frame.x_label, area.width, label_size),
                {label_size, colors::ink, Anchor::middle});
  }
  if (!frame.y_label.empty()) {
    draw_y_numbers(canvas, frame);
    canvas.text({24, area.y + area.height / 2}, fit_text(frame.y_label, area.height, label_size),
                {label_size, colors::ink, Anchor::middle, false, true});
  }
}

}  // namespace

void plot(const PairsPlot& plot, const std::string& path, bool overwrite) {
  check(plot);
  const std::vector<Index> kept = finite_rows(plot.values);
  const PointColoring coloring = color_rows(kept, plot.values.rows(), plot.labels, plot.colors, plot.label_name);
  const Sheet sheet = sheet_of(plot.size, 900, 900, plot.title);
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    const Panels panels(plot, kept, coloring.legend, sheet);
    draw_title(canvas, plot.title, panels.left, sheet.width - panels.left - right);
    const double shrink = std::sqrt(std::clamp(panels.side_x / 690, 0.2, 1.0));
    std::size_t at = 0;
    for (Index r = 1; r < plot.values.cols(); ++r)
      for (Index c = 0; c < r; ++c) {
        const Frame& frame = panels.frames[at++];
        draw_grid(canvas, frame);
        std::vector<Dot> dots;
        dots.reserve(kept.size());
        for (std::size_t j = 0; j < kept.size(); ++j)
          dots.push_back({frame.place(plot.values(kept[j], c), plot.values(kept[j], r)), coloring.colors[j], {}});
        draw_cloud(canvas, frame.area, std::move(dots), coloring.classes, coloring.legend,
                   {plot.hulls, plot.density, shrink});
        draw_panel_words(canvas, frame);
      }
    draw_legend(canvas, coloring.legend, panels.legend_corner(), panels.legend_height());
    if (plot.density)
      canvas.text({sheet.width - right, 34}, density_note(coloring.legend), {11, colors::soft_ink, Anchor::end});
    draw_left_out(canvas, plot.values.rows(), kept.size(), sheet.width, sheet.height);
  });
}

}  // namespace fewdim
