#include "report/plots/arrows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "report/canvas/file.hpp"

namespace fewdim {

namespace {

constexpr double head_length = 8, head_width = 3;

double length(const Matrix<double>& arrows, Index row) { return std::hypot(arrows(row, 0), arrows(row, 1)); }

}  // namespace

std::vector<Index> longest_arrows(const Matrix<double>& arrows, Index most) {
  std::vector<Index> order(static_cast<std::size_t>(arrows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::erase_if(order, [&](Index row) { return !(length(arrows, row) > 0.0); });
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return length(arrows, a) > length(arrows, b); });
  if (std::ssize(order) > most) order.resize(static_cast<std::size_t>(std::max<Index>(most, 0)));
  return order;
}

void require_arrows(const Matrix<double>& arrows, const std::vector<std::string>& names, std::string_view what) {
  if (arrows.cols() != 2 || arrows.rows() == 0)
    refuse_picture(what, fmt::format("{}x{}", arrows.rows(), arrows.cols()), "must have two columns and some rows",
                   "give two components");
  if (std::cmp_not_equal(names.size(), arrows.rows()))
    refuse_picture("names", fmt::format("{} entries", names.size()),
                   fmt::format("must be one for each of {} arrows", arrows.rows()), "name every arrow");
  if (!arrows.allFinite()) refuse_picture(what, "numbers", "must be finite", "leave such columns out");
}

std::vector<PlacedName> draw_arrows(Canvas& canvas, const Frame& frame, const Matrix<double>& arrows,
                                    const std::vector<Index>& chosen, const std::vector<std::string>& names,
                                    double factor, Obstacles obstacles) {
  const Point origin = frame.place(0, 0);
  std::vector<NamedPoint> tips;
  for (const Index row : chosen) {
    const Point tip = frame.place(factor * arrows(row, 0), factor * arrows(row, 1));
    tips.push_back({tip, names[static_cast<std::size_t>(row)], rgb(0xa34700)});  // the accent, dark enough for letters
    obstacles.lines.push_back({origin, tip});
    const double dx = tip.x - origin.x, dy = tip.y - origin.y, long_ = std::hypot(dx, dy);
    if (long_ < 0.5) continue;
    const double head = std::min(head_length, 0.6 * long_), wide = head_width * head / head_length;
    const Point neck{tip.x - head * dx / long_, tip.y - head * dy / long_};
    canvas.line(std::array{origin, neck}, 1.3, colors::accent);
    canvas.polygon(std::array{tip, Point{neck.x - wide * dy / long_, neck.y + wide * dx / long_},
                              Point{neck.x + wide * dy / long_, neck.y - wide * dx / long_}},
                   colors::accent);
  }
  obstacles.radius = 2.0;
  obstacles.outward_of_origin = true;
  obstacles.ordered = chosen.size() > 20;  // of many, the long ones must have their names
  obstacles.origin = origin;
  std::vector<PlacedName> placed = place_names(tips, obstacles, frame.area);
  for (const PlacedName& name : placed) canvas.rectangle(name.box, rgb(0xffffff, 0.7));  // over a cloud of points
  draw_names(canvas, tips, placed);
  return placed;
}

}  // namespace fewdim
