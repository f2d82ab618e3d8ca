// Shrinkage of singular values: the formulas of Gavish & Donoho, and what they promise of the error.

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "base/random.hpp"
#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

double shrink(double y, double beta, Shrinkage kind) { return shrunk_singular_value(y, beta, kind); }

TEST(Shrinkage, SquareTablesHaveClosedForms) {  // Gavish & Donoho 2017, section III; 2014, equation 4
  for (const double y : {2.001, 2.3, 3.0, 10.0}) {
    EXPECT_NEAR(shrink(y, 1.0, Shrinkage::frobenius), std::sqrt(y * y - 4.0), 1e-12);
    EXPECT_NEAR(shrink(y, 1.0, Shrinkage::operator_norm), (y + std::sqrt(y * y - 4.0)) / 2.0, 1e-12);
  }
  for (const Shrinkage kind : {Shrinkage::frobenius, Shrinkage::operator_norm, Shrinkage::nuclear})
    EXPECT_EQ(shrink(1.999, 1.0, kind), 0.0);
  const double threshold = 4.0 / std::sqrt(3.0);
  EXPECT_EQ(shrink(threshold - 1e-9, 1.0, Shrinkage::hard), 0.0);
  EXPECT_EQ(shrink(threshold + 1e-9, 1.0, Shrinkage::hard), threshold + 1e-9);
}

TEST(Shrinkage, LossesAreInTheirOrder) {  // a nuclear loss shrinks most, an operator loss least
  for (const double beta : {0.1, 0.5, 1.0})
    for (const double y : {2.1, 2.6, 4.0, 20.0}) {
      const double nuclear = shrink(y, beta, Shrinkage::nuclear), frobenius = shrink(y, beta, Shrinkage::frobenius),
                   spectral = shrink(y, beta, Shrinkage::operator_norm);
      EXPECT_LE(nuclear, frobenius);
      EXPECT_LE(frobenius, spectral);
      EXPECT_LT(spectral, y);
      if (y == 20.0) {
        EXPECT_NEAR(nuclear, y, 0.3);  // η(y) ~ y − O(1/y)
      }
    }
}

TEST(Shrinkage, EachIsTheLeastOfItsOwnLoss) {
  // x vuᵀ against η v̂ûᵀ is a 2×2 matter: with cosines c and c̃ it is diag(x,0) − η (c,s)(c̃,s̃)ᵀ.
  const double beta = 0.5, x = 1.7, x2 = x * x;
  const double y = std::sqrt((x + 1.0 / x) * (x + beta / x));
  const double c = std::sqrt((x2 * x2 - beta) / (x2 * x2 + beta * x2)),
               d = std::sqrt((x2 * x2 - beta) / (x2 * x2 + x2));
  Eigen::Vector2d left(c, std::sqrt(1 - c * c)), right(d, std::sqrt(1 - d * d));
  const auto loss = [&](double eta, Shrinkage kind) {
    Eigen::Matrix2d rest = -eta * left * right.transpose();
    rest(0, 0) += x;
    const Eigen::Vector2d values = Eigen::JacobiSVD<Eigen::Matrix2d>(rest).singularValues();
    return kind == Shrinkage::nuclear         ? values.sum()
           : kind == Shrinkage::operator_norm ? values[0]
                                              : values.squaredNorm();
  };
  for (const Shrinkage kind : {Shrinkage::frobenius, Shrinkage::operator_norm, Shrinkage::nuclear}) {
    const double eta = shrink(y, beta, kind), least = loss(eta, kind);
    for (double other = 0.0; other < 2.0 * y; other += 0.001) ASSERT_GE(loss(other, kind), least - 1e-12) << other;
  }
}

Matrix<double> normals(Index rows, Index cols, Seed seed) {
  Matrix<double> z(rows, cols);
  fill_normal<double>(seed, 0, z);
  return z;
}

/// Rank 5 with singular values 5, 4, 3, 2, 1.4 in units of σ√n.
struct Trial {
  Matrix<double> truth, noisy;
  Trial(Index rows, Index cols, double sigma, Seed seed) {
    const Matrix<double> left =
        Eigen::HouseholderQR<Matrix<double>>(normals(rows, 5, seed)).householderQ() * Matrix<double>::Identity(rows, 5);
    const Matrix<double> right = Eigen::HouseholderQR<Matrix<double>>(normals(cols, 5, seed + 1)).householderQ() *
                                 Matrix<double>::Identity(cols, 5);
    Vector<double> values(5);
    values << 5, 4, 3, 2, 1.4;
    values *= sigma * std::sqrt(static_cast<double>(std::max(rows, cols)));
    truth = left * values.asDiagonal() * right.transpose();
    noisy = truth + sigma * normals(rows, cols, seed + 2);
  }
};

