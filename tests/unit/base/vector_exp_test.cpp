#include "base/vector_exp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace fewdim {
namespace {

TEST(VectorExp, IsWithinTwoUnitsOfTheLastPlace) {
  std::vector<double> x;
  for (int i = 0; i <= 200'000; ++i) x.push_back(-707.9 + 1416.0 * i / 200'000.0);
  for (int i = -60; i < 0; ++i) x.push_back(std::ldexp(1.0, i)), x.push_back(-std::ldexp(1.0, i));
  std::vector<double> y = x;
  exp_in_place(y.data(), static_cast<Index>(y.size()));
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double truth = std::exp(static_cast<long double>(x[i]));
    worst = std::max(worst, static_cast<double>(std::abs(y[i] - truth) / truth));
  }
  EXPECT_LE(worst, 0x1p-51);  // two units in the last place
}

TEST(VectorExp, HasTheEndsAndNaN) {
  std::vector<double> x = {0.0, -0.0, -708.5, -1e308, -INFINITY, 709.5, INFINITY, NAN, 1.0};
  exp_in_place(x.data(), static_cast<Index>(x.size()));
  EXPECT_EQ(x[0], 1.0);
  EXPECT_EQ(x[1], 1.0);
  EXPECT_EQ(x[2], 0.0);
  EXPECT_EQ(x[3], 0.0);
  EXPECT_EQ(x[4], 0.0);
  EXPECT_EQ(x[5], INFINITY);
  EXPECT_EQ(x[6], INFINITY);
  EXPECT_TRUE(std::isnan(x[7]));
  EXPECT_NEAR(x[8], std::exp(1.0), 1e-15);
}

TEST(VectorExp, FloatsRoundOnce) {
  std::vector<float> x;
  for (int i = 0; i < 1000; ++i) x.push_back(-80.0f + 0.16f * static_cast<float>(i));
  std::vector<float> y = x;
  exp_in_place(y.data(), 1000);
  for (std::size_t i = 0; i < 1000; ++i)
    EXPECT_EQ(y[i], static_cast<float>(std::exp(static_cast<double>(x[i])))) << x[i];
}

}  // namespace
}  // namespace fewdim
