#include "base/random.hpp"

#include <gtest/gtest.h>

namespace fewdim {
namespace {

TEST(Random, SameCounterSameNumber) {
  const Random a(7, 3), b(7, 3);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(a.normal(i), b.normal(i));
}

TEST(Random, OtherSeedStreamOrIndexOtherNumber) {
  EXPECT_NE(Random(7, 3).uniform(5), Random(8, 3).uniform(5));
  EXPECT_NE(Random(7, 3).uniform(5), Random(7, 4).uniform(5));
  EXPECT_NE(Random(7, 3).uniform(5), Random(7, 3).uniform(6));
}

TEST(Random, NormalHasTheMomentsOfANormal) {
  const Random random(1, 0);
  const int n = 200000;
  double sum = 0, square = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double z = random.normal(static_cast<std::uint64_t>(i));
    sum += z, square += z * z, fourth += z * z * z * z;
  }
  // Five standard errors: 1/sqrt(n), sqrt(2/n), sqrt(96/n).
  EXPECT_NEAR(sum / n, 0.0, 5 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1.0, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3.0, 5 * std::sqrt(96.0 / n));
}

TEST(Random, BelowStaysBelow) {
  const Random random(1, 0);
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_LT(random.below(i, 7), 7u);
}

}  // namespace
}  // namespace fewdim
