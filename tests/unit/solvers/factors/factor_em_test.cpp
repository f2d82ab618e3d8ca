#include "solvers/factors/factor_em.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "fewdim/error.hpp"
#include "support/gaps.hpp"

namespace fewdim {
namespace {

GaussianFactors some_factors(Index d, Index k) {
  GaussianFactors f{Vector<double>::Zero(d), Matrix<double>(d, k), Vector<double>::Ones(d)};
  fill_normal<double>(3, 0, f.loadings);
  for (Index j = 0; j < d; ++j) f.noise[j] = 0.5 + 0.1 * static_cast<double>(j);
  return f;
}

/// log p of the observed values of one row by the full covariance.
double density_by_covariance(const Vector<double>& row, const GaussianFactors& f) {
  std::vector<Index> seen;
  for (Index j = 0; j < row.size(); ++j)
    if (!std::isnan(row[j])) seen.push_back(j);
  const Index m = std::ssize(seen);
  Matrix<double> c(m, m);
  Vector<double> r(m);
  for (Index a = 0; a < m; ++a) {
    const Index i = seen[static_cast<std::size_t>(a)];
    r[a] = row[i] - f.mean[i];
    for (Index b = 0; b < m; ++b) {
      const Index j = seen[static_cast<std::size_t>(b)];
      c(a, b) = f.loadings.row(i).dot(f.loadings.row(j)) + (i == j ? f.noise[i] : 0.0);
    }
  }
  const Eigen::LLT<Matrix<double>> factor(c);
  return -0.5 * (static_cast<double>(m) * std::log(2.0 * std::numbers::pi) +
                 2.0 * factor.matrixLLT().diagonal().array().log().sum() + r.dot(factor.solve(r)));
}

TEST(FactorEm, TheLikelihoodIsThatOfTheFullCovariance) {
  const Matrix<double> x = test::with_gaps(test::low_rank_rows(60, 7, 2, 0.5), 0.3);
  const ObservedTable table = observe(x, false, 0, "test", {});
  const GaussianFactors f = some_factors(7, 2);
  double sum = 0.0;
  for (Index i = 0; i < x.rows(); ++i) sum += density_by_covariance(x.row(i).transpose() - table.center, f);
  EXPECT_NEAR(log_likelihood(table, f, {}), sum, 1e-10 * std::abs(sum));
}

TEST(FactorEm, TheLikelihoodNeverFalls) {
  for (const bool one_noise : {true, false}) {
    const Matrix<double> x = test::with_gaps(test::low_rank_rows(300, 12, 3, 0.7), 0.3);
    const ObservedTable table = observe(x, false, 0, "test", {});
    const FactorEmResult result =
        fit_factors(table, some_factors(12, 3), {.one_noise = one_noise, .tolerance = 1e-12}, {});
    EXPECT_TRUE(result.converged);
    EXPECT_GT(result.history.size(), 5u);
    for (std::size_t i = 1; i < result.history.size(); ++i)
      EXPECT_GE(result.history[i], result.history[i - 1] - 1e-12 * std::abs(result.history[i])) << i;
  }
}

TEST(FactorEm, OneStepMoreChangesNothingAtTheEnd) {
  const Matrix<double> x = test::with_gaps(test::low_rank_rows(400, 10, 2, 0.5), 0.2);
  const ObservedTable table = observe(x, false, 0, "test", {});
  const FactorEmResult result = fit_factors(table, some_factors(10, 2), {.tolerance = 1e-14}, {});
  const FactorEmResult again = fit_factors(table, result.factors, {.tolerance = 0.0, .iterations = 2}, {});
  EXPECT_LE((again.factors.loadings - result.factors.loadings).norm(), 1e-5 * result.factors.loadings.norm());
  EXPECT_NEAR(again.factors.noise[0], result.factors.noise[0], 1e-6 * result.factors.noise[0]);
}

TEST(FactorEm, SameBitsAtAnyThreadCount) {
  const Matrix<double> x = test::with_gaps(test::low_rank_rows(3000, 9, 2, 0.5), 0.2);
  const auto fit = [&](int threads) {
    const ObservedTable table = observe(x, true, 1, "test", {.threads = threads});
    return fit_factors(table, some_factors(9, 2), {.tolerance = 1e-6}, {.threads = threads});
  };
  const FactorEmResult one = fit(1);
  for (const int threads : {2, 3, 8}) {
    const FactorEmResult other = fit(threads);
    EXPECT_TRUE((one.factors.loadings.array() == other.factors.loadings.array()).all()) << threads;
    EXPECT_EQ(one.history, other.history) << threads;
  }
}

TEST(ObservedTable, BringsEqualPatternsTogether) {
  Matrix<double> x = test::low_rank_rows(1200, 4, 1, 0.5);
  for (Index i = 0; i < 1200; i += 3) x(i, 2) = std::nan("");
  for (Index i = 1; i < 1200; i += 3) x(i, 0) = std::nan("");
  const ObservedTable table = observe(x, false, 0, "test", {});
  EXPECT_EQ(table.patterns(), 3);
  EXPECT_EQ(table.observed, 1200 * 4 - 800);
  for (const auto& piece : table.pieces) {
    EXPECT_LE(piece.rows, ObservedTable::piece_rows);
    for (Index i = piece.first; i < piece.first + piece.rows; ++i)
      for (Index j = 0; j < 4; ++j) {
        const double value = x(table.order[static_cast<std::size_t>(i)], j);
        EXPECT_EQ(table.masks(piece.pattern, j) == 0, std::isnan(value));
        EXPECT_EQ(table.values(i, j), std::isnan(value) ? 0.0 : value - table.center[j]);
      }
  }
}

TEST(ObservedTable, RefusesWhatItCantUse) {
  Matrix<double> x = test::low_rank_rows(20, 3, 1, 0.5);
  x(4, 1) = INFINITY;
  EXPECT_THROW(observe(x, false, 0, "test", {}), DataError);
  x(4, 1) = 2.0;
  x.col(2).setConstant(std::nan(""));
  try {
    observe(x, false, 0, "test", {});
    FAIL();
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find("column 3 has no value"), std::string::npos) << e.what();
  }
  x.col(2).setConstant(4.0);
  EXPECT_NO_THROW(observe(x, false, 0, "test", {}));
  EXPECT_THROW(observe(x, true, 0, "test", {}), DataError);
}

}  // namespace
}  // namespace fewdim
