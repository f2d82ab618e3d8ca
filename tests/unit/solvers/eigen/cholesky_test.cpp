#include "solvers/eigen/cholesky.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// BᵀB/n + I/100 of normals: positive definite, with a condition number of about 1e3.
Matrix<double> positive(Index n) {
  const Matrix<double> b = test::sample(n, n, 1, 0.0);
  return b.transpose() * b / static_cast<double>(n) + 0.01 * Matrix<double>::Identity(n, n);
}

TEST(Cholesky, SolvesInTilesOfAllSizes) {
  for (const Index n : {1, 2, 255, 256, 257, 600}) {
    const Matrix<double> a = positive(n), right = test::sample(n, 19, 2);
    Matrix<double> factor = a, x = right;
    factor.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);  // is not read
    ASSERT_TRUE(solve_positive(factor, x, "solve", {}));
    // A backward stable solver leaves a residual of a few n·ε‖A‖‖x‖, whatever the condition.
    EXPECT_LE((a * x - right).cwiseAbs().maxCoeff(), 1e-15 * static_cast<double>(n + 10) * a.norm() * x.norm()) << n;
  }
}

TEST(Cholesky, HasTheSameBitsAtAnyThreadCount) {
  const Matrix<double> a = positive(700), right = test::sample(700, 40, 2);
  const auto solved = [&](int threads) {
    Matrix<double> factor = a, x = right;
    EXPECT_TRUE(solve_positive(factor, x, "solve", {.threads = threads}));
    return x;
  };
  const Matrix<double> one = solved(1);
  for (const int threads : {2, 3}) {
    const Matrix<double> some = solved(threads);
    EXPECT_EQ(std::memcmp(one.data(), some.data(), static_cast<std::size_t>(one.size()) * sizeof(double)), 0);
  }
}

TEST(Cholesky, SaysWhenTheMatrixIsNotPositive) {
  for (const Index at : {0, 300}) {
    Matrix<double> a = positive(400), x = test::sample(400, 1);
    a(at, at) = -1.0;
    EXPECT_FALSE(solve_positive(a, x, "solve", {}));
  }
}

TEST(Cholesky, StopsWhenToldTo) {
  Matrix<double> a = positive(300), x = test::sample(300, 1);
  const Execution exec{.progress = [](const Progress&) { return false; }};
  EXPECT_THROW(solve_positive(a, x, "solve", exec), Interrupted);
}

}  // namespace
}  // namespace fewdim
