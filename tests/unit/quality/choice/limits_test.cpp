#include "quality/choice/limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "quality/choice/distributions.hpp"

namespace fewdim {
namespace {

// scipy 1.10.1: stats.chi2.ppf, stats.f.ppf.
TEST(Distributions, QuantilesEqualScipys) {
  EXPECT_NEAR(chi_squared_quantile(0.95, 3.0), 7.814727903251179, 1e-12);
  EXPECT_NEAR(chi_squared_quantile(0.99, 2.5), 10.311244391741496, 1e-12);
  EXPECT_NEAR(chi_squared_quantile(0.95, 1000.0), 1074.679448803441, 1e-9);
  EXPECT_NEAR(f_quantile(0.95, 2.0, 28.0), 3.340385558237759, 1e-12);
  EXPECT_NEAR(f_quantile(0.99, 5.0, 7.0), 7.460435492989262, 1e-12);
}

// k(N²−1)/(N(N−k)) · stats.f.ppf(confidence, k, N−k), scipy 1.10.1.
TEST(T2Limit, Formula) {
  EXPECT_NEAR(t2_limit(30, 2, 0.95), 7.150015754418441, 1e-11);
  EXPECT_NEAR(t2_limit(150, 3, 0.99), 11.992293327016007, 1e-11);
  EXPECT_NEAR(t2_limit(6, 5, 0.95) / 6713.0547782114345, 1.0, 1e-11);
}

TEST(T2Limit, ManyRowsGiveTheChiSquared) {
  EXPECT_NEAR(t2_limit(100'000'000, 3, 0.95), chi_squared_quantile(0.95, 3.0), 1e-5);
}

TEST(T2Limit, TooFewRowsHaveNoLimit) {
  EXPECT_EQ(t2_limit(5, 5, 0.95), 0.0);
  EXPECT_EQ(t2_limit(4, 5, 0.95), 0.0);
  EXPECT_EQ(t2_limit(1, 1, 0.95), 0.0);
  EXPECT_EQ(t2_limit(5, 0, 0.95), 0.0);
}

// θ2/θ1 · stats.chi2.ppf(confidence, θ1²/θ2), scipy 1.10.1; iris beyond its first component.
TEST(SpeLimit, BoxFormula) {
  Vector<double> tail(3);
  tail << 0.242670748, 0.078209500, 0.023835093;
  const auto limits = distance_limits(tail.sum(), tail.squaredNorm(), 150, 1);
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0].confidence, 0.95);
  EXPECT_NEAR(limits[0].spe, 1.069484587197208, 1e-10);
  EXPECT_EQ(limits[1].confidence, 0.99);
  EXPECT_NEAR(limits[1].spe, 1.668912830235646, 1e-10);
  EXPECT_EQ(limits[0].t2, t2_limit(150, 1, 0.95));
}

// Jackson & Mudholkar 1979: θ1 (1 + z √(2θ2h0²)/θ1 + θ2h0(h0−1)/θ1²)^{1/h0}, h0 = 1 − 2θ1θ3/3θ2². Both approximate the
// same law; for ten eigenvalues of one size they differ by 1 % at 95 % and 3.5 % at 99 %.
TEST(SpeLimit, NearJacksonAndMudholkar) {
  Vector<double> tail(10);
  tail << 0.7, 0.6, 0.5, 0.4, 0.4, 0.3, 0.2, 0.2, 0.1, 0.1;
  const double t1 = tail.sum(), t2 = tail.squaredNorm(), t3 = tail.array().cube().sum();
  const double h0 = 1.0 - 2.0 * t1 * t3 / (3.0 * t2 * t2);
  const auto jackson = [&](double z) {
    return t1 * std::pow(1.0 + z * std::sqrt(2.0 * t2 * h0 * h0) / t1 + t2 * h0 * (h0 - 1.0) / (t1 * t1), 1.0 / h0);
  };
  EXPECT_NEAR(spe_limit(t1, t2, 0.95) / jackson(1.6448536269514722), 1.0, 0.015);
  EXPECT_NEAR(spe_limit(t1, t2, 0.99) / jackson(2.3263478740408408), 1.0, 0.04);
}

TEST(SpeLimit, CoversTheShareItNames) {
  Vector<double> tail(10);
  tail << 0.7, 0.6, 0.5, 0.4, 0.4, 0.3, 0.2, 0.2, 0.1, 0.1;
  const double limit = spe_limit(tail.sum(), tail.squaredNorm(), 0.95);
  const Random random(3, 0);
  const int n = 20000;
  int inside = 0;
  for (int i = 0; i < n; ++i) {
    double spe = 0.0;
    for (Index j = 0; j < 10; ++j) {
      const double z = random.normal(static_cast<std::uint64_t>(i * 10 + j));
      spe += tail[j] * z * z;
    }
    inside += spe <= limit;
  }
  // Four standard errors of a share of .95 are .0062; Box's approximation is within .001 here.
  EXPECT_NEAR(inside / static_cast<double>(n), 0.95, 0.0072);
}

TEST(SpeLimit, NothingLeftOffThePlane) {
  EXPECT_EQ(distance_limits(0.0, 0.0, 10, 2)[0].spe, 0.0);
  EXPECT_GT(distance_limits(0.0, 0.0, 10, 2)[0].t2, 0.0);
}

}  // namespace
}  // namespace fewdim
