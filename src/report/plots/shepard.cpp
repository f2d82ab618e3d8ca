#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/frame.hpp"

namespace fewdim {

namespace {

constexpr Color pair_color = colors::other;

void require_pairs(const ShepardPlot& plot) {
  const auto agree = [](std::string_view name, Index found, Index expected) {
    if (found != expected)
      refuse_picture(name, fmt::format("{} numbers", found), fmt::format("must be {}", expected),
                     "give both numbers of every point");
  };
  agree("distances", plot.distances.size(), plot.dissimilarities.size());
  agree("line_y", plot.line_y.size(), plot.line_x.size());
  if (plot.distances.size() == 0) refuse_picture("distances", "none", "must be one or more", "a picture needs a pair");
  for (const Vector<double>* numbers : {&plot.dissimilarities, &plot.distances, &plot.line_x, &plot.line_y})
    for (const double number : *numbers)
      if (!std::isfinite(number))
        refuse_picture("pairs", fmt::format("{}", number), "is not finite", "leave such pairs out");
}

/// Both axes from 0, or below it where a number is.
Scale scale_for(const Vector<double>& dots, const Vector<double>& line) {
  double low = std::min(0.0, dots.minCoeff()), high = std::max(0.0, dots.maxCoeff());
  if (line.size() > 0) low = std::min(low, line.minCoeff()), high = std::max(high, line.maxCoeff());
  const Scale padded = padded_scale(low, high, 0.05);
  return low == 0.0 && high > 0.0 ? Scale{0.0, padded.high} : padded;
}

}  // namespace

void plot(const ShepardPlot& plot, const std::string& path, bool overwrite) {
  require_pairs(plot);
  Frame frame;
  frame.x = scale_for(plot.dissimilarities, plot.line_x);
  frame.y = scale_for(plot.distances, plot.line_y);
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  frame.legend.entries.push_back({"pair", pair_color});
  if (plot.line_x.size() > 0) frame.legend.entries.push_back({"disparity", colors::accent});
  const Sheet sheet = sheet_of(plot.size, 800, 600, plot.title);
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    lay_out(frame, sheet.width, sheet.height);
    draw_frame(canvas, frame);
    std::vector<Dot> dots;
    for (Index p = 0; p < plot.distances.size(); ++p)
      dots.push_back({frame.place(plot.dissimilarities[p], plot.distances[p]), pair_color, {}});
    const auto count = static_cast<double>(dots.size());
    canvas.dots(dots, {std::clamp(9.0 * std::pow(count, -0.2), 1.4, 3.4), count > 1000 ? 0.5 : 0.8, false}, frame.area);
    std::vector<Point> line;
    for (Index i = 0; i < plot.line_x.size(); ++i) line.push_back(frame.place(plot.line_x[i], plot.line_y[i]));
    if (line.size() > 1) canvas.line(line, 1.8, colors::accent);
  });
}

}  // namespace fewdim
