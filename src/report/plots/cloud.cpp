#include "report/plots/cloud.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "report/canvas/file.hpp"
#include "report/plots/density.hpp"
#include "report/plots/hull.hpp"

namespace fewdim {

namespace {

void shuffle(std::vector<Dot>& dots) {
  const Random random(0, 0x504c4f54);
  for (std::size_t i = dots.size(); i > 1; --i) std::swap(dots[i - 1], dots[random.below(i, i)]);
}

Color faded(Color color, double alpha) { return {color.red, color.green, color.blue, alpha}; }

/// The points of each class; of all, where there are no classes.
struct Group {
  std::vector<Point> points;
  Color color;
};

std::vector<Group> groups_of(const std::vector<Dot>& dots, const std::vector<std::int32_t>& classes,
                             const Legend& legend) {
  std::vector<Group> groups;
  if (legend.ramp || legend.entries.empty()) {
    groups.push_back({{}, legend.ramp ? colors::soft_ink : colors::classes[0]});
    for (const Dot& dot : dots) groups[0].points.push_back(dot.at);
    return groups;
  }
  for (const Legend::Entry& entry : legend.entries) groups.push_back({{}, entry.color});
  for (std::size_t i = 0; i < dots.size(); ++i)
    if (classes[i] >= 0) groups[static_cast<std::size_t>(classes[i])].points.push_back(dots[i].at);
  std::erase_if(groups, [](const Group& group) { return group.points.empty(); });
  return groups;
}

void draw_hulls(Canvas& canvas, const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    std::vector<Point> hull = convex_hull(group.points);
    if (hull.size() < 2) continue;
    if (hull.size() > 2) canvas.polygon(hull, faded(group.color, 0.08));
    hull.push_back(hull.front());
    canvas.line(hull, 1.2, faded(group.color, 0.75));
  }
}

constexpr std::array shares{0.95, 0.75, 0.50, 0.25};
// From pale to full, the hue of bars: the four regions, each inside the one before.
constexpr std::array bands{rgb(0xdfeaf3), rgb(0xb3cfe3), rgb(0x7fb0d1), rgb(0x4d8fbf)};

/// Of all points: four bands; returns the dots outside of them.
std::vector<Dot> draw_density(Canvas& canvas, const Box& area, const std::vector<Dot>& dots) {
  std::vector<Point> points;
  for (const Dot& dot : dots) points.push_back(dot.at);
  const DensityGrid grid = estimate_density(points, area);
  std::array<double, shares.size()> levels{};
  for (std::size_t b = 0; b < shares.size(); ++b) levels[b] = level_holding(grid, shares[b]);
  draw_bands(canvas, grid, levels, bands);
  for (std::size_t b = 0; b < shares.size(); ++b)
    for (const Path& line : contours(grid, levels[b]))
      canvas.line(line, 0.9, b + 1 < shares.size() ? bands[b + 1] : rgb(0x33719f));
  std::vector<Dot> outside;
  for (const Dot& dot : dots)
    if (grid.value(dot.at) < levels[0]) outside.push_back(dot);
  return outside;
}

/// Of each class: the regions that hold 90 and 50 % of it.
void draw_class_densities(Canvas& canvas, const Box& area, const std::vector<Group>& groups) {
  const double pale = std::min(1.0, 3.0 / static_cast<double>(groups.size()));  // many lie over each other
  for (const Group& group : groups) {
    if (group.points.size() < 3) continue;
    const DensityGrid grid = estimate_density(group.points, area);
    const std::array levels{level_holding(grid, 0.9), level_holding(grid, 0.5)};
    draw_bands(canvas, grid, levels, std::array{faded(group.color, 0.10 * pale), faded(group.color, 0.30 * pale)});
    for (const double level : levels)
      for (const Path& line : contours(grid, level))
        canvas.line(line, level == levels[1] ? 1.6 : 1.0, faded(group.color, 0.85));
  }
}

}  // namespace

void require_one_each(std::string_view what, std::size_t found, Index rows) {
  if (found != 0 && std::cmp_not_equal(found, rows))
    refuse_picture(what, fmt::format("{} entries", found), fmt::format("must be one for each of {} points", rows),
                   "leave it empty or give one per point");
}

