#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "fewdim/plot.hpp"
#include "report/font.hpp"
#include "report/plot_coloring.hpp"
#include "report/plot_file.hpp"
#include "report/plot_frame.hpp"
#include "report/plot_names.hpp"

namespace fewdim {

namespace {

constexpr std::size_t most_drawn_names = 60;

std::vector<Index> finite_points(const ScatterPlot& plot) {
  const auto agree = [&](std::string_view what, std::size_t size) {
    if (size != 0 && size != std::size_t(plot.x.size()))
      refuse_picture(what, fmt::format("{} entries", size),
                     fmt::format("must be one for each of {} points", plot.x.size()),
                     "leave it empty or give one per point");
  };
  if (plot.x.size() != plot.y.size())
    refuse_picture("y", fmt::format("{} numbers", plot.y.size()),
                   fmt::format("must be as many as x, {}", plot.x.size()), "give both coordinates of every point");
  agree("labels", plot.labels.size());
  agree("point_names", plot.point_names.size());
  std::vector<Index> kept;
  for (Index i = 0; i < plot.x.size(); ++i)
    if (std::isfinite(plot.x[i]) && std::isfinite(plot.y[i])) kept.push_back(i);
  if (kept.empty())
    refuse_picture("points", fmt::format("{}", plot.x.size()), "has none with finite coordinates",
                   "a picture needs one point or more");
  return kept;
}

/// Dots shrink and pale as they grow in number, so that a dense cloud still shows its shape.
DotStyle style_for(std::size_t count) {
  const double n = static_cast<double>(count);
  return {std::clamp(10 * std::pow(n, -0.175), 1.0, 4.8), std::clamp(0.9 * std::pow(1000 / n, 0.22), 0.2, 0.9),
          count <= 2000};
}

/// A fixed shuffle: no class lies over another just because its rows come last.
void shuffle(std::vector<Dot>& dots) {
  const Random random(0, 0x504c4f54);
  for (std::size_t i = dots.size(); i > 1; --i) std::swap(dots[i - 1], dots[random.below(i, i)]);
}

Frame frame_for(const ScatterPlot& plot, const std::vector<Index>& kept) {
  double left = plot.x[kept[0]], right = left, low = plot.y[kept[0]], high = low;
  for (const Index i : kept) {
    left = std::min(left, plot.x[i]), right = std::max(right, plot.x[i]);
    low = std::min(low, plot.y[i]), high = std::max(high, plot.y[i]);
  }
  Frame frame;
  frame.x = padded_scale(left, right, 0.05);
  frame.y = padded_scale(low, high, 0.05);
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  return frame;
}

}  // namespace

void plot(const ScatterPlot& plot, const std::string& path, bool overwrite) {
  const std::vector<Index> kept = finite_points(plot);
  Frame frame = frame_for(plot, kept);
  std::vector<Color> color(kept.size(), colors::classes[0]);
  if (!plot.labels.empty()) {
    std::vector<std::string> labels;
    for (const Index i : kept) labels.push_back(plot.labels[std::size_t(i)]);
    Coloring coloring = color_by(labels, plot.label_name);
    color = std::move(coloring.colors);
    frame.legend = std::move(coloring.legend);
  }

  const Sheet sheet{800, 600, plot.title};
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    lay_out(frame, sheet.width, sheet.height);
    draw_frame(canvas, frame);
    std::vector<Dot> dots;
    std::vector<NamedPoint> named;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const Point at = frame.place(plot.x[kept[j]], plot.y[kept[j]]);
      const std::string_view name =
          plot.point_names.empty() ? std::string_view() : plot.point_names[std::size_t(kept[j])];
      dots.push_back({at, color[j], name});
      if (kept.size() <= most_drawn_names) named.push_back({at, std::string(name)});
    }
    shuffle(dots);
    const DotStyle style = style_for(dots.size());
    canvas.dots(dots, style, frame.area);
    draw_names(canvas, named, style.radius, frame.area);
    if (const Index lost = plot.x.size() - Index(kept.size()); lost > 0)
      canvas.text({sheet.width - 12, sheet.height - 12},
                  fmt::format("{} of {} points left out: not finite", lost, plot.x.size()),
                  {11, colors::soft_ink, Anchor::end});
  });
}

}  // namespace fewdim
