#include "quality/choice/parallel_analysis.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "quality/choice/null_spectrum.hpp"
#include "unit/quality/low_rank.hpp"

namespace fewdim {
namespace {

TEST(NoiseSpectrum, CountsFallWithTheThreshold) {
  const NoiseSpectrum noise(100, 30, 1, 0);
  EXPECT_EQ(noise.count_above(0.0), 30);
  EXPECT_EQ(noise.count_above(100.0), 0);
  Index last = 30;
  for (double x = 0.0; x < 4.0; x += 0.1) {
    EXPECT_LE(noise.count_above(x), last);
    last = noise.count_above(x);
  }
}

// The same law as GᵀG/n: the mean of the largest eigenvalue over 400 draws of each, 60×20. Its deviation is about 0.11,
// so the difference of the two means has standard error 0.008; the bound is four of them.
TEST(NoiseSpectrum, LargestEigenvalueHasTheLawOfAWishart) {
  const Index n = 60, p = 20;
  const int draws = 400;
  double direct = 0.0, bidiagonal = 0.0;
  for (int r = 0; r < draws; ++r) {
    Matrix<double> g(n, p);
    fill_normal<double>(11, static_cast<std::uint32_t>(r * p), g);
    const Matrix<double> w = g.transpose() * g / static_cast<double>(n);
    direct += Eigen::SelfAdjointEigenSolver<Matrix<double>>(w, Eigen::EigenvaluesOnly).eigenvalues()[p - 1];
    const NoiseSpectrum noise(n, p, 12, static_cast<std::uint32_t>(r));
    double low = 0.0, high = 20.0;
    for (int step = 0; step < 40; ++step) {
      const double middle = 0.5 * (low + high);
      (noise.count_above(middle) > 0 ? low : high) = middle;
    }
    bidiagonal += low;
  }
  EXPECT_NEAR(direct / draws, bidiagonal / draws, 0.032);
}

// Trace: Σλ = ‖G‖²/n has mean p and deviation √(2p/n).
TEST(NoiseSpectrum, WideAndTallShareOneLaw) {
  const NoiseSpectrum tall(400, 50, 3, 0), wide(50, 400, 3, 0);
  // Both are BBᵀ of the same B; only the divisor differs.
  for (double x = 0.05; x < 4.0; x += 0.05) EXPECT_EQ(tall.count_above(x), wide.count_above(8.0 * x));
}

TEST(NoiseEdge, EqualVariancesGiveMarchenkoPastur) {
  const double root = 1.0 + std::sqrt(30.0 / 120.0);
  EXPECT_NEAR(noise_edge(Vector<double>::Constant(30, 2.0), 120), 2.0 * root * root, 1e-9);
}

TEST(NoiseEdge, UnequalVariancesBoundTheLargestEigenvalue) {
  // 200 columns, half of variance 1, half of 4, 800 rows: the largest eigenvalue is at the edge up to fluctuations of
  // relative size n^(-2/3) ≈ 1 %, here with a factor of 3 for safety.
  Vector<double> variances(200);
  for (Index j = 0; j < 200; ++j) variances[j] = j % 2 == 0 ? 1.0 : 4.0;
  Matrix<double> x(800, 200);
  fill_normal<double>(9, 0, x);
  for (Index j = 0; j < 200; ++j) x.col(j) *= std::sqrt(variances[j]);
  const Matrix<double> s = x.transpose() * x / 800.0;
  const double largest = Eigen::SelfAdjointEigenSolver<Matrix<double>>(s, Eigen::EigenvaluesOnly).eigenvalues()[199];
  EXPECT_NEAR(largest / noise_edge(variances, 800), 1.0, 0.03);
}

TEST(NoiseEdge, NothingVaries) { EXPECT_EQ(noise_edge(Vector<double>::Zero(3), 10), 0.0); }

TEST(ShuffledSpectrum, KeepsTheTotalAndLosesTheStructure) {
  const Matrix<double> x = low_rank_plus_noise(80, 60, 2, 4.0, 3);
  const SecondMoments moments = second_moments(x, {}, {});
  const SampleSpectrum spectrum = whole_spectrum(moments);
  const Vector<double> shuffled = shuffled_spectrum(x, moments, 0, 0);
  EXPECT_NEAR(shuffled.sum(), spectrum.total(), 1e-10 * spectrum.total());  // each column keeps its variance
  EXPECT_LT(shuffled[0], 0.5 * spectrum.values[0]);
  EXPECT_NE(shuffled, shuffled_spectrum(x, moments, 0, 1));
  EXPECT_NE(shuffled, shuffled_spectrum(x, moments, 1, 0));
  EXPECT_EQ(shuffled, shuffled_spectrum(x, moments, 0, 0));
}

TEST(ParallelAnalysis, PermutationsUpToABudget) {
  EXPECT_EQ(affordable_permutations(1797, 64, {}), 99);
  EXPECT_EQ(affordable_permutations(400, 4096, {}), 19);  // 400²·4096 + 4·400³ = 9·10⁸ each
  EXPECT_EQ(affordable_permutations(60000, 784, {}), 0);
  Execution little;
  little.memory_limit = 1 << 20;
  EXPECT_EQ(affordable_permutations(1797, 64, little), 0);
}

// The three nulls agree where the signal is clear.
TEST(ParallelAnalysis, NullsAgree) {
  const Matrix<double> x = low_rank_plus_noise(300, 40, 3, 3.0, 8);
  Execution little;
  little.memory_limit = 1 << 20;  // no permutations
  for (const bool scale : {false, true}) {
    const SecondMoments moments = second_moments(x, {.scale = scale}, {});
    const SampleSpectrum spectrum = whole_spectrum(moments);
    const KAdvice permuted = parallel_advice(x, moments, spectrum, 0, {});
    const KAdvice modeled = parallel_advice(x, moments, spectrum, 0, little);
    EXPECT_EQ(permuted.k, 3);
    EXPECT_EQ(permuted.sentence, "3 components exceed the 95th percentile of 99 permutations of the columns");
    EXPECT_EQ(modeled.k, 3);
    EXPECT_NE(modeled.sentence.find(scale ? "99 spectra of independent normal columns" : "upper edge"),
              std::string::npos)
        << modeled.sentence;
  }
}

// On noise alone the first component is kept with probability 0.05: of 60 data sets at most 8 (P = 0.006 for more).
TEST(ParallelAnalysis, LevelIsFivePercent) {
  int kept = 0;
  for (Seed seed = 0; seed < 60; ++seed) {
    const Matrix<double> x = low_rank_plus_noise(40, 5, 0, 0.0, 100 + seed);
    const SecondMoments moments = second_moments(x, {}, {});
    kept += parallel_advice(x, moments, whole_spectrum(moments), seed, {}).k > 0;
  }
  EXPECT_LE(kept, 8);
}

}  // namespace
}  // namespace fewdim
