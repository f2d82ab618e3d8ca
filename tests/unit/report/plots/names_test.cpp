#include "report/plots/names.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "report/canvas/font.hpp"

namespace fewdim {
namespace {

constexpr Box area{60, 30, 700, 500};

std::vector<NamedPoint> random_points(Seed seed, std::size_t count, double spread) {
  const Random random(seed, 5);
  std::vector<NamedPoint> points;
  for (std::size_t i = 0; i < count; ++i)
    points.push_back(
        {{400 + spread * (random.uniform(3 * i) - 0.5), 280 + 0.7 * spread * (random.uniform(3 * i + 1) - 0.5)},
         std::string(2 + random.below(3 * i + 2, 14), 'm')});
  return points;
}

bool apart(const Box& a, const Box& b) {
  return a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
}

bool holds(const Box& box, Point p) { return p.x > box.x && p.x < box.right() && p.y > box.y && p.y < box.bottom(); }

bool reaches(const Box& box, Point p, double radius) {
  return std::hypot(std::clamp(p.x, box.x, box.right()) - p.x, std::clamp(p.y, box.y, box.bottom()) - p.y) < radius;
}

TEST(Names, NeverCoverEachOtherNorAnyPoint) {
  std::size_t sparse = 0, sparse_drawn = 0, crowded = 0, crowded_drawn = 0, led = 0;
  for (Seed seed = 0; seed < 30; ++seed) {
    const std::vector<NamedPoint> points = random_points(seed, 10 + 2 * seed, seed % 3 == 0 ? 650 : 200);
    const std::vector<PlacedName> names = place_names(points, {.radius = 4}, area);
    (seed % 3 == 0 ? sparse : crowded) += points.size();
    (seed % 3 == 0 ? sparse_drawn : crowded_drawn) += names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      led += names[i].led ? 1 : 0;
      for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(apart(names[i].box, names[j].box)) << seed;
      for (const NamedPoint& p : points) EXPECT_FALSE(reaches(names[i].box, p.at, 4)) << seed;
      // The letters stand inside of their box.
      const double width = text_width(names[i].text, name_size);
      EXPECT_GE(names[i].baseline.x, names[i].box.x);
      EXPECT_LE(names[i].baseline.x + width, names[i].box.right());
    }
  }
  // Measured: 369 of 370, and 517 of 800 where up to 68 names of up to 15 wide letters crowd in 200×140.
  EXPECT_GE(sparse_drawn + 5, sparse);
  EXPECT_GE(crowded_drawn, 480u);
  EXPECT_GT(led, 0u);
}

TEST(Names, LeadersCrossNeitherNamesNorEachOther) {
  for (Seed seed = 0; seed < 30; ++seed) {
    const std::vector<NamedPoint> points = random_points(seed, 40, 180);
    const std::vector<PlacedName> names = place_names(points, {.radius = 4}, area);
    for (const PlacedName& a : names) {
      if (!a.led) continue;
      EXPECT_DOUBLE_EQ(a.leader.from.x, points[a.point].at.x);
      for (const PlacedName& b : names) {
        if (a.point == b.point) continue;
        for (int step = 0; step <= 50; ++step) {
          const double t = step / 50.0;
          const Point p{a.leader.from.x + t * (a.leader.to.x - a.leader.from.x),
                        a.leader.from.y + t * (a.leader.to.y - a.leader.from.y)};
          EXPECT_FALSE(holds(b.box, p)) << seed;
        }
      }
    }
  }
}

TEST(Names, FewFarPointsHaveTheirNamesAtTheRight) {
  const std::vector<NamedPoint> points{{{200, 100}, "one"}, {{200, 300}, "two"}, {{500, 200}, "three"}};
  const std::vector<PlacedName> names = place_names(points, {.radius = 4}, area);
  ASSERT_EQ(names.size(), 3u);
  for (const PlacedName& name : names) {
    EXPECT_FALSE(name.led);
    EXPECT_GT(name.box.x, points[name.point].at.x);
    EXPECT_LT(name.box.x, points[name.point].at.x + 10);
  }
}

TEST(Names, OfEqualPointsStandAroundThem) {
  const std::vector<NamedPoint> points(12, {{400, 280}, "a name"});
  EXPECT_EQ(place_names(points, {.radius = 4}, area).size(), 8u);  // they leave no way out for the lines of the rest
}

TEST(Names, KeepClearOfLinesAndOfNamesThatStandAlready) {
  const std::vector<NamedPoint> points{{{400, 280}, "name"}};
  Obstacles obstacles{.radius = 4, .lines = {{{390, 280}, {600, 280}}}, .boxes = {{300, 260, 95, 40}}};
  const std::vector<PlacedName> names = place_names(points, obstacles, area);
  ASSERT_EQ(names.size(), 1u);
  EXPECT_TRUE(names[0].box.bottom() <= 280 || names[0].box.y >= 280);  // above or below the line
  EXPECT_TRUE(apart(names[0].box, obstacles.boxes[0]));
}

TEST(Names, CrowdedPointsChooseFirstUnlessOrdered) {
  const std::vector<NamedPoint> points{{{600, 280}, "alone"}, {{400, 280}, "second"}, {{401, 281}, "third"}};
  const std::vector<PlacedName> crowded = place_names(points, {.radius = 4}, area);
  const std::vector<PlacedName> ordered = place_names(points, {.radius = 4, .ordered = true}, area);
  ASSERT_EQ(crowded.size(), 3u);
  ASSERT_EQ(ordered.size(), 3u);
  EXPECT_EQ(crowded[0].point, 1u);
  EXPECT_EQ(ordered[0].point, 0u);
}

TEST(Names, WithoutRoomAreLeftOutNotSqueezed) {
  EXPECT_TRUE(
      place_names(std::vector<NamedPoint>{{{400, 280}, "much too long for it"}}, {.radius = 4}, {395, 275, 10, 10})
          .empty());
  EXPECT_TRUE(place_names(std::vector<NamedPoint>{{{400, 280}, ""}}, {.radius = 4}, area).empty());
}

}  // namespace
}  // namespace fewdim
