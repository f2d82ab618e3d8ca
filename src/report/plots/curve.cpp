#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/frame.hpp"
#include "report/canvas/raster.hpp"

namespace fewdim {

namespace {

void check(const CurvePlot& plot) {
  const Index count = plot.x.size();
  if (count == 0) refuse_picture("x", "none", "must be one or more numbers", "give the points of the line");
  if (plot.y.size() != count)
    refuse_picture("y", fmt::format("{} numbers", plot.y.size()), fmt::format("must be {}, one for each x", count),
                   "give both coordinates of every point");
  if (plot.error.size() != 0 && plot.error.size() != count)
    refuse_picture("error", fmt::format("{} numbers", plot.error.size()),
                   fmt::format("must be none, or {}, one for each point", count), "give one for each point");
  for (Index i = 0; i < count; ++i) {
    const double error = plot.error.size() > 0 ? plot.error[i] : 0.0;
    if (!std::isfinite(plot.x[i]) || !std::isfinite(plot.y[i]) || !std::isfinite(error) ||
        (plot.log_x && !(plot.x[i] > 0.0)))
      refuse_picture(fmt::format("point {}", i + 1), fmt::format("({:.6g}, {:.6g})", plot.x[i], plot.y[i]),
                     plot.log_x ? "must be finite, with x above 0" : "must be finite", "leave such points out");
  }
}

double place_on_axis(const CurvePlot& plot, double x) { return plot.log_x ? std::log10(x) : x; }

/// Powers of ten, with 2 and 5 times them where there are few.
Ticks log_ticks(const Scale& scale) {
  Ticks ticks;
  const double decades = scale.high - scale.low;
  const auto first = static_cast<int>(std::floor(scale.low)), last = static_cast<int>(std::ceil(scale.high));
  const int every = std::max(1, static_cast<int>(decades / 10.0));
  for (int power = first; power <= last; power += every)
    for (const int factor : {1, 2, 5}) {
      if (factor > 1 && decades > 4.5) break;
      const double place = power + std::log10(factor);
      if (place < scale.low - 1e-9 || place > scale.high + 1e-9) continue;
      ticks.at.push_back(place);
      ticks.labels.push_back(fmt::format("{:.6g}", factor * std::pow(10.0, power)));
    }
  return ticks;
}

Frame frame_for(const CurvePlot& plot, const Sheet& sheet) {
  double low = plot.y[0], high = plot.y[0], left = place_on_axis(plot, plot.x[0]), right = left;
  for (Index i = 0; i < plot.x.size(); ++i) {
    low = std::min(low, plot.y[i]), high = std::max(high, plot.y[i]);
    left = std::min(left, place_on_axis(plot, plot.x[i])), right = std::max(right, place_on_axis(plot, plot.x[i]));
  }
  Frame frame;
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  frame.x = padded_scale(left, right, 0.02);
  frame.y = padded_scale(low, high, 0.05);
  if (plot.low < plot.high) {
    frame.y = {std::min(low, plot.low), std::max(high, plot.high)};
    frame.y.high += 0.02 * (frame.y.high - frame.y.low);  // room for a line at the top
  }
  lay_out(frame, sheet.width, sheet.height);
  if (plot.log_x && right > left) frame.x_ticks = log_ticks(frame.x);
  return frame;
}

void draw_band(Canvas& canvas, const CurvePlot& plot, const Frame& frame) {
  if (plot.error.size() == 0 || !(plot.error.maxCoeff() > 0.0)) return;
  const auto edge = [&](Index i, double sign) {
    const double y = std::clamp(plot.y[i] + sign * plot.error[i], frame.y.low, frame.y.high);
    return frame.place(place_on_axis(plot, plot.x[i]), y);
  };
  Path outline;
  for (Index i = 0; i < plot.x.size(); ++i) outline.push_back(edge(i, 1.0));
  for (Index i = plot.x.size(); i-- > 0;) outline.push_back(edge(i, -1.0));
  canvas.polygon(outline, {colors::bar.red, colors::bar.green, colors::bar.blue, 0.25});
}

}  // namespace

void plot(const CurvePlot& plot, const std::string& path, bool overwrite) {
  check(plot);
  const Sheet sheet = sheet_of(plot.size, 800, 520, plot.title);
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    const Frame frame = frame_for(plot, sheet);
    draw_frame(canvas, frame);
    draw_band(canvas, plot, frame);
    Path line;
    for (Index i = 0; i < plot.x.size(); ++i) line.push_back(frame.place(place_on_axis(plot, plot.x[i]), plot.y[i]));
    canvas.line(line, 2.2, colors::bar);
    if (line.size() > 100) return;
    std::vector<Dot> dots;
    for (const Point& point : line) dots.push_back({point, colors::bar, {}});
    canvas.dots(dots, {3.4, 1.0, true}, frame.area);
  });
}

}  // namespace fewdim
