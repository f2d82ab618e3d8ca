#include "solvers/factor_ml.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "solvers/rotation.hpp"

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
  EXPECT_NEAR(fit.uniquenesses[0], 0.01, 1e-12);
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
