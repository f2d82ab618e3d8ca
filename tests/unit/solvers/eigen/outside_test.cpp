#include "solvers/eigen/outside.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/krylov.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

SymmetricOperator diagonal_of(const Vector<double>& d) {
  return SymmetricOperator(d.size(), [d](ConstBlock<double> x, Block<double> y) { y = d.asDiagonal() * x; });
}

Wanted just(Index count) {
  return [count](const Vector<double>&) { return count; };
}

/// The unit vectors e_first.. of n dimensions.
Matrix<double> units(Index n, Index first, Index count) {
  Matrix<double> out = Matrix<double>::Zero(n, count);
  for (Index c = 0; c < count; ++c) out(first + c, c) = 1.0;
  return out;
}

TEST(Outside, ErrorOfLanczosIsTheBoundOfKuczynskiAndWozniakowski) {
  // 1.648 √n exp(−√ε(2m−1)) = p, solved for ε by hand: n = 10,000, m = 40, p = 1e-10, one start.
  const double root = std::log(1.648 * 100.0 * 1e10) / 79.0;
  EXPECT_NEAR(lanczos_error(10'000, 40, 1, 1e-10), root * root, 1e-12);
  // Eight starts fail together with the eighth power of the probability of one.
  EXPECT_NEAR(lanczos_error(10'000, 40, 8, 1e-10), lanczos_error(10'000, 40, 1, std::pow(1e-10, 0.125)), 1e-12);
  EXPECT_LT(lanczos_error(10'000, 20, 8, 1e-10), lanczos_error(10'000, 10, 8, 1e-10));
}

TEST(Outside, ProbeBoundsTheLargestEigenvalueOutside) {
  Vector<double> d(2000);
  for (Index i = 0; i < 2000; ++i) d[i] = 1.0 / static_cast<double>(i + 1);
  const SymmetricOperator a = diagonal_of(d);
  const Matrix<double> q = units(2000, 0, 5);
  for (Seed seed = 0; seed < 20; ++seed) {
    OutsideProbe probe(a, q, true, seed, {});
    while (probe.steps() < 16) {
      probe.step();
      EXPECT_LE(probe.found(), d[5] * (1 + 1e-12));
      EXPECT_GE(probe.upper(), d[5] * (1 - 1e-12));
    }
    EXPECT_LE(probe.upper(), 1.1 * d[5]);
    const Matrix<double> found = probe.directions(3);
    EXPECT_LE(project(q, found, {}).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LE(orthogonality_defect(found, {}), 1e-12);
  }
}

TEST(Outside, ProbeOfAnIndefiniteOperatorTakesBothEndsIntoAccount) {
  Vector<double> d(600);
  for (Index i = 0; i < 600; ++i)
    d[i] = i < 300 ? 1.0 / static_cast<double>(i + 1) : -3.0 / static_cast<double>(i - 299);
  const SymmetricOperator a = diagonal_of(d);
  const Matrix<double> q = units(600, 0, 2);
  OutsideProbe probe(a, q, false, 1, {});
  while (probe.steps() < 24) {
    probe.step();
    EXPECT_GE(probe.upper(), d[2]);
  }
  EXPECT_LT(probe.upper(), d[2] + 0.2);
}

TEST(Outside, ProbeThatHasSpannedTheSpaceKnowsTheValue) {
  Vector<double> d(12);
  for (Index i = 0; i < 12; ++i) d[i] = 12.0 - static_cast<double>(i);
  const SymmetricOperator a = diagonal_of(d);
  const Matrix<double> q = units(12, 0, 3);
  OutsideProbe probe(a, q, true, 1, {});
  while (!probe.exhausted()) probe.step();
  EXPECT_NEAR(probe.upper(), 9.0, 1e-12);
  EXPECT_EQ(probe.upper(), probe.found());
}

TEST(Outside, FindsADirectionThatWasLeftOut) {
  Vector<double> d(1500);
  for (Index i = 0; i < 1500; ++i) d[i] = std::pow(0.99, static_cast<double>(i));
  Matrix<double> v = units(1500, 0, 5);
  v.col(2) = units(1500, 40, 1);  // the third is missing
  const Outside outside = largest_outside(diagonal_of(d), v, true, d[40], 1e-14, 3, {});
  EXPECT_NEAR(outside.found, d[2], 1e-3);
  EXPECT_GE(outside.upper, d[2] * (1 - 1e-12));
  EXPECT_LE(outside.probability, kMissProbability);
}

TEST(Outside, KrylovFindsEigenvaluesOfHigherMultiplicityThanItsBlock) {
  // 40 times 1 and a tail: from a block of eight, exact arithmetic sees eight copies.
  Vector<double> d(1200);
  for (Index i = 0; i < 1200; ++i) d[i] = i < 40 ? 1.0 : 0.9 * std::pow(0.995, static_cast<double>(i - 40));
  const KrylovResult r =
      krylov_largest(diagonal_of(d), just(40), 40, {.block = 8, .tolerance = 1e-6, .semidefinite = true}, {});
  ASSERT_TRUE(r.converged);
  EXPECT_NEAR(r.values[39], 1.0, 1e-6);
  EXPECT_GE(r.outside_upper, d[40] * (1 - 1e-12));
  EXPECT_LT(r.outside_upper, 1.0);
}

TEST(Outside, KrylovDoesNotCallItselfConvergedWhenItKnowsOfALargerEigenvalue) {
  // The same spectrum, with the work cut off here and there: where residuals are small and the probe has found more
  // copies, there is no time to take them in.
  Vector<double> d(1200);
  for (Index i = 0; i < 1200; ++i) d[i] = i < 40 ? 1.0 : 0.9 * std::pow(0.995, static_cast<double>(i - 40));
  int known = 0;
  for (Index products = 240; products <= 560; products += 8) {
    const KrylovResult r =
        krylov_largest(diagonal_of(d), just(40), 40,
                       {.block = 8, .max_products = products, .tolerance = 1e-6, .semidefinite = true}, {});
    if (r.converged) {
      EXPECT_NEAR(r.values[39], 1.0, 1e-6) << products;
    }
    if (r.found_outside == 0.0) continue;
    ++known;
    EXPECT_FALSE(r.converged);
    EXPECT_GT(r.found_outside, r.values[39]);  // a Ritz value of one that was missed: between that and the eigenvalue
    EXPECT_LE(r.found_outside, 1.0 + 1e-12);
  }
  EXPECT_GT(known, 0);
}

TEST(Outside, KrylovBoundsWhatIsLeftAtEveryTolerance) {
  for (const double ratio : {0.5, 0.9, 0.99})
    for (const double tolerance : {1e-2, 1e-5, 1e-10}) {
      Vector<double> d(900);
      for (Index i = 0; i < 900; ++i) d[i] = std::pow(ratio, static_cast<double>(i));
      const KrylovResult r =
          krylov_largest(diagonal_of(d), just(6), 6, {.tolerance = tolerance, .semidefinite = true}, {});
      ASSERT_TRUE(r.converged);
      EXPECT_GE(r.outside_upper, d[6] * (1 - 1e-12)) << ratio << " " << tolerance;
      EXPECT_LE(r.outside_upper, d[5] * (1 + 2 * tolerance) + 1e-7) << ratio << " " << tolerance;
    }
}

TEST(Outside, OneOutlierDoesNotHideTheOthers) {
  // Residuals relative to the largest eigenvalue, 1e9, would let any vector pass for the second.
  Vector<double> d(800);
  for (Index i = 0; i < 800; ++i) d[i] = i == 0 ? 1e9 : 1.5 - 1e-3 * static_cast<double>(i);
  const KrylovResult r = krylov_largest(diagonal_of(d), just(3), 3, {.tolerance = 1e-6, .semidefinite = true}, {});
  ASSERT_TRUE(r.converged);
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(r.values[i] / d[i], 1.0, 1e-4) << i;
}

TEST(Krylov, StallsNowhereWhereTheRangeIsUsedUp) {
  // 60 rows of 1,500 columns: the operator has rank 60, and a loose tolerance leaves out parts of the
  // reorthogonalization; it never ended.
  const Matrix<double> x = test::sparse_sample(60, 1500, 0.02, 5);
  const SymmetricOperator a(1500, [&](ConstBlock<double> v, Block<double> y) { y = x.transpose() * (x * v); });
  for (const double tolerance : {1e-3, 1e-6, 1e-10})
    for (const Index count : {20, 50, 59}) {
      const KrylovResult r = krylov_largest(
          a, just(count), count, {.block = 8, .max_products = 5000, .tolerance = tolerance, .semidefinite = true}, {});
      EXPECT_TRUE(r.converged) << tolerance << " " << count;
    }
}

TEST(Direct, CountsTheEigenvaluesAboveABound) {
  const Matrix<double> x = test::sample(40, 30, 8, 0.0);
  const Matrix<double> a = x.transpose() * x;
  Matrix<double> copy = a;
  const Vector<double> values = eigenvalues_symmetric(copy);
  for (Index i = 0; i + 1 < 30; ++i) {
    copy = a;
    EXPECT_EQ(eigenvalues_above(copy, 0.5 * (values[i] + values[i + 1])), i + 1);
  }
}

TEST(Direct, FindsSomeOfManyEqualEigenvalues) {
  // dsyevr returns none of such a matrix's, of which it was asked for two.
  for (const Index n : {16, 33, 64, 100}) {
    Matrix<double> a = Matrix<double>::Identity(n, n);
    a.bottomRightCorner(n / 2, n / 2).setZero();
    const SymmetricEigen eigen = eigen_symmetric(a, 2);
    ASSERT_EQ(eigen.values.size(), 2);
    EXPECT_NEAR(eigen.values[1], 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace fewdim
