#include "solvers/factors/factor_ml.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "base/random.hpp"
#include "solvers/factors/factor_likelihood.hpp"
#include "solvers/factors/rotation.hpp"

namespace fewdim {
namespace {

/// A correlation matrix that k factors explain exactly.
Matrix<double> exact_correlation(Index d, Index k, Vector<double>& uniquenesses) {
  Matrix<double> loadings(d, k);
  fill_normal<double>(11, 0, loadings);
  uniquenesses.resize(d);
  for (Index j = 0; j < d; ++j) {
    uniquenesses[j] = 0.2 + 0.6 * static_cast<double>(j) / static_cast<double>(d);
    loadings.row(j) *= std::sqrt(1.0 - uniquenesses[j]) / loadings.row(j).norm();
  }
  Matrix<double> s = loadings * loadings.transpose();
  s.diagonal().setOnes();
  return s;
}

TEST(FactorMl, FindsTheFactorsThatMadeACorrelation) {
  for (const Index k : {1, 2, 4}) {
    Vector<double> uniquenesses;
    const Matrix<double> s = exact_correlation(12, k, uniquenesses);
    const FactorMl fit = factor_ml(s, k, {.tolerance = 1e-12}, {});
    EXPECT_TRUE(fit.converged) << k;
    EXPECT_LE(fit.iterations, 30) << k;
    EXPECT_LE(fit.discrepancy, 1e-14) << k;
    EXPECT_LE((fit.uniquenesses - uniquenesses).cwiseAbs().maxCoeff(), 1e-6) << k;
    Matrix<double> implied = fit.loadings * fit.loadings.transpose();
    implied.diagonal() += fit.uniquenesses;
    EXPECT_LE((implied - s).cwiseAbs().maxCoeff(), 1e-7) << k;
  }
}

TEST(FactorMl, LoadingsAreCanonical) {  // LᵀΨ⁻¹L is diagonal and falls
  Vector<double> uniquenesses;
  Matrix<double> s = exact_correlation(10, 3, uniquenesses);
  for (Index j = 1; j < 10; ++j) s(j, j - 1) = s(j - 1, j) = s(j, j - 1) + 0.03;  // no longer exact
  const FactorMl fit = factor_ml(s, 3, {}, {});
  EXPECT_GT(fit.discrepancy, 1e-4);
  const Matrix<double> g = fit.loadings.transpose() * fit.uniquenesses.cwiseInverse().asDiagonal() * fit.loadings;
  for (Index a = 0; a < 3; ++a)
    for (Index b = 0; b < a; ++b) {
      EXPECT_LE(std::abs(g(a, b)), 1e-10 * g(0, 0));
      EXPECT_GE(g(b, b), g(a, a));
    }
  // At the maximum diag(LLᵀ + Ψ) = diag S (Jöreskog 1967).
  EXPECT_LE((fit.loadings.rowwise().squaredNorm() + fit.uniquenesses - Vector<double>::Ones(10)).cwiseAbs().maxCoeff(),
            1e-6);
}

TEST(FactorMl, StopsAtTheLeastUniqueness) {
  Matrix<double> s = Matrix<double>::Constant(4, 4, 0.5);
  s.diagonal().setOnes();
  s.row(0).tail(3).setConstant(0.8);  // 0.8²/0.5 = 1.28 > 1: no proper solution with one factor
  s.col(0).tail(3).setConstant(0.8);
  const FactorMl fit = factor_ml(s, 1, {.least_uniqueness = 0.01}, {});
  EXPECT_TRUE(fit.converged);
  // The others leave 1 − 0.8²·3/(1 + 2·0.5) = 0.04 of it, a tenth of 0.4: so is the bound.
  EXPECT_NEAR(fit.least[0], 0.001, 1e-12);
  EXPECT_NEAR(fit.uniquenesses[0], 0.001, 1e-12);
  EXPECT_NEAR(fit.least[1], 0.01 * (2.0 / 11.0) / 0.4, 1e-12);  // 1 − R² = 2/11
}

/// Differences of F and of its gradient, of a point where nothing is special.
TEST(FactorLikelihood, DerivativesAreThoseOfTheDiscrepancy) {
  Vector<double> uniquenesses;
  Matrix<double> s = exact_correlation(9, 3, uniquenesses);
  for (Index j = 1; j < 9; ++j) s(j, j - 1) = s(j - 1, j) = s(j, j - 1) + 0.04;
  const Matrix<double> inverse = s.inverse();
  Vector<double> x = uniquenesses.array().log().matrix();
  for (Index j = 0; j < 9; ++j) x[j] += 0.2 * std::sin(static_cast<double>(j));
  const FactorPoint at = factor_point(inverse, x, 3);
  const Matrix<double> h = factor_curvature(at, 3);
  constexpr double kStep = 1e-5;
  for (Index j = 0; j < 9; ++j) {
    Vector<double> up = x, down = x;
    up[j] += kStep;
    down[j] -= kStep;
    const FactorPoint a = factor_point(inverse, up, 3), b = factor_point(inverse, down, 3);
    // Differences are good to the step squared, 1e-10, times third derivatives of about 1.
    EXPECT_NEAR((a.value - b.value) / (2.0 * kStep), at.gradient[j], 1e-8);
    EXPECT_LE(((a.gradient - b.gradient) / (2.0 * kStep) - h.col(j)).cwiseAbs().maxCoeff(), 1e-7);
  }
  // Σ_{m>k}(θ − log θ − 1) is log|Σ| + tr(SΣ⁻¹) − log|S| − D of the loadings.
  const Matrix<double> loadings = factor_loadings(at, 3);
  Matrix<double> sigma = loadings * loadings.transpose();
  sigma.diagonal() += x.array().exp().matrix();
  EXPECT_NEAR(std::log(sigma.determinant()) + (s * sigma.inverse()).trace() - std::log(s.determinant()) - 9.0, at.value,
              1e-10);
}

/// One factor that is a pair's own, or another pair's: Jöreskog's start ends at the worse one of data like these.
TEST(FactorMl, SeveralStartsFindTheBetterMaximum) {
  Matrix<double> s = Matrix<double>::Identity(10, 10);  // diabetes of Efron et al. (2004), to three digits
  const double upper[45] = {0.174, 0.185,  0.335,  0.260,  0.219,  -0.075, 0.204, 0.271, 0.302,  0.088, 0.241, 0.035,
                            0.143, -0.379, 0.332,  0.150,  0.208,  0.395,  0.250, 0.261, -0.367, 0.414, 0.446, 0.389,
                            0.242, 0.186,  -0.179, 0.258,  0.393,  0.390,  0.897, 0.052, 0.542,  0.516, 0.326, -0.196,
                            0.660, 0.318,  0.291,  -0.738, -0.399, -0.274, 0.618, 0.417, 0.465};
  Index at = 0;
  for (Index i = 0; i < 10; ++i)
    for (Index j = i + 1; j < 10; ++j) s(i, j) = s(j, i) = upper[at++];
  const FactorMl one = factor_ml(s, 1, {.starts = 1}, {}), many = factor_ml(s, 1, {}, {});
  EXPECT_TRUE(one.converged && many.converged);
  EXPECT_EQ(many.starts, 24);
  EXPECT_GE(many.starts_there, 2);
  EXPECT_LT(many.discrepancy, one.discrepancy - 0.01);
  const FactorMl again = factor_ml(s, 1, {}, {.threads = 1});
  EXPECT_TRUE((again.uniquenesses.array() == many.uniquenesses.array()).all());
}

/// Features that are nearly copies: the bound of R, 0.005, would shut out uniquenesses of 0.001.
TEST(FactorMl, NearCopiesKeepTheirSmallUniquenesses) {
  Matrix<double> loadings(8, 2);
  fill_normal<double>(5, 0, loadings);
  Vector<double> psi = Vector<double>::Constant(8, 0.001);
  psi.tail(4).setConstant(0.3);
  for (Index j = 0; j < 8; ++j) loadings.row(j) *= std::sqrt(1.0 - psi[j]) / loadings.row(j).norm();
  Matrix<double> s = loadings * loadings.transpose();
  s.diagonal().setOnes();
  const FactorMl fit = factor_ml(s, 2, {.tolerance = 1e-10}, {});
  EXPECT_TRUE(fit.converged);
  EXPECT_LE((fit.uniquenesses - psi).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(FactorMl, MoreFactorsThanCorrelationsDetermineStillConverge) {
  Vector<double> uniquenesses;
  const Matrix<double> s = exact_correlation(4, 2, uniquenesses);
  for (const Index k : {2, 3}) {
    const FactorMl fit = factor_ml(s, k, {}, {});
    EXPECT_TRUE(fit.converged) << k;
    EXPECT_LE(fit.discrepancy, 1e-12) << k;
  }
}

TEST(Varimax, UndoesATurn) {
  Matrix<double> simple = Matrix<double>::Zero(12, 3);
  for (Index j = 0; j < 12; ++j) simple(j, j / 4) = 0.5 + 0.1 * static_cast<double>(j % 4);
  Matrix<double> turn(3, 3);
  const double a = 0.7, b = -0.4;
  turn << std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1;
  Matrix<double> other(3, 3);
  other << 1, 0, 0, 0, std::cos(b), -std::sin(b), 0, std::sin(b), std::cos(b);
  const Rotated back = varimax(simple * turn * other);
  // Up to order and sign: one large loading a row, of the same size.
  for (Index j = 0; j < 12; ++j) {
    EXPECT_NEAR(back.loadings.row(j).cwiseAbs().maxCoeff(), simple.row(j).maxCoeff(), 1e-8);
    EXPECT_NEAR(back.loadings.row(j).norm(), simple.row(j).maxCoeff(), 1e-12);
  }
}

TEST(Promax, KeepsWhatTheFactorsExplain) {
  Matrix<double> loadings(10, 3);
  fill_normal<double>(4, 0, loadings);
  const Rotated oblique = promax(loadings);
  EXPECT_LE((oblique.loadings * oblique.correlation * oblique.loadings.transpose() - loadings * loadings.transpose())
                .cwiseAbs()
                .maxCoeff(),
            1e-10);
  EXPECT_LE((oblique.correlation.diagonal() - Vector<double>::Ones(3)).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace fewdim
