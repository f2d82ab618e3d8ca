#include "report/plots/hull.hpp"

#include <algorithm>

namespace fewdim {

namespace {

/// Above 0: the way a, b, c turns to the left in a system with y up.
double turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

}  // namespace

std::vector<Point> convex_hull(std::span<const Point> points) {
  std::vector<Point> sorted(points.begin(), points.end());
  const auto before = [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  std::sort(sorted.begin(), sorted.end(), before);
  sorted.erase(std::unique(sorted.begin(), sorted.end(), [](Point a, Point b) { return a.x == b.x && a.y == b.y; }),
               sorted.end());
  if (sorted.size() < 3) return sorted;
  std::vector<Point> hull;
  const auto add = [&](Point p, std::size_t fixed) {
    while (hull.size() > fixed && turn(hull[hull.size() - 2], hull.back(), p) <= 0.0) hull.pop_back();
    hull.push_back(p);
  };
  for (const Point& p : sorted) add(p, 1);  // one side, from left to right, then the other back
  const std::size_t half = hull.size();
  for (std::size_t i = sorted.size() - 1; i-- > 0;) add(sorted[i], half);
  hull.pop_back();  // the first point again
  return hull;
}

}  // namespace fewdim