TEST(Denoise, BeatsTheNoiseAndTheBestTruncationOnAverage) {
  double noise = 0.0, raw = 0.0, shrunk = 0.0, hard = 0.0, expected = 0.0, truncated[9] = {};
  constexpr int trials = 10;
  for (int t = 0; t < trials; ++t) {
    const Trial trial(100, 200, 0.3, 100 * static_cast<Seed>(t + 1));
    const Denoised found = denoise(trial.noisy);
    // Five signals on top make the median the 0.521 quantile of the 95 others: 2.7 % above their own for β = ½, where
    // the density of singular values is about 0.8. They lie 1.3 % apart, and the median moves by about that.
    EXPECT_NEAR(found.noise, 1.027 * 0.3, 0.04 * 0.3);  // three gaps
    noise += found.noise / trials;
    EXPECT_EQ(found.rank, 5);
    raw += (trial.noisy - trial.truth).squaredNorm();
    shrunk += (found.rows.matrix<double>() - trial.truth).squaredNorm();
    expected += found.expected_error * found.expected_error * 100.0 * 200.0;
    hard += (denoise(trial.noisy, {.shrinkage = Shrinkage::hard}).rows.matrix<double>() - trial.truth).squaredNorm();
    const Eigen::BDCSVD<Matrix<double>> svd(trial.noisy, Eigen::ComputeThinU | Eigen::ComputeThinV);
    for (Index k = 1; k <= 8; ++k)
      truncated[k] += (svd.matrixU().leftCols(k) * svd.singularValues().head(k).asDiagonal() *
                           svd.matrixV().leftCols(k).transpose() -
                       trial.truth)
                          .squaredNorm();
  }
  EXPECT_NEAR(noise, 1.027 * 0.3, 0.013 * 0.3);  // the same of ten
  EXPECT_LT(shrunk, 0.2 * raw);
  for (int k = 1; k <= 8; ++k) EXPECT_LT(shrunk, truncated[k]) << k;
  EXPECT_LT(shrunk, hard);
  EXPECT_NEAR(std::sqrt(expected / shrunk), 1.0, 0.05);  // asymptotic theory, at n = 200
}

TEST(Denoise, KnownNoiseTallTablesAndFloats) {
  const Trial trial(240, 60, 0.5, 7);
  const Denoised found = denoise(trial.noisy, {.noise = 0.5});
  EXPECT_EQ(found.noise, 0.5);
  const Matrix<double> turned = trial.noisy.transpose();
  const Denoised other = denoise(turned, {.noise = 0.5});
  EXPECT_LE(test::distance(found.rows.matrix<double>(), other.rows.matrix<double>().transpose()), 1e-9);
  const Matrix<float> single = trial.noisy.cast<float>();
  const Denoised in_float = denoise(single, {.noise = 0.5});
  EXPECT_EQ(in_float.rows.precision(), Precision::float32);
  EXPECT_LE(test::distance(found.rows.matrix<double>(), in_float.rows.matrix<double>()), 1e-4);
  const Csr<double> csr = test::to_csr(trial.noisy);
  EXPECT_LE(test::distance(found.rows.matrix<double>(), denoise(csr.view(), {.noise = 0.5}).rows.matrix<double>()),
            1e-9);
  for (const int threads : {2, 3})
    EXPECT_EQ(denoise(trial.noisy, {.noise = 0.5}, {.threads = threads}).rows.matrix<double>(),
              denoise(trial.noisy, {.noise = 0.5}, {.threads = 1}).rows.matrix<double>());
}

TEST(Denoise, NothingButNoiseIsNothing) {
  const Denoised found = denoise(normals(80, 120, 3));
  EXPECT_LE(found.rank, 1);  // the largest lies at the edge, and may be a hair above
  EXPECT_LE(found.rows.matrix<double>().norm(), 0.1 * normals(80, 120, 3).norm());
}

TEST(Denoise, SaysWhatIsWrong) {
  const Matrix<double> low = test::sample(40, 2) * test::sample(2, 30, 3);
  EXPECT_THROW(denoise(low), DataError);  // no noise: the median singular value is 0
  EXPECT_NO_THROW(denoise(low, {.noise = 0.1}));
  for (const double noise : {0.0, -1.0, double(INFINITY)})
    EXPECT_THROW(denoise(test::sample(40, 20), {.noise = noise}), InvalidOption);
  Matrix<double> holes = test::sample(20, 10);
  holes(3, 4) = std::nan("");
  EXPECT_THROW(denoise(holes), DataError);
  EXPECT_THROW(denoise(Dataset()), DataError);
  EXPECT_THROW(denoise(test::sample(40, 20), {}, {.memory_limit = 100}), OverMemory);
}

}  // namespace
}  // namespace fewdim
