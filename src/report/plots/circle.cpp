#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/frame.hpp"
#include "report/canvas/raster.hpp"
#include "report/plots/arrows.hpp"

namespace fewdim {

namespace {

void check(const CirclePlot& plot) {
  require_arrows(plot.correlations, plot.names, "correlations");
  constexpr double rounding = 1e-6;
  for (Index j = 0; j < plot.correlations.rows(); ++j)
    if (const double length = std::hypot(plot.correlations(j, 0), plot.correlations(j, 1)); length > 1.0 + rounding)
      refuse_picture(fmt::format("correlations of {}", plot.names[static_cast<std::size_t>(j)]),
                     fmt::format("{:.6g} long", length), "must lie in the circle of radius 1",
                     "give correlations with two components that are not correlated");
}

Path circle(const Frame& frame, double radius) {
  Path path;
  for (int i = 0; i <= 180; ++i) {
    const double angle = std::numbers::pi * i / 90;
    path.push_back(frame.place(radius * std::cos(angle), radius * std::sin(angle)));
  }
  return path;
}

}  // namespace

void plot(const CirclePlot& plot, const std::string& path, bool overwrite) {
  check(plot);
  const std::vector<Index> chosen = longest_arrows(plot.correlations, plot.most);
  Frame frame;
  frame.x = frame.y = {-1.22, 1.22};
  frame.equal = true;
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  const Sheet sheet = sheet_of(plot.size, 700, 700, plot.title);
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    lay_out(frame, sheet.width, sheet.height);
    draw_frame(canvas, frame);
    canvas.line(circle(frame, 1.0), 1.4, colors::other);
    canvas.line(circle(frame, std::numbers::sqrt2 / 2), 0.8, colors::zero_line);  // half of the variance
    draw_arrows(canvas, frame, plot.correlations, chosen, plot.names, 1.0, {});
    std::string note = "inner circle: half of a column's variance";
    if (std::cmp_less(chosen.size(), plot.correlations.rows()))
      note += fmt::format("; the {} longest of {}", chosen.size(), plot.correlations.rows());
    draw_note(canvas, note, frame);
  });
}

}  // namespace fewdim
