#include "report/plots/names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "report/canvas/font.hpp"

namespace fewdim {

namespace {

constexpr double longest_name = 150, ascent = 0.75 * name_size, descent = 0.2 * name_size, gap = 1.0;
constexpr double spare_width = 1.15;  // browsers take other fonts, too

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool touches(const Box& box, Point center, double radius) {
  const double x = std::clamp(center.x, box.x, box.right()) - center.x;
  const double y = std::clamp(center.y, box.y, box.bottom()) - center.y;
  return x * x + y * y < radius * radius;
}

/// Does the segment pass through the box? Cut at each of its sides (Liang & Barsky 1984).
bool crosses(const Segment& s, const Box& box) {
  double from = 0.0, to = 1.0;
  const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
  const std::array<std::pair<double, double>, 4> sides{
      {{-dx, s.from.x - box.x}, {dx, box.right() - s.from.x}, {-dy, s.from.y - box.y}, {dy, box.bottom() - s.from.y}}};
  for (const auto& [p, q] : sides) {
    if (p == 0.0 && q < 0.0) return false;
    if (p < 0.0) from = std::max(from, q / p);
    if (p > 0.0) to = std::min(to, q / p);
  }
  return from < to;
}

bool cross(const Segment& a, const Segment& b) {
  const auto side = [](Point p, Point q, Point r) { return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x); };
  return side(a.from, a.to, b.from) * side(a.from, a.to, b.to) < 0 &&
         side(b.from, b.to, a.from) * side(b.from, b.to, a.to) < 0;
}

bool inside(const Box& box, const Box& area) {
  return box.x >= area.x - 8 && box.right() <= area.right() + 20 && box.y >= area.y - 8 &&
         box.bottom() <= area.bottom();
}

/// Where a leader ends: at the middle of a side, or above or below the letters.
Point nearest_of(const Box& box, Point from) {
  if (from.x >= box.x && from.x <= box.right()) return {from.x, from.y < box.y ? box.y : box.bottom()};
  return {from.x < box.x ? box.x : box.right(),
          std::clamp(from.y, box.y + 0.4 * box.height, box.bottom() - 0.3 * box.height)};
}

class Placer {
 public:
  Placer(std::span<const NamedPoint> points, const Obstacles& obstacles, const Box& area)
      : points_(points), obstacles_(obstacles), area_(area) {}