std::vector<Index> finite_rows(const Matrix<double>& columns) {
  std::vector<Index> kept;
  for (Index i = 0; i < columns.rows(); ++i) {
    bool finite = true;
    for (Index c = 0; c < columns.cols(); ++c) finite = finite && std::isfinite(columns(i, c));
    if (finite) kept.push_back(i);
  }
  if (kept.empty())
    refuse_picture("points", fmt::format("{}", columns.rows()), "has none with finite coordinates",
                   "a picture needs one point or more");
  return kept;
}

PointColoring color_rows(const std::vector<Index>& kept, Index rows, const std::vector<std::string>& labels,
                         const Vector<double>& values, const std::string& name) {
  require_one_each("labels", labels.size(), rows);
  require_one_each("values", static_cast<std::size_t>(values.size()), rows);
  if (!labels.empty() && values.size() > 0)
    refuse_picture("labels", "both labels and values", "must be one of them", "color by classes or by numbers");
  if (values.size() > 0) {
    Vector<double> chosen(std::ssize(kept));
    for (Index j = 0; j < chosen.size(); ++j) chosen[j] = values[kept[static_cast<std::size_t>(j)]];
    return color_along(chosen, name);
  }
  if (!labels.empty()) {
    if (std::cmp_equal(kept.size(), rows)) return color_by(labels, name);
    std::vector<std::string> chosen;
    for (const Index i : kept) chosen.push_back(labels[static_cast<std::size_t>(i)]);
    return color_by(chosen, name);
  }
  return {std::vector<Color>(kept.size(), colors::classes[0]), {}, std::vector<std::int32_t>(kept.size(), -1)};
}

DotStyle dots_for(std::size_t count, double shrink) {
  const double n = static_cast<double>(count);
  const double radius = shrink * std::clamp(10 * std::pow(n, -0.175), 1.0, 4.8);
  const bool outlined = count <= 2000 && radius >= 2.0;  // of smaller dots a rim would leave little
  return {radius, std::clamp(0.9 * std::pow(1000 / n, 0.22), 0.2, 0.9), outlined};
}

void draw_cloud(Canvas& canvas, const Box& area, std::vector<Dot> dots, const std::vector<std::int32_t>& classes,
                const Legend& legend, const CloudLook& look) {
  const bool classed = !legend.entries.empty();
  for (std::size_t i = 0; i < dots.size(); ++i)
    if (classes[i] >= 0) dots[i].marker = legend.entries[static_cast<std::size_t>(classes[i])].marker;
  DotStyle style = dots_for(dots.size(), look.shrink);
  const std::vector<Group> groups =
      look.hulls || (look.density && classed) ? groups_of(dots, classes, legend) : std::vector<Group>();
  if (look.density && classed) {
    draw_class_densities(canvas, area, groups);
    dots.clear();
  } else if (look.density) {
    dots = draw_density(canvas, area, dots);
    style.opacity = dots_for(dots.size()).opacity;
    style.outlined = false;
    if (legend.empty())
      for (Dot& dot : dots) dot.color = bands[2];  // not darker than the regions they surround
  }
  if (look.hulls) draw_hulls(canvas, groups);
  shuffle(dots);
  if (!dots.empty()) canvas.dots(dots, style, area);
}

std::string density_note(const Legend& legend) {
  return legend.entries.empty() ? "regions hold 25, 50, 75 and 95 % of the points"
                                : "regions hold 50 and 90 % of each class";
}

void draw_left_out(Canvas& canvas, Index all, std::size_t kept, double sheet_width, double sheet_height) {
  if (const Index lost = all - static_cast<Index>(kept); lost > 0)
    canvas.text({sheet_width - 12, sheet_height - 12}, fmt::format("{} of {} points left out: not finite", lost, all),
                {11, colors::soft_ink, Anchor::end});
}

Scale scale_of(const Eigen::Ref<const Vector<double>>& column, const std::vector<Index>& kept, double padding) {
  double low = column[kept[0]], high = low;
  for (const Index i : kept) low = std::min(low, column[i]), high = std::max(high, column[i]);
  return padded_scale(low, high, padding);
}

}  // namespace fewdim
