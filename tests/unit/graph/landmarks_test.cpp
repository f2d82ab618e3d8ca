#include "graph/landmarks.hpp"

#include <gtest/gtest.h>

#include <set>

#include "fewdim/error.hpp"
#include "unit/graph/graph_helpers.hpp"

namespace fewdim {
namespace {

TEST(Landmarks, AtRandomAreDistinctAndRise) {
  const auto rows = random_landmarks(1000, 100, 7, "test");
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::set<std::int32_t>(rows.begin(), rows.end()).size(), 100U);
  EXPECT_EQ(random_landmarks(1000, 100, 7, "test"), rows);
  EXPECT_NE(random_landmarks(1000, 100, 8, "test"), rows);
  const auto all = random_landmarks(30, 30, 1, "test");
  for (std::int32_t i = 0; i < 30; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
}

TEST(Landmarks, AtRandomAreEvenlySpread) {
  // 2,000 draws of 5 of 10: each row is taken 1,000 times, give or take 4 deviations of √(2000/4) = 22.
  std::array<int, 10> taken{};
  for (Seed seed = 0; seed < 2000; ++seed)
    for (const std::int32_t row : random_landmarks(10, 5, seed, "test")) ++taken[static_cast<std::size_t>(row)];
  for (const int count : taken) EXPECT_NEAR(count, 1000, 90);
}

TEST(Landmarks, ByMaxminTakeTheFarthest) {
  const Matrix<double> x = test::sample(300, 3);
  const auto points = test::packed(x);
  for (const int threads : {1, 2, 3, 8}) {
    const auto found = maxmin_landmarks(points, 12, 5, "test", {.threads = threads});
    // Plainly: from the same first row, which is the only landmark of a list of one.
    std::vector<std::int32_t> chosen = maxmin_landmarks(points, 1, 5, "test", {});
    while (chosen.size() < 12) {
      std::int32_t farthest = 0;
      double most = -1.0;
      for (std::int32_t i = 0; i < 300; ++i) {
        double nearest = 1e300;
        for (const std::int32_t c : chosen) nearest = std::min(nearest, distance(points, c, points, i));
        if (nearest > most) most = nearest, farthest = i;
      }
      chosen.push_back(farthest);
    }
    std::sort(chosen.begin(), chosen.end());
    EXPECT_EQ(found, chosen);
  }
}

TEST(Landmarks, ByMaxminAreDistinctAmongDuplicates) {
  Matrix<double> x = Matrix<double>::Zero(20, 2);
  x(7, 0) = 1.0;
  const auto rows = maxmin_landmarks(test::packed(x), 20, 3, "test", {});
  for (std::int32_t i = 0; i < 20; ++i) EXPECT_EQ(rows[static_cast<std::size_t>(i)], i);
}

TEST(Landmarks, RefuseCountsOutOfBounds) {
  EXPECT_THROW(random_landmarks(10, 11, 1, "test"), InvalidOption);
  EXPECT_THROW(random_landmarks(10, 0, 1, "test"), InvalidOption);
  EXPECT_THROW(maxmin_landmarks(test::packed<double>(test::sample(10, 2)), 11, 1, "test", {}), InvalidOption);
}

}  // namespace
}  // namespace fewdim
