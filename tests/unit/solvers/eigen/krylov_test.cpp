#include "solvers/eigen/krylov.hpp"

#include <gtest/gtest.h>

#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/power.hpp"
#include "solvers/routes/formed.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

using test::distance;

SymmetricOperator diagonal(const Vector<double>& d) {
  return SymmetricOperator(d.size(), [d](ConstBlock<double> x, Block<double> y) { y = d.asDiagonal() * x; });
}

/// 2I plus the adjacency of a ring of n: eigenvalues 2 + 2cos(2πj/n), all but the ends double.
SymmetricOperator ring(Index n) {
  return SymmetricOperator(n, [n](ConstBlock<double> x, Block<double> y) {
    for (Index i = 0; i < n; ++i) y.row(i) = 2 * x.row(i) + x.row((i + 1) % n) + x.row((i + n - 1) % n);
  });
}

Wanted exactly(Index count) {
  return [count](const Vector<double>&) { return count; };
}

void expect_pairs(const SymmetricOperator& a, const KrylovResult& r, const Vector<double>& truth, double tolerance) {
  ASSERT_TRUE(r.converged);
  const Index count = r.vectors.cols();
  for (Index i = 0; i < count; ++i) EXPECT_NEAR(r.values[i], truth[i], tolerance * truth[0]) << i;
  EXPECT_LE(relative_residuals(a, r.values, r.vectors).maxCoeff(), tolerance);
  EXPECT_LE(orthogonality_defect(r.vectors, {}), 1e-12);
}

TEST(Krylov, FindsAKnownSpectrum) {
  Vector<double> d(3000);
  for (Index i = 0; i < 3000; ++i) d[i] = std::pow(static_cast<double>(i + 1), -0.8);
  const KrylovResult r = krylov_largest(diagonal(d), exactly(30), 30, {}, {});
  expect_pairs(diagonal(d), r, d, 1e-9);
  EXPECT_LT(r.products, 1500);
}

TEST(Krylov, RestartsInASmallBasis) {
  Vector<double> d(3000);
  for (Index i = 0; i < 3000; ++i) d[i] = std::pow(static_cast<double>(i + 1), -0.8);
  const KrylovResult r = krylov_largest(diagonal(d), exactly(10), 10, {.max_basis = 40}, {});
  expect_pairs(diagonal(d), r, d, 1e-9);
}

TEST(Krylov, FindsDoubleEigenvaluesOfARing) {
  const Index n = 400;
  Vector<double> truth(9);
  for (Index i = 0; i < 9; ++i)
    truth[i] = 2 + 2 * std::cos(2 * std::numbers::pi * static_cast<double>((i + 1) / 2) / static_cast<double>(n));
  const KrylovResult r = krylov_largest(ring(n), exactly(9), 9, {.tolerance = 1e-12}, {});
  expect_pairs(ring(n), r, truth, 1e-11);
}

TEST(Krylov, HandlesTheIdentity) {  // one eigenvalue, n times: the first block spans an invariant space
  const KrylovResult r = krylov_largest(diagonal(Vector<double>::Ones(100)), exactly(20), 20, {}, {});
  expect_pairs(diagonal(Vector<double>::Ones(100)), r, Vector<double>::Ones(100), 1e-12);
}

TEST(Krylov, HandlesLowRank) {
  Vector<double> d = Vector<double>::Zero(500);
  d.head(3) << 5.0, 4.0, 3.0;
  const KrylovResult r = krylov_largest(diagonal(d), exactly(6), 6, {}, {});
  expect_pairs(diagonal(d), r, d, 1e-12);
}

TEST(Krylov, SpansASmallSpaceExactly) {
  Vector<double> d(5);
  d << 5, 4, 3, 2, 1;
  const KrylovResult r = krylov_largest(diagonal(d), exactly(5), 5, {}, {});
  expect_pairs(diagonal(d), r, d, 1e-13);
}

TEST(Krylov, ReachesAShareOfTheTrace) {
  Vector<double> d(1500);
  for (Index i = 0; i < 1500; ++i) d[i] = std::pow(0.97, static_cast<double>(i));
  const double total = d.sum();
  const auto share = [&](const Vector<double>& v) -> Index {
    double sum = 0;
    for (Index i = 0; i < v.size(); ++i)
      if ((sum += v[i]) >= 0.9 * total) return i + 1;
    return -1;
  };
  Index needed = 0;
  for (double sum = 0; sum < 0.9 * total; ++needed) sum += d[needed];
  const KrylovResult r = krylov_largest(diagonal(d), share, 8, {}, {});
  EXPECT_EQ(r.vectors.cols(), needed);
  expect_pairs(diagonal(d), r, d, 1e-9);
}

