#include "report/plots/hull.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace fewdim {
namespace {

double turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/// Every corner turns the same way, and no point lies on the other side of an edge.
void expect_hull_of(const std::vector<Point>& hull, const std::vector<Point>& points) {
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Point a = hull[i], b = hull[(i + 1) % hull.size()];
    EXPECT_GT(turn(a, b, hull[(i + 2) % hull.size()]), 0.0) << i;
    for (const Point& p : points) EXPECT_GE(turn(a, b, p), -1e-9) << i;  // rounding of products of about 1e3
  }
}

TEST(ConvexHull, IsConvexAndHoldsAllPoints) {
  const Random random(7, 1);
  for (std::uint64_t round = 0; round < 40; ++round) {
    std::vector<Point> points;
    for (std::uint64_t i = 0; i < 3 + 5 * round; ++i)
      points.push_back({random.normal(1000 * round + 2 * i), 30 * random.normal(1000 * round + 2 * i + 1)});
    const std::vector<Point> hull = convex_hull(points);
    ASSERT_GE(hull.size(), 3u);
    expect_hull_of(hull, points);
  }
}

TEST(ConvexHull, OfASquareWithPointsInsideAndOnItsSidesIsItsCorners) {
  const std::vector<Point> points{{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 1}, {0, 2}, {0, 1}, {2, 1}, {0, 0}, {0.5, 1.5}};
  const std::vector<Point> hull = convex_hull(points);
  EXPECT_EQ(hull.size(), 4u);
  expect_hull_of(hull, points);
}

TEST(ConvexHull, OfPointsOnALineIsItsEnds) {
  EXPECT_EQ(convex_hull(std::vector<Point>{{1, 1}, {3, 3}, {2, 2}, {2, 2}}).size(), 2u);
  EXPECT_EQ(convex_hull(std::vector<Point>{{1, 1}, {1, 1}, {1, 1}}).size(), 1u);
  EXPECT_TRUE(convex_hull({}).empty());
}

}  // namespace
}  // namespace fewdim
