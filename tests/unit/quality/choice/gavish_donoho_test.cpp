#include <gtest/gtest.h>

#include <cmath>

#include "quality/choice/criteria.hpp"

namespace fewdim {
namespace {

// Gavish & Donoho 2014: "4/sqrt(3) when the noise is known, 2.858 times the median when it is not", square matrices.
TEST(GavishDonoho, PublishedFiguresForSquareMatrices) {
  EXPECT_NEAR(hard_threshold(1.0), 4.0 / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(hard_threshold_to_median(1.0), 2.858, 5e-4);
}

// Medians from scipy 1.10.1: integrate.quad of the density and optimize.brentq, absolute tolerance 1e-13.
TEST(GavishDonoho, MarchenkoPasturMedian) {
  EXPECT_NEAR(marchenko_pastur_median(0.05), 0.983308303392419, 1e-10);
  EXPECT_NEAR(marchenko_pastur_median(0.1), 0.9665651474028225, 1e-10);
  EXPECT_NEAR(marchenko_pastur_median(0.25), 0.9160040706866088, 1e-10);
  EXPECT_NEAR(marchenko_pastur_median(0.5), 0.8304658815813634, 1e-10);
  EXPECT_NEAR(marchenko_pastur_median(0.9), 0.6892220983540926, 1e-10);
}

TEST(GavishDonoho, MedianGoesToOneForLongMatrices) {
  // The law's median is 1 - β/3 + O(β²).
  for (const double beta : {1e-3, 1e-5, 1e-7, 1e-12})
    EXPECT_NEAR(marchenko_pastur_median(beta), 1.0 - beta / 3.0, 1e-8 + beta * beta);
}

TEST(GavishDonoho, ClosedFormIsNearTheAuthorsCubic) {
  // Gavish & Donoho 2014 give ω(β) ≈ 0.56β³ − 0.95β² + 1.82β + 1.43; scipy puts its error below 0.02.
  for (double beta = 0.05; beta < 1.0; beta += 0.05)
    EXPECT_NEAR(hard_threshold_to_median(beta), ((0.56 * beta - 0.95) * beta + 1.82) * beta + 1.43, 0.02);
}

TEST(GavishDonoho, CountsAboveTheMedianTimesOmega) {
  Vector<double> values(5);
  values << 100.0, 2.859, 1.0, 1.0, 0.5;  // ω(1) = 2.8582, the median is 1
  EXPECT_EQ(denoising_rank(values, 5, 5), 2);
  values[1] = 2.857;
  EXPECT_EQ(denoising_rank(values, 5, 5), 1);
  EXPECT_EQ(denoising_rank(Vector<double>(), 0, 0), -1);
}

TEST(GavishDonoho, RankBelowHalfShowsNoNoise) {
  SampleSpectrum spectrum{.values = Vector<double>::Zero(6), .rows = 20, .cols = 6};
  spectrum.values.head(3) << 3.0, 2.0, 1.0;
  const KAdvice advice = gavish_donoho_advice(spectrum);
  EXPECT_EQ(advice.k, -1);
  EXPECT_NE(advice.sentence.find("rank is 3 of 6"), std::string::npos) << advice.sentence;
  EXPECT_EQ(denoising_rank(Vector<double>::Zero(4), 4, 4), -1);
}

}  // namespace
}  // namespace fewdim