TEST(Krylov, SameBitsAtAnyThreadCount) {
  const Matrix<double> x = test::sample(2500, 1300, 1, 0.0);
  const Matrix<double> a = x.transpose() * x;
  Matrix<double> first;
  for (const int threads : {1, 2, 3, 8}) {
    const Execution exec{.threads = threads};
    const KrylovResult r = krylov_largest(formed_operator(a, exec), exactly(10), 10, {}, exec);
    if (threads == 1) first = r.vectors;
    EXPECT_TRUE(r.vectors == first) << threads;
  }
}

TEST(Krylov, StopsWhenTheProgressSaysSo) {
  const Execution exec{.threads = 1, .progress = [](const Progress&) { return false; }};
  EXPECT_THROW(krylov_largest(ring(500), exactly(5), 5, {}, exec), Interrupted);
}

TEST(Krylov, SaysWhenTheBudgetIsSpent) {
  const KrylovResult r = krylov_largest(ring(5000), exactly(5), 5, {.max_basis = 32, .max_products = 100}, {});
  EXPECT_FALSE(r.converged);
}

TEST(Power, FindsAKnownSpectrum) {
  Vector<double> d(50);
  for (Index i = 0; i < 50; ++i) d[i] = std::pow(0.5, static_cast<double>(i));
  const KrylovResult r = power_largest(diagonal(d), exactly(5), 0, 1e-10, 10000, 0, {});
  expect_pairs(diagonal(d), r, d, 1e-9);
}

TEST(Power, SaysWhenEigenvaluesAreTooClose) {
  Vector<double> d(50);
  d.setConstant(0.1);
  d[0] = 1.0;
  d[1] = 1.0 - 1e-9;
  try {
    power_largest(diagonal(d), exactly(1), 0, 1e-14, 200, 0, {});
    FAIL();
  } catch (const NotConverged& e) {
    EXPECT_NE(std::string(e.what()).find("component 1"), std::string::npos) << e.what();
  }
}

TEST(Direct, PartAndWholeOfTheSpectrumAgree) {
  const Matrix<double> x = test::sample(300, 90, 1, 0.0);
  const Matrix<double> a = x.transpose() * x;
  Matrix<double> part = a, whole = a, values = a;
  const SymmetricEigen some = eigen_symmetric(part, 5), all = eigen_symmetric(whole, 90);
  const Vector<double> alone = eigenvalues_symmetric(values);
  for (Index i = 0; i < 5; ++i) EXPECT_NEAR(some.values[i], all.values[i], 1e-13 * all.values[0]);
  EXPECT_LE(distance(all.values, alone), 1e-13 * alone[0]);
  EXPECT_LE(distance(a * some.vectors, some.vectors * some.values.asDiagonal()), 1e-12 * all.values[0]);
  EXPECT_LE(distance(a * all.vectors, all.vectors * all.values.asDiagonal()), 1e-12 * all.values[0]);
}

TEST(Direct, SvdRebuildsTheMatrix) {
  const Matrix<double> x = test::sample(40, 25);
  Matrix<double> copy = x;
  const ThinSvd svd = svd_dense(copy, true);
  EXPECT_LE(distance(svd.u * svd.values.asDiagonal() * svd.v.transpose(), x), 1e-13 * svd.values[0]);
}

TEST(Certify, GroupsWhatCannotBeSeparated) {
  Vector<double> values(5);
  values << 4.0, 2.0, 2.0, 1.0, 0.5;
  Certificate c;
  c.residuals = Vector<double>::Constant(4, 1e-12);
  complete_certificate(c, values, Matrix<double>::Identity(10, 4), known_outside(values, 4), {});
  EXPECT_EQ(c.groups, (std::vector<Index>{0, 1, 1, 2}));
  EXPECT_NEAR(c.angle_bounds[0], 1e-12 / 0.5, 1e-14);    // residual over gap, both relative to λ₁ = 4
  EXPECT_NEAR(c.angle_bounds[1], 1e-12 / 0.25, 1e-14);   // of the group, to λ = 1
  EXPECT_NEAR(c.angle_bounds[3], 1e-12 / 0.125, 1e-14);  // the guard bounds the last gap
}

TEST(Certify, GivesNoAngleWhenTheNextEigenvalueTouches) {
  Vector<double> values(3);
  values << 4.0, 2.0, 2.0;
  Certificate c;
  c.residuals = Vector<double>::Constant(2, 1e-12);
  complete_certificate(c, values, Matrix<double>::Identity(10, 2), known_outside(values, 2), {});
  EXPECT_NEAR(c.angle_bounds[1], std::numbers::pi / 2, 1e-15);
}

