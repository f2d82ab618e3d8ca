#include "report/canvas/ticks.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "base/random.hpp"

namespace fewdim {
namespace {

using Texts = std::vector<std::string>;

TEST(Ticks, LabelsAreRoundNumbers) {
  EXPECT_EQ(nice_ticks(-3.2, 4.1, 10).labels, (Texts{"−3", "−2", "−1", "0", "1", "2", "3", "4"}));
  EXPECT_EQ(nice_ticks(0, 1, 6).labels, (Texts{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(nice_ticks(0.013, 0.041, 4).labels, (Texts{"0.02", "0.03", "0.04"}));
  EXPECT_EQ(nice_ticks(0, 3e6, 4).labels, (Texts{"0", "1e6", "2e6", "3e6"}));
  EXPECT_EQ(nice_ticks(-1.5e-7, 1e-7, 6).labels, (Texts{"−1.5e−7", "−1e−7", "−5e−8", "0", "5e−8", "1e−7"}));
  EXPECT_EQ(nice_ticks(1234567, 1234571, 3).labels, (Texts{"1.234568e6", "1.23457e6"}));
}

TEST(Ticks, ValuesAreTheDoublesOfTheirLabels) {
  for (const double v : nice_ticks(0, 1, 11).at) EXPECT_EQ(v, std::round(v * 10) / 10);  // 0.3, not 0.30000000000000004
}

// Ranges of every size and place.
TEST(Ticks, StepIsOneTwoOrFiveAndTicksLieInside) {
  const Random random(1, 0);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const double middle = random.normal(3 * i) * std::pow(10, std::floor(random.uniform(3 * i + 1) * 20 - 10));
    const double half = std::max(std::pow(10, random.uniform(3 * i + 2) * 18 - 9), std::abs(middle) * 1e-10);
    const double low = middle - half, high = middle + half;
    const int most = 2 + int(i % 12);
    const Ticks ticks = nice_ticks(low, high, most);
    ASSERT_FALSE(ticks.at.empty());
    ASSERT_EQ(ticks.at.size(), ticks.labels.size());
    EXPECT_LE(int(ticks.at.size()), most);
    const double power = std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
    const int factor = int(std::lround(ticks.step / power));
    EXPECT_TRUE(factor == 1 || factor == 2 || factor == 5) << ticks.step;
    EXPECT_NEAR(ticks.step / power, factor, 1e-9);
    // No coarser than needed: the next finer step gives too many.
    const double finer = ticks.step / (factor == 5 ? 2.5 : 2);
    EXPECT_GT(std::floor(high / finer + 1e-9) - std::ceil(low / finer - 1e-9) + 1, most);
    for (std::size_t k = 0; k < ticks.at.size(); ++k) {
      EXPECT_GE(ticks.at[k], low);
      EXPECT_LE(ticks.at[k], high);
      EXPECT_TRUE(k == 0 || ticks.labels[k] != ticks.labels[k - 1]) << low << " " << high;
    }
  }
}

TEST(Ticks, SurviveTheEndsOfTheDoubles) {
  for (const auto& [low, high] : {std::pair{-DBL_MAX, DBL_MAX},
                                  {DBL_MAX / 2, DBL_MAX},
                                  {0.0, DBL_MIN},
                                  {0.0, 5e-324},
                                  {1.0, 1.0},
                                  {1.0, std::nextafter(1.0, 2.0)},
                                  {-1e-310, 1e-310}}) {
    for (int most = 1; most < 8; ++most) {
      const Ticks ticks = nice_ticks(low, high, most);
      ASSERT_GE(ticks.at.size(), 1u);
      ASSERT_LE(ticks.at.size(), 8u);
      for (const double v : ticks.at) EXPECT_TRUE(std::isfinite(v));
    }
  }
}

TEST(Scale, MapsItsEndsToZeroAndOneEvenAtTheEndsOfTheDoubles) {
  EXPECT_EQ((Scale{2, 6}.fraction(3)), 0.25);
  const Scale widest{-DBL_MAX, DBL_MAX};
  EXPECT_EQ(widest.fraction(-DBL_MAX), 0);
  EXPECT_EQ(widest.fraction(0), 0.5);
  EXPECT_EQ(widest.fraction(DBL_MAX), 1);
}

TEST(Scale, PaddingGivesRoomAndASingleValueARange) {
  const Scale padded = padded_scale(0, 10, 0.05);
  EXPECT_EQ(padded.low, -0.5);
  EXPECT_EQ(padded.high, 10.5);
  for (const double v : {0.0, 3.0, -1e-300, 1e300, DBL_MAX, 5e-324}) {
    const Scale one = padded_scale(v, v, 0.05);
    EXPECT_LT(one.low, one.high) << v;
    EXPECT_TRUE(std::isfinite(one.low) && std::isfinite(one.high)) << v;
    EXPECT_GE(one.fraction(v), 0) << v;
    EXPECT_LE(one.fraction(v), 1) << v;
  }
}

}  // namespace
}  // namespace fewdim
