#include "solvers/stress/monotone_regression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace fewdim {
namespace {

/// The minimax formula (Robertson, Wright & Dykstra 1988, ch. 1): z_i = max over a ≤ i of min over b ≥ i of the mean of
/// y_a .. y_b. Quadratic, and shares nothing with pooling.
std::vector<double> minimax(const std::vector<double>& y, const std::vector<double>& w) {
  const auto n = y.size();
  std::vector<double> z(n, -INFINITY);
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<double> means(n);
    double sum = 0.0, weight = 0.0;
    for (std::size_t b = a; b < n; ++b) {
      sum += w[b] * y[b];
      weight += w[b];
      means[b] = sum / weight;
    }
    double least = INFINITY;
    for (std::size_t i = n; i-- > a;) {
      least = std::min(least, means[i]);
      z[i] = std::max(z[i], least);
    }
  }
  return z;
}

TEST(MonotoneRegression, IsTheMinimaxFormula) {
  for (std::uint32_t trial = 0; trial < 60; ++trial) {
    const Random random(7, trial);
    const std::size_t n = 1 + random.below(0, 60);
    std::vector<double> y(n), w(n), ones(n, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = random.normal(10 + i) + (trial % 3 == 0 ? 0.05 * static_cast<double>(i) : 0.0);
      if (trial % 4 == 1) y[i] = std::round(2.0 * y[i]);  // equal neighbors
      w[i] = 0.1 + random.uniform(1000 + i);
    }
    const auto weighted = monotone_regression(y, w), plain = monotone_regression(y);
    const auto truth = minimax(y, w), plain_truth = minimax(y, ones);
    ASSERT_EQ(weighted.size(), n);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(weighted[i], truth[i], 1e-13) << trial << " " << i;  // sums of at most 60 numbers of size 1 to 5
      EXPECT_NEAR(plain[i], plain_truth[i], 1e-13) << trial << " " << i;
      if (i > 0) {
        EXPECT_GE(plain[i], plain[i - 1]);
      }
    }
  }
}

TEST(MonotoneRegression, LeavesWhatRisesAlone) {
  const std::vector<double> y{-1.0, 0.1, 0.1, 0.3, 1e300};
  EXPECT_EQ(monotone_regression(y), y);
  EXPECT_TRUE(monotone_regression({}).empty());
  EXPECT_EQ(monotone_regression(std::vector<double>{3.0}), std::vector<double>{3.0});
}

TEST(MonotoneRegression, WhatFallsBecomesItsMean) {
  EXPECT_EQ(monotone_regression(std::vector<double>{3.0, 2.0, 1.0}), (std::vector<double>{2.0, 2.0, 2.0}));
  const std::vector<double> y{4.0, 0.0}, w{3.0, 1.0};
  EXPECT_EQ(monotone_regression(y, w), (std::vector<double>{3.0, 3.0}));
  // By hand: 1 3 2 4 3 5 pools (3 2) and (4 3).
  EXPECT_EQ(monotone_regression(std::vector<double>{1, 3, 2, 4, 3, 5}),
            (std::vector<double>{1, 2.5, 2.5, 3.5, 3.5, 5}));
}

TEST(MonotoneRegression, WeightsMustBeAsMany) {
  const std::vector<double> y{1.0, 2.0}, w{1.0};
  EXPECT_ANY_THROW(monotone_regression(y, w));
}

}  // namespace
}  // namespace fewdim