TEST(Blocks, OrthonormalizeRefillsWhatIsLost) {
  Matrix<double> q = Matrix<double>::Identity(50, 3);
  Matrix<double> w(50, 4);
  w.col(0) = Vector<double>::Unit(50, 7);
  w.col(1) = 2 * w.col(0);              // depends on the column before
  w.col(2) = Vector<double>::Zero(50);  // nothing at all
  w.col(3) = Vector<double>::Unit(50, 9);
  const Matrix<double> before = w;
  const Matrix<double> b = orthonormalize(q, w, 1e-12, 1, 5, {});
  ASSERT_EQ(w.cols(), 4);
  EXPECT_LE(orthogonality_defect(w, {}), 1e-14);
  EXPECT_LE((q.transpose() * w).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE(distance(w * b, before), 1e-14);
}

TEST(Blocks, ABlockThatGetsNarrowerKeepsItsCoupling) {
  // Two dimensions are left for four columns: all that they have outside of Q is in B.
  const Matrix<double> q = Matrix<double>::Identity(10, 8);
  Matrix<double> w = test::sample(10, 4, 3, 0.0);
  w.topRows(8).setZero();
  const Matrix<double> before = w;
  const Matrix<double> b = orthonormalize(q, w, 1e-12, 1, 5, {});
  ASSERT_EQ(w.cols(), 2);
  EXPECT_LE(distance(w * b, before), 1e-14);
}

TEST(Blocks, ThinProductsAreThoseOfTheMatrices) {  // all paddings, with rests of columns and of rows
  const Matrix<double> q = test::sample(3001, 21, 1, 0.0);
  for (const Index cols : {1, 2, 7, 8, 9, 16, 17}) {
    const Matrix<double> w = test::sample(3001, cols, 2, 0.0);
    Matrix<double> h, rest;
    for (const int threads : {1, 2, 3}) {
      const Execution exec{.threads = threads};
      const Matrix<double> here = project(q, w, exec);
      Matrix<double> left = w;
      subtract(q, here, left, exec);
      if (threads == 1) h = here, rest = left;
      EXPECT_TRUE(here == h && left == rest) << cols << " columns, " << threads << " threads";
    }
    // 3001 products a number: their rounding is below 3001 ε ‖q‖‖w‖, and by far.
    EXPECT_LE(distance(h, q.transpose() * w), 1e-13 * q.norm() * w.norm()) << cols;
    EXPECT_LE(distance(rest, w - q * h), 1e-13 * q.norm() * h.norm()) << cols;
  }
}

TEST(Blocks, OrthonormalizeKeepsToQWhereColumnsAreNearlyParallel) {
  Matrix<double> q = test::sample(2000, 24, 1, 0.0);
  orthonormalize(Matrix<double>(2000, 0), q, 0.0, 1, 0, {});
  for (const double apart : {1e-1, 1e-3, 1e-5, 1e-7, 1e-9}) {  // Cholesky's factor, with and without Q again; neither
    Matrix<double> w = test::sample(2000, 8, 2, 0.0);
    for (Index c = 1; c < 8; ++c) w.col(c) = w.col(0) + apart * w.col(c);
    for (int pass = 0; pass < 2; ++pass) subtract(q, project(q, w, {}), w, {});
    const Matrix<double> before = w;
    const Matrix<double> b = orthonormalize(q, w, 1e-13 * before.norm(), 1, 5, {});
    ASSERT_EQ(w.cols(), 8);
    EXPECT_LE(orthogonality_defect(w, {}), 1e-14) << apart;
    // A column that shrinks by less than 1e-3 is not cleaned again: 1e3 ε.
    EXPECT_LE((q.transpose() * w).cwiseAbs().maxCoeff(), 2e-13) << apart;
    EXPECT_LE(distance(w * b, before), 1e-14 * before.norm()) << apart;
  }
}

/// Ten orders of magnitude between neighbors of a cluster and the rest, and multiples in it: the basis must stay
/// orthonormal.
TEST(Krylov, StaysOrthonormalOnClustersAtTheLimitOfDouble) {
  Vector<double> d(2000);
  for (Index i = 0; i < 2000; ++i) d[i] = 1e-3 * std::pow(static_cast<double>(i + 1), -1.0);
  d[0] = 1e4;                                 // far from the others, as the first singular value of words
  for (Index i = 1; i < 13; ++i) d[i] = 1.0;  // more often than a block is wide
  for (Index i = 13; i < 20; ++i) d[i] = 0.5 + 1e-11 * static_cast<double>(20 - i);
  for (const Index max_basis : {Index{0}, Index{64}}) {
    const KrylovResult r =
        krylov_largest(diagonal(d), exactly(30), 30, {.max_basis = max_basis, .tolerance = 1e-14}, {});
    expect_pairs(diagonal(d), r, d, 2e-14);
    EXPECT_LE(orthogonality_defect(r.vectors, {}), 1e-13);
  }
}

}  // namespace
}  // namespace fewdim
