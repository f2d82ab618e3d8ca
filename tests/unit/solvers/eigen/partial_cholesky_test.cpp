#include "solvers/eigen/partial_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <set>

#include "support/data.hpp"

namespace fewdim {
namespace {

ColumnsOf of(const Matrix<double>& k) {
  return [&k](std::span<const std::int32_t> columns) -> KernelColumns {
    return [&k, which = std::vector<std::int32_t>(columns.begin(), columns.end())](Index row, Index m, double* out) {
      for (Index i = 0; i < m; ++i)
        for (const std::int32_t c : which) *out++ = k(row + i, c);
    };
  };
}

/// The kernel exp(−‖x−y‖) of 700 points, of which 600 lie in one clump: a uniform sample sees the others late. It falls
/// slowly from point to point, so that its parts are well conditioned.
Matrix<double> clumped() {
  Matrix<double> x = test::sample(700, 3, 1, 0.0);
  x.topRows(600) *= 0.05;
  x.bottomRows(100) *= 3.0;
  Matrix<double> k(700, 700);
  for (Index i = 0; i < 700; ++i)
    for (Index j = 0; j < 700; ++j) k(i, j) = std::exp(-(x.row(i) - x.row(j)).norm());
  return k;
}

TEST(PartialCholesky, IsTheNystroemApproximationOfItsPivots) {
  const Matrix<double> k = clumped();
  for (const Pivots how : {Pivots::uniform, Pivots::adaptive}) {
    const PartialCholesky found = partial_cholesky(k.diagonal(), of(k), 40, how, 3, {});
    const Index rank = std::ssize(found.pivots);
    ASSERT_LE(rank, 40);
    EXPECT_EQ(std::set(found.pivots.begin(), found.pivots.end()).size(), found.pivots.size());
    Matrix<double> some(700, rank), core(rank, rank);
    for (Index c = 0; c < rank; ++c) some.col(c) = k.col(found.pivots[static_cast<std::size_t>(c)]);
    for (Index r = 0; r < rank; ++r) core.row(r) = some.row(found.pivots[static_cast<std::size_t>(r)]);
    const Matrix<double> truth = some * core.ldlt().solve(some.transpose());
    const Matrix<double> mine = found.factor * found.factor.transpose();
    EXPECT_LE((mine - truth).cwiseAbs().maxCoeff(), 1e-10);  // 1e-16 times a condition below 1e5
    EXPECT_NEAR(found.left, (k - mine).trace(), 1e-9);
    EXPECT_DOUBLE_EQ(found.trace, 700.0);
    // What is left has no negative eigenvalues.
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix<double>>(k - mine).eigenvalues()[0], -1e-9);
    for (Index i = 0; i < rank; ++i)  // a lower triangle at the pivots
      for (Index j = i + 1; j < rank; ++j)
        EXPECT_NEAR(found.factor(found.pivots[static_cast<std::size_t>(i)], j), 0.0, 1e-8);
  }
}

TEST(PartialCholesky, AdaptivePivotsLeaveLess) {
  // A narrow Gaussian knows the clump by a few points, and needs most of the hundred others.
  Matrix<double> k = clumped();
  k = k.unaryExpr([](double value) { return std::exp(-0.5 * std::log(value) * std::log(value)); });
  double uniform = 0.0, adaptive = 0.0;
  for (Seed seed = 0; seed < 5; ++seed) {
    uniform += partial_cholesky(k.diagonal(), of(k), 110, Pivots::uniform, seed, {}).left;
    adaptive += partial_cholesky(k.diagonal(), of(k), 110, Pivots::adaptive, seed, {}).left;
  }
  EXPECT_LT(adaptive, 0.5 * uniform);
}

TEST(PartialCholesky, StopsWhereNothingIsLeft) {
  const Matrix<double> x = test::sample(300, 4), k = x * x.transpose();  // of rank 4
  for (const Pivots how : {Pivots::uniform, Pivots::adaptive}) {
    const PartialCholesky found = partial_cholesky(k.diagonal(), of(k), 50, how, 1, {});
    EXPECT_EQ(found.pivots.size(), 4u);
    EXPECT_EQ(found.factor.cols(), 4);
    EXPECT_LE(found.left, 1e-9 * found.trace);
  }
}

TEST(PartialCholesky, HasTheSameBitsAtAnyThreadCount) {
  const Matrix<double> k = clumped();
  const PartialCholesky first = partial_cholesky(k.diagonal(), of(k), 150, Pivots::adaptive, 2, {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const PartialCholesky again = partial_cholesky(k.diagonal(), of(k), 150, Pivots::adaptive, 2, {.threads = threads});
    EXPECT_EQ(first.pivots, again.pivots);
    EXPECT_EQ(first.factor, again.factor);
  }
}

}  // namespace
}  // namespace fewdim
