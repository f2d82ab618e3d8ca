#include "operators/standardized.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

using test::distance;

/// A = W^½ (X − 1μᵀ) S⁻¹, formed.
Matrix<double> materialize(const Matrix<double>& x, const Standardization& s) {
  Matrix<double> a = x;
  if (s.mean.size() > 0) a.rowwise() -= s.mean.transpose();
  if (s.inverse_scale.size() > 0) a = a * s.inverse_scale.asDiagonal();
  if (s.root_weights.size() > 0) a = s.root_weights.asDiagonal() * a;
  return a;
}

std::vector<Standardization> standardizations(Index rows, Index cols) {
  Standardization mean, all, none;
  mean.mean = Vector<double>::LinSpaced(cols, 0.5, 3.0);
  all = mean;
  all.inverse_scale = Vector<double>::LinSpaced(cols, 0.3, 2.0);
  all.root_weights = Vector<double>::LinSpaced(rows, 0.1, 1.7);
  return {none, mean, all};
}

/// Forward, adjoint and normal products against the materialized twin; the tolerance is relative to their size.
void expect_twin(const Dataset& data, const Matrix<double>& x, double tolerance) {
  for (const Standardization& s : standardizations(x.rows(), x.cols())) {
    const Matrix<double> a = materialize(x, s);
    for (const Index width : {1, 5, 8, 19}) {
      const Execution exec{.threads = 2};
      const Standardized op(data, s, true, exec);
      const Matrix<double> v = test::sample(x.cols(), width, 2), u = test::sample(x.rows(), width, 3);
      Matrix<double> y(x.rows(), width), z(x.cols(), width);
      op.apply(v, y);
      EXPECT_LE(distance(y, a * v), tolerance * (a * v).cwiseAbs().maxCoeff());
      op.apply_adjoint(u, z);
      EXPECT_LE(distance(z, a.transpose() * u), tolerance * (a.transpose() * u).cwiseAbs().maxCoeff());
      op.apply_normal(v, z);
      const Matrix<double> normal = a.transpose() * (a * v);
      EXPECT_LE(distance(z, normal), tolerance * normal.cwiseAbs().maxCoeff());
    }
  }
}

// Sums of up to 1,500 terms: √1500·2⁻⁵³ = 4e-15, with cancellation of the mean a few times that.
constexpr double kRounding = 2e-13;

TEST(Standardized, EqualsItsTwinDenseColumnMajor) {
  const Matrix<double> x = test::sample(1500, 13);
  expect_twin(Dataset(x), x, kRounding);
}

TEST(Standardized, EqualsItsTwinDenseRowMajorStrided) {
  const Matrix<double> x = test::sample(700, 9);
  RowMatrix<double> wide = RowMatrix<double>::Constant(700, 20, 99.0);
  wide.middleCols(4, 9) = x;
  expect_twin(Dataset(wide.middleCols(4, 9)), x, kRounding);
}

TEST(Standardized, EqualsItsTwinFloatComputedInDouble) {
  const Matrix<float> x = test::sample<float>(700, 9);
  expect_twin(Dataset(x), x.cast<double>(), kRounding);
}

TEST(Standardized, EqualsItsTwinSparse) {
  const Matrix<double> x = test::sparse_sample(900, 40, 0.1);
  expect_twin(Dataset(test::to_csr(x)), x, kRounding);
  const Matrix<float> f = x.cast<float>();
  expect_twin(Dataset(test::to_csr(f)), f.cast<double>(), kRounding);
}

TEST(Standardized, EqualsItsTwinSparseWithEmptyRowsAndColumns) {
  Matrix<double> x = test::sparse_sample(300, 20, 0.2);
  x.topRows(7).setZero();
  x.bottomRows(3).setZero();
  x.col(5).setZero();
  expect_twin(Dataset(test::to_csr(x)), x, kRounding);
}

TEST(Standardized, EqualsItsTwinStream) {
  const Matrix<double> x = test::sample(1500, 13);
  expect_twin(Dataset(std::make_shared<test::MatrixStream<double>>(x, true)), x, kRounding);
}

TEST(Standardized, FloatProductsStayWithinFloatRounding) {
  const Matrix<float> x = test::sample<float>(2000, 30);
  Standardization s;
  s.mean = x.cast<double>().colwise().mean();
  const Execution exec;
  const Standardized op(Dataset(x), s, false, exec);
  const Matrix<double> v = test::sample(30, 4, 2, 0.0);
  Matrix<double> z(30, 4);
  const Dataset data(x);
  const Standardized held(data, s, false, exec);
  held.apply_normal(v, z);
  const Matrix<double> a = materialize(x.cast<double>(), s), exact = a.transpose() * (a * v);
  const double error = distance(z, exact) / exact.cwiseAbs().maxCoeff();
  EXPECT_LT(error, 1e-5);   // √2000·2⁻²⁴ = 3e-6
  EXPECT_GT(error, 1e-12);  // and it does compute in float
}

TEST(Standardized, SameBitsAtAnyThreadCountAndFromAStream) {
  const Matrix<double> x = test::sample(5000, 37);
  const Matrix<double> holes = test::sparse_sample(5000, 37, 0.3);
  Standardization s;
  s.mean = Vector<double>::LinSpaced(37, 0.5, 3.0);
  const Matrix<double> v = test::sample(37, 11, 2);
  const Dataset dense(x), sparse(test::to_csr(holes)), stream(std::make_shared<test::MatrixStream<double>>(x, true));
  Matrix<double> first(37, 11), first_sparse(37, 11);
  for (const int threads : {1, 2, 3, 8}) {
    const Execution exec{.threads = threads};
    Matrix<double> y(37, 11), z(37, 11), w(37, 11);
    Standardized(dense, s, true, exec).apply_normal(v, y);
    Standardized(sparse, s, true, exec).apply_normal(v, z);
    Standardized(stream, s, true, exec).apply_normal(v, w);
    if (threads == 1) first = y, first_sparse = z;
    EXPECT_TRUE(y == first) << threads;
    EXPECT_TRUE(z == first_sparse) << threads;
    EXPECT_TRUE(w == first) << threads;
  }
}

}  // namespace
}  // namespace fewdim
