#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/font.hpp"
#include "report/canvas/frame.hpp"
#include "report/canvas/raster.hpp"
#include "report/plots/shares.hpp"

namespace fewdim {

namespace {

/// How many components reach the level, or 0 where all together do not. Rounding of the sums may fall just short.
Index reaching(const Vector<double>& sums, double level) {
  for (Index i = 0; i < sums.size(); ++i)
    if (sums[i] >= level * (1.0 - 1e-12)) return i + 1;
  return 0;
}

/// Whole numbers of components, the first of them among those.
Ticks whole_ticks(const Frame& frame, Index count) {
  const int room = static_cast<int>(frame.area.width / 64);
  Ticks ticks{1.0, {}, {}};
  const Index step = std::max<Index>(1, std::llround(nice_ticks(0.0, static_cast<double>(count), room).step));
  for (Index i = 0; i <= count; i += step) {
    const Index at = std::max<Index>(i, 1);
    if (!ticks.at.empty() && ticks.at.back() == static_cast<double>(at)) continue;
    if (i > 0 && at > 1 && ticks.at.size() == 1 && step > 1 && static_cast<double>(at) < 0.5 * double(step)) continue;
    ticks.at.push_back(static_cast<double>(at));
    ticks.labels.push_back(std::to_string(at));
  }
  return ticks;
}

Frame frame_for(const CumulativePlot& plot, const Sheet& sheet) {
  const Index count = plot.ratios.size();
  Frame frame;
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  const double margin = std::max(0.3, 0.02 * static_cast<double>(count));
  frame.x = {1.0 - margin, static_cast<double>(count) + margin};
  frame.y = {0.0, 103.0};  // a little above 100 %, for the line
  lay_out(frame, sheet.width, sheet.height);
  frame.y_ticks = {20.0, {}, {}};
  double width = 0;
  for (int percent = 0; percent <= 100; percent += 20) {
    frame.y_ticks.at.push_back(percent);
    frame.y_ticks.labels.push_back(fmt::format("{} %", percent));
    width = std::max(width, text_width(frame.y_ticks.labels.back(), tick_size));
  }
  const double left = std::ceil((plot.y_label.empty() ? 14 : 38) + width + 9);
  const double names = plot.levels.empty() ? 26 : 92;
  frame.area.width = std::floor(sheet.width - left - names);
  frame.area.x = left;
  frame.x_ticks = whole_ticks(frame, count);
  return frame;
}

/// A level, where it is reached, and at the right how many components that takes.
void draw_level(Canvas& canvas, const Frame& frame, double level, Index reached, Index count, bool named) {
  const double y = frame.place(0, 100 * level).y, right = frame.area.right();
  draw_rule(canvas, {frame.area.x, y}, {right, y}, colors::zero_line);
  if (reached > 0) {
    const double x = frame.place(static_cast<double>(reached), 0).x;
    draw_rule(canvas, {x, y}, {x, frame.area.bottom()}, colors::zero_line);
  }
  if (named)
    canvas.text({right + 8, y + 0.36 * tick_size},
                reached > 0 ? fmt::format("{:g} %: {}", 100 * level, reached)
                            : fmt::format("{:g} %: over {}", 100 * level, count),
                {tick_size, colors::soft_ink});
}

/// From the lowest up; a name that would touch the one below is left out.
void draw_levels(Canvas& canvas, const Frame& frame, std::vector<double> levels, const Vector<double>& sums) {
  std::sort(levels.begin(), levels.end());
  double last = 1e9;
  for (const double level : levels) {
    const double y = frame.place(0, 100 * level).y;
    const bool named = last - y > tick_size + 1;
    draw_level(canvas, frame, level, reaching(sums, level), sums.size(), named);
    if (named) last = y;
  }
}

}  // namespace

void plot(const CumulativePlot& plot, const std::string& path, bool overwrite) {
  const Vector<double> sums = running_sums(checked_shares("plot", plot.ratios));
  for (const double level : plot.levels)
    if (!(level > 0.0 && level <= 1.0))
      refuse_picture("levels", fmt::format("{}", level), "must be above 0 and at most 1", "0.9 is 90 %");
  const Sheet sheet = sheet_of(plot.size, 800, 520, plot.title);
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    const Frame frame = frame_for(plot, sheet);
    draw_frame(canvas, frame);
    draw_levels(canvas, frame, plot.levels, sums);
    Path line;
    const Index stride = (sums.size() + 1999) / 2000;  // of more components than pixels
    for (Index i = 0; i < sums.size(); i += stride)
      line.push_back(frame.place(static_cast<double>(i + 1), 100 * sums[i]));
    line.push_back(frame.place(static_cast<double>(sums.size()), 100 * sums[sums.size() - 1]));
    canvas.line(line, 2.2, colors::bar);
    if (sums.size() > 60) return;
    std::vector<Dot> dots;
    for (Index i = 0; i < sums.size(); ++i)
      dots.push_back({frame.place(static_cast<double>(i + 1), 100 * sums[i]), colors::bar, {}});
    canvas.dots(dots, {3.4, 1.0, true}, frame.area);
  });
}

}  // namespace fewdim