  /// Those that found no place choose first in the next round; the round that left out the fewest counts.
  std::vector<PlacedName> place() {
    const int rounds = obstacles_.ordered ? 1 : 12;
    std::vector<std::size_t> order = by_crowding();
    if (obstacles_.ordered) std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<PlacedName> best;
    for (int round = 0; round < rounds; ++round) {
      const std::vector<std::size_t> without = place_in(order);
      if (round == 0 || placed_.size() > best.size()) best = placed_;
      if (without.empty()) break;
      std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
        return std::find(without.begin(), without.end(), i) != without.end();
      });
    }
    return best;
  }

 private:
  /// Returns the points whose names found no place.
  std::vector<std::size_t> place_in(const std::vector<std::size_t>& order) {
    placed_.clear();
    std::vector<std::size_t> without;
    for (const std::size_t i : order) {
      PlacedName name{i, fit_name(points_[i].name, longest_name, name_size), {}, {}, false, {}};
      if (name.text.empty()) continue;
      if (beside(name) || led_away(name))
        placed_.push_back(std::move(name));
      else
        without.push_back(i);
    }
    return without;
  }

  /// Points with many others near them come first.
  std::vector<std::size_t> by_crowding() const {
    std::vector<int> near(points_.size(), 0);
    for (std::size_t i = 0; i < points_.size(); ++i)
      for (std::size_t j = 0; j < points_.size(); ++j)
        if (std::abs(points_[i].at.x - points_[j].at.x) < 50 && std::abs(points_[i].at.y - points_[j].at.y) < 20)
          ++near[i];
    std::vector<std::size_t> order(points_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return near[a] > near[b]; });
    return order;
  }

  /// The box whose letters start at x on that baseline.
  void set_box(PlacedName& name, double x, double baseline, double width) const {
    name.box = {x - gap, baseline - ascent - gap, width + 2 * gap, ascent + descent + 2 * gap};
    name.baseline = {x + 0.5 * width * (1.0 - 1.0 / spare_width), baseline};
  }

  bool beside(PlacedName& name) const {
    const Point at = points_[name.point].at;
    const double width = spare_width * text_width(name.text, name_size), radius = obstacles_.radius;
    const double level = 0.36 * name_size, side = radius + 3.5, above = -radius - 4, below = radius + 3 + ascent;
    // Right, left, above, below, and the four corners between.
    std::array<Point, 8> starts{{{side, level},
                                 {-side - width, level},
                                 {-width / 2, above},
                                 {-width / 2, below},
                                 {radius, above + 1},
                                 {-radius - width, above + 1},
                                 {radius, below - 1},
                                 {-radius - width, below - 1}}};
    if (obstacles_.outward_of_origin) {
      const double dx = at.x - obstacles_.origin.x, dy = at.y - obstacles_.origin.y;
      const auto outward = [&](Point p) {
        return -((p.x + width / 2) * dx / (width / 2 + side) + (p.y - level) * dy / 12);
      };
      std::stable_sort(starts.begin(), starts.end(), [&](Point a, Point b) { return outward(a) < outward(b); });
    }
    for (const Point& start : starts) {
      set_box(name, at.x + start.x, at.y + start.y, width);
      if (free(name)) return true;
    }
    return false;
  }

  /// On rings around the point, with a line from it to the nearest side of the name.
  bool led_away(PlacedName& name) const {
    const Point at = points_[name.point].at;
    const double width = spare_width * text_width(name.text, name_size);
    name.led = true;
    for (const double reach : {16.0, 24.0, 34.0, 46.0, 60.0, 76.0})
      for (int step = 0; step < 24; ++step) {
        const double angle = 2 * std::numbers::pi * (step % 2 == 0 ? step / 2 : 24 - (step + 1) / 2) / 24;
        const Point tip{at.x + reach * std::cos(angle), at.y - reach * std::sin(angle)};
        // The name's nearest point to the dot is at the tip: its left end to the right of it, and so on.
        const double x = tip.x - width * 0.5 * (1.0 - std::cos(angle));
        const double baseline = tip.y + 0.36 * name_size - 0.5 * name_size * std::sin(angle);
        set_box(name, x, baseline, width);
        name.leader = {at, nearest_of(name.box, at)};
        if (free(name)) return true;
      }
    return false;
  }

  bool free(const PlacedName& name) const {
    const Box& box = name.box;
    if (!inside(box, area_)) return false;
    const double room = obstacles_.radius + 1.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (touches(box, points_[i].at, room)) return false;
      if (name.led && i != name.point && leader_meets(name.leader, points_[i].at, points_[name.point].at)) return false;
    }
    for (const Point& disc : obstacles_.discs)
      if (touches(box, disc, obstacles_.disc_radius + 1.0)) return false;
    for (const Box& taken : obstacles_.boxes)
      if (overlap(box, taken) || (name.led && crosses(name.leader, taken))) return false;
    for (const Segment& line : obstacles_.lines)
      if (crosses(line, box)) return false;
    return std::none_of(placed_.begin(), placed_.end(), [&](const PlacedName& other) {
      return overlap(box, other.box) || (other.led && crosses(other.leader, box)) ||
             (name.led && crosses(name.leader, other.box)) ||
             (name.led && other.led && cross(name.leader, other.leader));
    });
  }

  /// A leader must not run through another dot; equal points can't help it.
  bool leader_meets(const Segment& leader, Point dot, Point own) const {
    if (dot.x == own.x && dot.y == own.y) return false;
    const double dx = leader.to.x - leader.from.x, dy = leader.to.y - leader.from.y;
    const double length2 = dx * dx + dy * dy;
    if (length2 == 0.0) return false;
    const double along = std::clamp(((dot.x - leader.from.x) * dx + (dot.y - leader.from.y) * dy) / length2, 0.0, 1.0);
    return std::hypot(leader.from.x + along * dx - dot.x, leader.from.y + along * dy - dot.y) < obstacles_.radius;
  }

  std::span<const NamedPoint> points_;
  const Obstacles& obstacles_;
  const Box& area_;
  std::vector<PlacedName> placed_;
};

}  // namespace

std::vector<PlacedName> place_names(std::span<const NamedPoint> points, const Obstacles& obstacles, const Box& area) {
  return Placer(points, obstacles, area).place();
}

void draw_names(Canvas& canvas, std::span<const NamedPoint> points, const std::vector<PlacedName>& names) {
  for (const PlacedName& name : names)
    if (name.led) canvas.line(std::array{name.leader.from, name.leader.to}, 0.8, colors::zero_line);
  for (const PlacedName& name : names) canvas.text(name.baseline, name.text, {name_size, points[name.point].color});
}

}  // namespace fewdim
