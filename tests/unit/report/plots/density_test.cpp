#include "report/plots/density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "base/random.hpp"

namespace fewdim {
namespace {

constexpr Box area{50, 20, 600, 450};

/// Normal around the middle of the area.
std::vector<Point> cloud(std::uint64_t count, double sigma_x, double sigma_y) {
  const Random random(3, 9);
  std::vector<Point> points;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = area.x + area.width / 2 + sigma_x * random.normal(2 * i);
    const double y = area.y + area.height / 2 + sigma_y * random.normal(2 * i + 1);
    points.push_back({std::clamp(x, area.x, area.right()), std::clamp(y, area.y, area.bottom())});
  }
  return points;
}

double total(const DensityGrid& grid) { return std::accumulate(grid.mass.begin(), grid.mass.end(), 0.0); }

/// By the shoelace formula.
double enclosed(const Path& ring) {
  double twice = 0;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) twice += ring[i].x * ring[i + 1].y - ring[i + 1].x * ring[i].y;
  return std::abs(twice) / 2;
}

TEST(Density, SumsToOneWhereverThePointsLie) {
  EXPECT_NEAR(total(estimate_density(cloud(5000, 60, 40), area)), 1.0, 1e-12);
  EXPECT_NEAR(total(estimate_density(std::vector<Point>{{area.x, area.y}}, area)), 1.0, 1e-12);
  EXPECT_NEAR(total(estimate_density(std::vector<Point>{{area.right(), area.bottom()}, {area.x, area.y}}, area)), 1.0,
              1e-12);
  EXPECT_NEAR(total(estimate_density(cloud(100, 300, 0), area)), 1.0, 1e-12);  // on a line, some at the border
}

TEST(Density, LevelsHoldTheirShareAndRiseAsItFalls) {
  const DensityGrid grid = estimate_density(cloud(3000, 60, 40), area);
  double before = 0.0;
  for (const double share : {0.95, 0.75, 0.5, 0.25}) {
    const double level = level_holding(grid, share);
    double held = 0.0, above = 0.0;
    for (const double mass : grid.mass) {
      if (mass >= level) held += mass;
      if (mass > level) above += mass;
    }
    EXPECT_GE(held, share);
    EXPECT_LT(above, share);
    EXPECT_GT(level, before);
    before = level;
  }
}

TEST(Density, TheRegionOfHalfANormalCloudHasTheAreaOfTheory) {
  // The estimate of a normal cloud is normal with variance σ² + h², h = σ N^(−1/6); half of it lies within the ellipse
  // of area 2π ln 2 times the two deviations. Both deviations are known to 1/√(2N) = 0.5 % each from 20,000 points: 2
  // %.
  const double sigma_x = 60, sigma_y = 40, n = 20000, more = std::sqrt(1 + std::pow(n, -1.0 / 3));
  const DensityGrid grid = estimate_density(cloud(20000, sigma_x, sigma_y), area);
  const std::vector<Path> rings = contours(grid, level_holding(grid, 0.5));
  double largest = 0;
  for (const Path& ring : rings) largest = std::max(largest, enclosed(ring));
  const double expected = 2 * std::numbers::pi * std::numbers::ln2 * sigma_x * sigma_y * more * more;
  EXPECT_NEAR(largest / expected, 1.0, 0.02);
}

TEST(Contours, RunWhereTheDensityHasTheLevelAndClose) {
  const DensityGrid grid = estimate_density(cloud(2000, 60, 40), area);
  const double level = level_holding(grid, 0.75);
  const std::vector<Path> rings = contours(grid, level);
  ASSERT_FALSE(rings.empty());
  for (const Path& ring : rings) {
    EXPECT_DOUBLE_EQ(ring.front().x, ring.back().x);
    EXPECT_DOUBLE_EQ(ring.front().y, ring.back().y);
    for (const Point& p : ring) EXPECT_NEAR(grid.value(p) / level, 1.0, 1e-9);  // between two middles both are linear
  }
}

TEST(Contours, TwoClustersHaveTwoRings) {
  std::vector<Point> points = cloud(1000, 10, 10);
  for (std::size_t i = 0; i < points.size(); i += 2) points[i].x -= 200;
  // Together they are spread by 100, which smooths by 100 · 1000^(−1/6) = 32; they are 200 apart.
  const DensityGrid grid = estimate_density(points, area);
  EXPECT_EQ(contours(grid, level_holding(grid, 0.5)).size(), 2u);
}

TEST(Contours, AreOpenWhereTheyLeaveTheArea) {
  const DensityGrid grid = estimate_density(std::vector<Point>(10, {area.x, area.y + 100}), area);
  const std::vector<Path> lines = contours(grid, level_holding(grid, 0.9));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].front().y, lines[0].back().y);
}

}  // namespace
}  // namespace fewdim
