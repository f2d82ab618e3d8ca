#include "solvers/routes/routes.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "solvers/eigen/blocks.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

SpectralProblem asking(PcaRoute route, Index count) {
  SpectralProblem problem;
  problem.route = route;
  problem.components = static_cast<int>(count);
  return problem;
}

double tail_of(const Matrix<double>& x, Index count) {
  const Matrix<double> centered = x.rowwise() - x.colwise().mean();
  const Vector<double> s = centered.jacobiSvd().singularValues();
  double sum = 0.0;
  for (Index i = count; i < s.size(); ++i) {
    const double value = s[i] * s[i] / static_cast<double>(x.rows() - 1);
    sum += value * value;
  }
  return sum;
}

TEST(Routes, GramComputesTheResidualsOfDirectionsWithoutVariance) {
  // Rank 5 in 40 columns; ten are asked for: the last five have no variance, and K says nothing about them.
  const Matrix<double> x = test::sample(20, 5, 3) * test::sample(5, 40, 4, 0.0);
  const Dataset data(x);
  const SpectralProblem problem = asking(PcaRoute::gram, 10);
  const Decomposition d = decompose(data, problem, {});
  ASSERT_EQ(d.vectors.cols(), 10);
  EXPECT_LE(orthogonality_defect(d.vectors, {}), 1e-12);
  const Decomposition again = recertify(data, problem, d, {});
  for (Index c = 0; c < 10; ++c) EXPECT_EQ(d.certificate.residuals[c], again.certificate.residuals[c]) << c;
}

TEST(Routes, GramBoundsTheResidualOnTheOtherSide) {
  const Matrix<double> x = test::sample(30, 200, 3);
  const Dataset data(x);
  const SpectralProblem problem = asking(PcaRoute::gram, 12);
  const Decomposition d = decompose(data, problem, {});
  const Decomposition again = recertify(data, problem, d, {});
  // 29 sums of 200 products each: what forming K costs, beside the residual itself.
  for (Index c = 0; c < 12; ++c)
    EXPECT_LE(again.certificate.residuals[c], d.certificate.residuals[c] + d.certificate.forming_error) << c;
}

TEST(Routes, AShareOfAGramMatrixKeepsNoMoreThanTheColumns) {
  // 207 rows of 15 columns: K has 192 eigenvalues that are rounding. Where that left the 15 below a share of 1, one of
  // those was taken to make up for it, and there were more values than directions.
  SpectralProblem problem = asking(PcaRoute::gram, 1);
  problem.components = 1.0;
  Vector<double> values = Vector<double>::Constant(207, 1e-10);
  values.head(15).setOnes();
  const double total = 15.0 * (1.0 + 5e-12);  // beyond the 1e-12 that is granted
  EXPECT_EQ(wanted_of(problem, 15, total)(values), 15);
  EXPECT_EQ(wanted_of(problem, 15, total)(values.head(10)), -1);  // not known yet
}

TEST(Routes, TheTailIsExactWhereTheMatrixIsFormedAndEstimatedElsewhere) {
  const Matrix<double> x = test::sample(300, 60, 9);
  const double truth = tail_of(x, 5);
  for (const PcaRoute route : {PcaRoute::covariance, PcaRoute::svd})
    EXPECT_NEAR(decompose(Dataset(x), asking(route, 5), {}).tail_squares, truth, 1e-9 * truth);
  // 16 probes of eigenvalues (1+j/4)⁻², j = 5..59: √(Σλ⁴)/Σλ² = 0.386, so one standard deviation of the estimate is
  // √(2/16)·0.386 = 14 %. Three of them.
  const double estimate = decompose(Dataset(x), asking(PcaRoute::krylov, 5), {}).tail_squares;
  EXPECT_NEAR(estimate, truth, 0.42 * truth);
  EXPECT_NE(estimate, truth);
}

TEST(Blocks, PolishingRestoresOrthonormality) {
  Matrix<double> v = test::sample(500, 8, 2, 0.0);
  orthonormalize(Matrix<double>(500, 0), v, 0.0, 1, 0, {});
  const Matrix<double> exact = v;
  v += 1e-5 * test::sample(500, 8, 3, 0.0);
  polish_orthonormal(v, {});
  EXPECT_LE(orthogonality_defect(v, {}), 1e-14);
  EXPECT_LE((v - exact).cwiseAbs().maxCoeff(), 1e-3);  // stays near: it is not another basis
  // In order of importance: the first column is only normalized.
  Matrix<double> w = exact;
  w.col(0) *= 1.001;
  w.col(1) += 1e-4 * exact.col(0);
  polish_orthonormal(w, {});
  EXPECT_LE((w.leftCols(2) - exact.leftCols(2)).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace fewdim
