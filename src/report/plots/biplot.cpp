#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/frame.hpp"
#include "report/plots/arrows.hpp"
#include "report/plots/cloud.hpp"
#include "report/plots/names.hpp"

namespace fewdim {

namespace {

constexpr std::size_t most_drawn_names = 60;

void check(const Biplot& plot) {
  if (plot.points.cols() != 2)
    refuse_picture("points", fmt::format("{}x{}", plot.points.rows(), plot.points.cols()), "must have two columns",
                   "give two components");
  require_arrows(plot.arrows, plot.arrow_names, "arrows");
  require_one_each("point_names", plot.point_names.size(), plot.points.rows());
  if (!(plot.alpha >= 0.0 && plot.alpha <= 1.0))
    refuse_picture("alpha", fmt::format("{}", plot.alpha), "must be between 0 and 1",
                   "1 keeps distances of rows, 0 covariances of columns");
}

/// 1, 2 or 5 times a power of ten, the largest that leaves the longest arrow within the points.
double stretch(const Biplot& plot, const std::vector<Index>& kept, const std::vector<Index>& arrows) {
  double reach = 0.0;
  for (const Index i : kept) reach = std::max(reach, std::hypot(plot.points(i, 0), plot.points(i, 1)));
  const double longest = std::hypot(plot.arrows(arrows[0], 0), plot.arrows(arrows[0], 1));
  const double most = 0.95 * reach / longest;
  if (!(most > 0.0) || !std::isfinite(most)) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (const double factor : {8.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5})
    if (factor * power <= most) return factor * power;
  return power;
}

Frame frame_for(const Biplot& plot, const std::vector<Index>& kept, const std::vector<Index>& arrows, double factor) {
  Frame frame;
  frame.x = scale_of(plot.points.col(0), kept, 0.0);
  frame.y = scale_of(plot.points.col(1), kept, 0.0);
  for (const Index row : arrows) {
    const double x = factor * plot.arrows(row, 0), y = factor * plot.arrows(row, 1);
    frame.x = {std::min({frame.x.low, x, 0.0}), std::max({frame.x.high, x, 0.0})};
    frame.y = {std::min({frame.y.low, y, 0.0}), std::max({frame.y.high, y, 0.0})};
  }
  frame.x = padded_scale(frame.x.low, frame.x.high, 0.07);
  frame.y = padded_scale(frame.y.low, frame.y.high, 0.07);
  frame.equal = true;  // inner products are seen as projections
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  return frame;
}

std::string note_of(const Biplot& plot, std::size_t drawn, double factor) {
  std::string note = fmt::format("α = {:g}, arrows {:g} times as long", plot.alpha, factor);
  if (std::cmp_less(drawn, plot.arrows.rows()))
    note += fmt::format(", the {} longest of {}", drawn, plot.arrows.rows());
  return note;
}

}  // namespace

void plot(const Biplot& plot, const std::string& path, bool overwrite) {
  check(plot);
  const std::vector<Index> kept = finite_rows(plot.points);
  const std::vector<Index> arrows = longest_arrows(plot.arrows, plot.most_arrows);
  if (arrows.empty()) refuse_picture("arrows", "none", "must have one with a length", "choose other components");
  PointColoring coloring = color_rows(kept, plot.points.rows(), plot.labels, plot.values, plot.label_name);
  const double factor = stretch(plot, kept, arrows);
  Frame frame = frame_for(plot, kept, arrows, factor);
  frame.legend = std::move(coloring.legend);
  const Sheet sheet = sheet_of(plot.size, 800, 680, plot.title);
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    lay_out(frame, sheet.width, sheet.height);
    draw_frame(canvas, frame);
    std::vector<Dot> dots;
    std::vector<NamedPoint> named;
    Obstacles obstacles;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const Point at = frame.place(plot.points(kept[j], 0), plot.points(kept[j], 1));
      const std::string_view name =
          plot.point_names.empty() ? std::string_view() : plot.point_names[static_cast<std::size_t>(kept[j])];
      const bool plain = frame.legend.empty();
      dots.push_back({at, plain ? colors::bar : coloring.colors[j], name});
      if (kept.size() <= most_drawn_names && !name.empty()) named.push_back({at, std::string(name), colors::soft_ink});
      if (kept.size() <= 400) obstacles.discs.push_back(at);
    }
    const double radius = dots_for(kept.size()).radius;
    obstacles.disc_radius = radius;
    draw_cloud(canvas, frame.area, std::move(dots), coloring.classes, frame.legend, {});
    // Arrows are fewer and name the axes of the picture: they choose their places first.
    std::vector<Segment> lines;
    const Point origin = frame.place(0, 0);
    for (const Index row : arrows)
      lines.push_back({origin, frame.place(factor * plot.arrows(row, 0), factor * plot.arrows(row, 1))});
    const std::vector<PlacedName> taken =
        draw_arrows(canvas, frame, plot.arrows, arrows, plot.arrow_names, factor, obstacles);
    Obstacles left{.radius = radius, .lines = lines};
    for (const PlacedName& name : taken) left.boxes.push_back(name.box);
    draw_names(canvas, named, place_names(named, left, frame.area));
    draw_note(canvas, note_of(plot, arrows.size(), factor), frame);
    draw_left_out(canvas, plot.points.rows(), kept.size(), sheet.width, sheet.height);
  });
}

}  // namespace fewdim
