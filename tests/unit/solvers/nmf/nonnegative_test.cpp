#include "solvers/nmf/nonnegative.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "support/data.hpp"

namespace fewdim {
namespace {

double objective(const Matrix<double>& gram, const Vector<double>& a, const Vector<double>& y) {
  return y.dot(gram * y) - 2.0 * a.dot(y);
}

Vector<double> solve(const Matrix<double>& gram, const Vector<double>& a) {
  const NonnegativeSolver solver(gram);
  NonnegativeSolver::Scratch scratch(gram.rows());
  Vector<double> y(gram.rows());
  solver.solve(a.data(), y.data(), scratch);
  return y;
}

/// The least over all 2^k sets of coefficients that may be other than zero.
double least_of_all_sets(const Matrix<double>& gram, const Vector<double>& a) {
  const Index k = gram.rows();
  double best = 0.0;  // y = 0
  for (Index set = 1; set < Index{1} << k; ++set) {
    std::vector<Index> in;
    for (Index c = 0; c < k; ++c)
      if ((set >> c & 1) != 0) in.push_back(c);
    const Matrix<double> part = gram(in, in);
    const Vector<double> z = part.completeOrthogonalDecomposition().solve(Vector<double>(a(in)));
    if (z.minCoeff() < 0.0) continue;
    Vector<double> y = Vector<double>::Zero(k);
    y(in) = z;
    best = std::min(best, objective(gram, a, y));
  }
  return best;
}

TEST(NonnegativeLeastSquares, IsTheBestOfAllActiveSets) {
  for (Index k = 1; k <= 6; ++k)
    for (Seed seed = 1; seed <= 60; ++seed) {
      const Matrix<double> h = test::sample(9, k, seed, 0.3);
      const Matrix<double> gram = h.transpose() * h;
      const Vector<double> a = h.transpose() * test::sample(9, 1, seed + 1000, 0.0);
      const Vector<double> y = solve(gram, a);
      EXPECT_GE(y.minCoeff(), 0.0);
      const double best = least_of_all_sets(gram, a);
      // Rounding of sums of 36 products of numbers of size one.
      EXPECT_NEAR(objective(gram, a, y), best, 1e-12 * (1.0 + std::abs(best))) << k << " " << seed;
    }
}

TEST(NonnegativeLeastSquares, MeetsItsOptimalityConditions) {
  const Index k = 60;
  const Matrix<double> h = test::sample(80, k, 3, 0.1).cwiseAbs();
  const Matrix<double> gram = h.transpose() * h;
  for (Seed seed = 1; seed <= 30; ++seed) {
    const Vector<double> a = h.transpose() * test::sample(80, 1, seed, 0.5);
    const Vector<double> y = solve(gram, a);
    const Vector<double> gradient = gram * y - a;
    const double size = a.cwiseAbs().maxCoeff();
    for (Index c = 0; c < k; ++c) {
      EXPECT_GE(y[c], 0.0);
      EXPECT_GE(gradient[c], -1e-11 * size) << c;  // κ(G) ~ 1e4 times rounding
      if (y[c] > 0.0) {
        EXPECT_LE(std::abs(gradient[c]), 1e-11 * size) << c;
      }
    }
  }
}

TEST(NonnegativeLeastSquares, GivesBackWhatWasMadeOfIt) {
  const Matrix<double> h = test::sample(30, 5, 2, 0.4).cwiseAbs();
  Vector<double> truth(5);
  truth << 0.0, 2.0, 0.0, 0.5, 7.0;
  const Matrix<double> gram = h.transpose() * h;
  EXPECT_LE((solve(gram, gram * truth) - truth).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(NonnegativeLeastSquares, TakesSingularMatrices) {
  Matrix<double> h = test::sample(12, 5, 4, 0.5).cwiseAbs();
  h.col(1) = h.col(0);  // twice the same
  h.col(3).setZero();   // nothing
  const Matrix<double> gram = h.transpose() * h;
  for (Seed seed = 1; seed <= 20; ++seed) {
    const Vector<double> a = h.transpose() * test::sample(12, 1, seed, 1.0);
    const Vector<double> y = solve(gram, a);
    EXPECT_TRUE(y.allFinite());
    EXPECT_EQ(y[3], 0.0);
    const double best = least_of_all_sets(gram, a);
    EXPECT_NEAR(objective(gram, a, y), best, 1e-9 * (1.0 + std::abs(best)));  // √ε: what a dependent column may hide
  }
  EXPECT_EQ(solve(Matrix<double>::Zero(3, 3), Vector<double>::Zero(3)), Vector<double>::Zero(3));
}

TEST(NonnegativeLeastSquares, WhatIsNotFiniteReachesTheResult) {
  Vector<double> a(2);
  a << 1.0, std::nan("");
  EXPECT_TRUE(std::isnan(solve(Matrix<double>::Identity(2, 2), a)[0]));
  a << INFINITY, 1.0;
  EXPECT_TRUE(std::isnan(solve(Matrix<double>::Identity(2, 2), a)[1]));
}

}  // namespace
}  // namespace fewdim
