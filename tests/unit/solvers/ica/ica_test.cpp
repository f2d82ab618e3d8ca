#include "solvers/ica/ica.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "fewdim/ica.hpp"
#include "solvers/ica/kernels.hpp"
#include "support/sources.hpp"

namespace fewdim {
namespace {

constexpr IcaContrast every_contrast[] = {IcaContrast::logcosh, IcaContrast::exp, IcaContrast::cube};

double g(IcaContrast contrast, double y) {
  if (contrast == IcaContrast::logcosh) return std::tanh(y);
  return contrast == IcaContrast::exp ? y * std::exp(-0.5 * y * y) : y * y * y;
}
double slope(IcaContrast contrast, double y) {
  if (contrast == IcaContrast::logcosh) return 1.0 - std::tanh(y) * std::tanh(y);
  return contrast == IcaContrast::exp ? (1.0 - y * y) * std::exp(-0.5 * y * y) : 3.0 * y * y;
}
double value(IcaContrast contrast, double y) {
  if (contrast == IcaContrast::logcosh) return std::abs(y) + std::log1p(std::exp(-2.0 * std::abs(y))) - std::log(2.0);
  return contrast == IcaContrast::exp ? -std::exp(-0.5 * y * y) : 0.25 * y * y * y * y;
}

template <class T>
void expect_contrast(IcaContrast contrast, double rounding) {
  for (const Index count : {16, 64, 1024}) {
    std::vector<T> y(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i)
      y[static_cast<std::size_t>(i)] = i < 8 ? T(i == 0   ? 0.0
                                                 : i == 1 ? -400.0
                                                 : i == 2 ? 1e-9
                                                          : 30.0)
                                             : static_cast<T>(std::sin(0.7 * double(i)) * 5);
    if (contrast == IcaContrast::cube) y[1] = T(-4), y[3] = T(4);
    const std::vector<T> given = y;
    const ContrastSums sums = contrast_in_place(contrast, y.data(), count);
    long double slopes = 0.0, values = 0.0, size = 0.0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto x = static_cast<double>(given[i]);
      EXPECT_NEAR(static_cast<double>(y[i]), g(contrast, x), rounding * std::max(1.0, std::abs(g(contrast, x)))) << x;
      slopes += slope(contrast, x), values += value(contrast, x);
      size += std::abs(slope(contrast, x)) + std::abs(value(contrast, x));
    }
    // A lane adds an eighth of them, with half a unit of rounding each.
    const double allowed = rounding * (1.0 + static_cast<double>(count) / 64.0) * static_cast<double>(size);
    EXPECT_NEAR(sums.slope, static_cast<double>(slopes), allowed);
    EXPECT_NEAR(sums.value, static_cast<double>(values), allowed);
  }
}

// 4 units in the last place: the exponential has 2, the division and the sums one more each.
TEST(Ica, ContrastsAreTheirFormulas) {
  for (const IcaContrast contrast : every_contrast) {
    expect_contrast<double>(contrast, 4 * 2.3e-16);
    expect_contrast<float>(contrast, 4 * 1.2e-7);
  }
}

TEST(Ica, ZerosAddWhatIsTakenOff) {
  for (const IcaContrast contrast : every_contrast) {
    EXPECT_EQ(contrast_at_zero(contrast).slope, slope(contrast, 0.0));
    EXPECT_EQ(contrast_at_zero(contrast).value, value(contrast, 0.0));
  }
}

template <class T>
WhiteTiles<T> whitened(const Matrix<double>& x, const Execution& exec = {}) {
  const RowMatrix<T> rows = x.cast<T>();
  WhiteTiles<T> z(DenseView<T>{rows.data(), rows.rows(), rows.cols(), rows.cols(), 1}, exec);
  z.whiten(exec);
  return z;
}

Matrix<double> as_matrix(const WhiteTiles<double>& z) {
  Matrix<double> out(z.rows(), z.cols());
  for (Index i = 0; i < z.rows(); ++i)
    for (Index c = 0; c < z.cols(); ++c) out(i, c) = z.tile(i / z.tile_rows())[c * z.tile_rows() + i % z.tile_rows()];
  return out;
}

TEST(Ica, WhiteRowsAreWhite) {
  const WhiteTiles<double> z = whitened<double>(test::sources(3001, 5) * test::mixing(5, 5));
  const Matrix<double> rows = as_matrix(z);
  const Matrix<double> covariance = rows.transpose() * rows / 3001.0;
  EXPECT_LE((covariance - Matrix<double>::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Ica, MomentsAreMeansOverTheRows) {
  const WhiteTiles<double> z = whitened<double>(test::sources(2777, 7));  // the last tile is not full
  const Matrix<double> rows = as_matrix(z), w = random_rotation(7, 3), y = rows * w.transpose();
  for (const IcaContrast contrast : every_contrast) {
    const ContrastMoments moments = contrast_moments(z, w, contrast, {});
    const Matrix<double> image = y.unaryExpr([&](double x) { return g(contrast, x); });
    const double size = image.cwiseAbs().maxCoeff();
    EXPECT_LE((moments.cross - image.transpose() * rows / 2777.0).cwiseAbs().maxCoeff(), 1e-14 * size);
    for (Index c = 0; c < 7; ++c) {
      EXPECT_NEAR(moments.slope[c], y.col(c).unaryExpr([&](double x) { return slope(contrast, x); }).mean(),
                  1e-14 * size);
      EXPECT_NEAR(moments.value[c], y.col(c).unaryExpr([&](double x) { return value(contrast, x); }).mean(),
                  1e-14 * size);
    }
  }
}

// The residual is the derivative of the loss Σ s_i E[G(y_i)] along a rotation in the plane (i, j), halved.
TEST(Ica, ResidualsAreTheGradientAmongRotations) {
  const WhiteTiles<double> z = whitened<double>(test::sources(2000, 4));
  const RotationState at =
      rotation_state(random_rotation(4, 5), contrast_moments(z, random_rotation(4, 5), IcaContrast::logcosh, {}));
  const auto loss = [&](Index i, Index j, double angle) {
    Matrix<double> w = at.w;
    w.row(i) = std::cos(angle) * at.w.row(i) + std::sin(angle) * at.w.row(j);
    w.row(j) = std::cos(angle) * at.w.row(j) - std::sin(angle) * at.w.row(i);
    return at.signs.dot(contrast_moments(z, w, IcaContrast::logcosh, {}).value);
  };
  constexpr double step = 1e-5;  // the error of a central difference is step² = 1e-10, its rounding 1e-11
  for (Index i = 0; i < 4; ++i) {
    double most = 0.0;
    for (Index j = 0; j < 4; ++j)
      if (i != j) most = std::max(most, std::abs(loss(i, j, step) - loss(i, j, -step)) / (2.0 * step) / 2.0);
    EXPECT_NEAR(at.residuals[i], most, 1e-9);
  }
}

TEST(Ica, NearestRotationIsOrthogonalAndNear) {
  const Matrix<double> w = random_rotation(9, 1);
  EXPECT_LE((w * w.transpose() - Matrix<double>::Identity(9, 9)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((nearest_rotation(2.0 * w) - w).cwiseAbs().maxCoeff(), 1e-14);
}

struct Way {
  IcaAlgorithm algorithm;
  IcaContrast contrast = IcaContrast::logcosh;
};
const Way every_way[] = {{IcaAlgorithm::automatic},
                         {IcaAlgorithm::fastica},
                         {IcaAlgorithm::fastica, IcaContrast::exp},
                         {IcaAlgorithm::fastica, IcaContrast::cube},
                         {IcaAlgorithm::deflation},
                         {IcaAlgorithm::deflation, IcaContrast::cube},
                         {IcaAlgorithm::picard},
                         {IcaAlgorithm::picard_o},
                         {IcaAlgorithm::picard_o, IcaContrast::exp},
                         {IcaAlgorithm::picard_o, IcaContrast::cube},
                         {IcaAlgorithm::jade}};

// The error of a gain's entry is about √(variance/N), variance below 5 for these sources (Hyvärinen & Oja 2000): an
// index of √(5·5/10,000) = 0.05 for logcosh and exp; kurtosis of cubed normals has a larger one.
TEST(Ica, EveryWayRecoversItsSources) {
  const Matrix<double> s = test::sources(10'000, 6);
  const WhiteTiles<double> z = whitened<double>(s * test::mixing(6, 6));
  const Matrix<double> rows = as_matrix(z);
  for (const Way& way : every_way) {
    const IcaResult found = separate(z, {.algorithm = way.algorithm, .contrast = way.contrast}, {});
    EXPECT_LE(found.residuals.maxCoeff(), 1e-7) << int(way.algorithm) << ' ' << int(way.contrast);
    const Matrix<double> y = rows * found.w.transpose();
    const bool kurtosis = way.contrast == IcaContrast::cube || way.algorithm == IcaAlgorithm::jade;
    EXPECT_LE(minimum_distance_index(source_gain(y, s)), kurtosis ? 0.15 : 0.05)
        << int(way.algorithm) << ' ' << int(way.contrast);
  }
}

TEST(Ica, SameBitsAtAnyThreads) {
  const Matrix<double> x = test::sources(5000, 5) * test::mixing(5, 5);
  for (const Way& way : every_way) {
    const IcaRequest request{.algorithm = way.algorithm, .contrast = way.contrast, .tolerance = 1e-5};
    const Matrix<double> w = separate(whitened<double>(x, {.threads = 1}), request, {.threads = 1}).w;
    const Matrix<double> single = separate(whitened<float>(x, {.threads = 1}), request, {.threads = 1}).w;
    for (const int threads : {2, 3}) {
      const Execution exec{.threads = threads};
      EXPECT_EQ(separate(whitened<double>(x, exec), request, exec).w, w);
      EXPECT_EQ(separate(whitened<float>(x, exec), request, exec).w, single);
    }
    // float32 has the gradient to 1e-6, which a curvature of 0.1 makes an angle of 1e-5; signs and order may differ.
    const Matrix<double> turn = (single * w.inverse()).cwiseAbs();
    EXPECT_LE(minimum_distance_index(turn), 1e-3);
  }
}

TEST(Ica, PicardGoesOnWhereFixedPointsDoNot) {
  const WhiteTiles<double> z = whitened<double>(test::sources(300, 6, 6));  // all Gaussian: nothing holds
  const IcaRequest request{.iterations = 2000};
  const IcaResult found = separate(z, request, {});
  EXPECT_LE(found.residuals.maxCoeff(), request.tolerance);
}

TEST(Ica, StopsAtItsIterations) {
  const WhiteTiles<double> z = whitened<double>(test::sources(500, 4) * test::mixing(4, 4));
  for (const Way& way : every_way) {
    const IcaResult found = separate(z, {.algorithm = way.algorithm, .contrast = way.contrast, .iterations = 1}, {});
    EXPECT_LE(found.iterations, way.algorithm == IcaAlgorithm::deflation ? 3 : 1);
  }
}

TEST(IcaIndex, IsZeroForScaledPermutationsAlone) {
  Matrix<double> permutation = Matrix<double>::Zero(4, 4);
  permutation(0, 2) = -3.0, permutation(1, 0) = 0.5, permutation(2, 3) = 1.0, permutation(3, 1) = 7.0;
  EXPECT_NEAR(amari_index(permutation), 0.0, 1e-15);
  EXPECT_NEAR(minimum_distance_index(permutation), 0.0, 1e-7);  // a root of rounding
  EXPECT_NEAR(amari_index(Matrix<double>::Ones(5, 5)), 1.0, 1e-15);
  EXPECT_NEAR(minimum_distance_index(Matrix<double>::Ones(5, 5)), 1.0, 1e-15);
  EXPECT_EQ(amari_index(Matrix<double>::Ones(1, 1)), 0.0);
  EXPECT_EQ(minimum_distance_index(Matrix<double>::Ones(1, 1)), 0.0);
}

// [1 a; 0 1]: the first row leaves 1 − 1/(1+a²) of its unit vector; over k − 1 = 1. Amari: ((a) + (a))/(2·2·1).
TEST(IcaIndex, OfAShearIsByHand) {
  Matrix<double> shear(2, 2);
  shear << 1.0, 0.1, 0.0, 1.0;
  EXPECT_NEAR(minimum_distance_index(shear), std::sqrt(1.0 - 1.0 / 1.01), 1e-12);
  EXPECT_NEAR(amari_index(shear), 0.2 / 4.0, 1e-15);
}

// The assignment that is best in all takes no row's largest entry: .9 + .5 beats .8 + .5.
TEST(IcaIndex, TakesTheBestOrderOfAll) {
  Matrix<double> shares(2, 2);
  shares << 0.9, 0.8, 0.8, 0.1;
  const Matrix<double> gain = shares.cwiseSqrt();
  Matrix<double> unit = shares;
  for (Index i = 0; i < 2; ++i) unit.row(i) /= unit.row(i).sum();
  const double best = std::max(unit(0, 0) + unit(1, 1), unit(0, 1) + unit(1, 0));
  EXPECT_NEAR(minimum_distance_index(gain), std::sqrt(2.0 - best), 1e-12);
}

TEST(IcaIndex, RefusesWhatIsNoGain) {
  EXPECT_THROW(amari_index(Matrix<double>(0, 0)), DataError);
  EXPECT_THROW(amari_index(Matrix<double>::Ones(2, 3)), DataError);
  EXPECT_THROW(minimum_distance_index(Matrix<double>::Zero(2, 2)), DataError);
  EXPECT_THROW(minimum_distance_index(Matrix<double>::Constant(2, 2, NAN)), DataError);
  EXPECT_THROW(source_gain(Matrix<double>(3, 2), Matrix<double>(4, 2)), DataError);
  EXPECT_THROW(source_gain(Matrix<double>::Ones(2, 2), Matrix<double>::Ones(2, 2)), DataError);
}

}  // namespace
}  // namespace fewdim
