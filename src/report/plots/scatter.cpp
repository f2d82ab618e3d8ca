#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/frame.hpp"
#include "report/plots/cloud.hpp"
#include "report/plots/names.hpp"

namespace fewdim {

namespace {

constexpr std::size_t most_drawn_names = 60;

Matrix<double> both(const ScatterPlot& plot) {
  if (plot.x.size() != plot.y.size())
    refuse_picture("y", fmt::format("{} numbers", plot.y.size()),
                   fmt::format("must be as many as x, {}", plot.x.size()), "give both coordinates of every point");
  require_one_each("labels", plot.labels.size(), plot.x.size());
  require_one_each("point_names", plot.point_names.size(), plot.x.size());
  Matrix<double> columns(plot.x.size(), 2);
  columns.col(0) = plot.x, columns.col(1) = plot.y;
  return columns;
}

/// Of a sheet 800 wide whose area has the shape of a map with equal axes, within reason.
double height_for(Frame frame) {
  frame.equal = false;
  lay_out(frame, 800, 600);
  const double shape = (frame.y.high - frame.y.low) / (frame.x.high - frame.x.low);
  if (!std::isfinite(shape)) return 600;
  return std::round(std::clamp(frame.area.width * shape + 600 - frame.area.height, 340.0, 800.0));
}

}  // namespace

void plot(const ScatterPlot& plot, const std::string& path, bool overwrite) {
  const Matrix<double> columns = both(plot);
  const std::vector<Index> kept = finite_rows(columns);
  PointColoring coloring = color_rows(kept, columns.rows(), plot.labels, plot.values, plot.label_name);
  Frame frame;
  const double room = plot.density ? 0.12 : 0.05;  // an estimate reaches beyond its points
  frame.x = scale_of(plot.x, kept, room);
  frame.y = scale_of(plot.y, kept, room);
  frame.equal = plot.equal;
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  frame.legend = std::move(coloring.legend);

  const Sheet sheet = sheet_of(plot.size, 800, plot.equal ? height_for(frame) : 600, plot.title);
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    lay_out(frame, sheet.width, sheet.height);
    draw_frame(canvas, frame);
    std::vector<Dot> dots;
    dots.reserve(kept.size());
    std::vector<NamedPoint> named;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const Point at = frame.place(plot.x[kept[j]], plot.y[kept[j]]);
      const std::string_view name =
          plot.point_names.empty() ? std::string_view() : plot.point_names[static_cast<std::size_t>(kept[j])];
      dots.push_back({at, coloring.colors[j], name});
      if (kept.size() <= most_drawn_names) named.push_back({at, std::string(name)});
    }
    draw_cloud(canvas, frame.area, std::move(dots), coloring.classes, frame.legend, {plot.hulls, plot.density});
    draw_names(canvas, named, place_names(named, {.radius = dots_for(kept.size()).radius}, frame.area));
    if (plot.density) draw_note(canvas, density_note(frame.legend), frame);
    draw_left_out(canvas, columns.rows(), kept.size(), sheet.width, sheet.height);
  });
}

}  // namespace fewdim
