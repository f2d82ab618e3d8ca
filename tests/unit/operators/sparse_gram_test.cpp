#include "operators/sparse_gram.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// A by its definition.
Matrix<double> standardized(const Matrix<double>& x, const Standardization& s) {
  Matrix<double> a = x;
  for (Index j = 0; j < x.cols(); ++j)
    for (Index i = 0; i < x.rows(); ++i) {
      if (s.mean.size() > 0) a(i, j) -= s.mean[j];
      if (s.inverse_scale.size() > 0) a(i, j) *= s.inverse_scale[j];
      if (s.root_weights.size() > 0) a(i, j) *= s.root_weights[i];
    }
  return a;
}

TEST(SparseGram, EqualsItsDenseTwin) {
  const Matrix<double> x = test::sparse_sample(37, 120, 0.1, 2);
  for (const bool center : {false, true})
    for (const bool scale : {false, true})
      for (const bool weigh : {false, true}) {
        Standardization s;
        if (center) s.mean = x.colwise().mean();
        if (scale) s.inverse_scale = Vector<double>::LinSpaced(120, 0.5, 2.0);
        if (weigh) s.root_weights = Vector<double>::LinSpaced(37, 0.1, 1.5);
        const Matrix<double> a = standardized(x, s), truth = a * a.transpose();
        const Matrix<double> k = sparse_gram(Dataset(test::to_csr(x)), s, {});
        // 120 products of numbers up to 100: rounding of their sum.
        EXPECT_LE((k - truth).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + truth.cwiseAbs().maxCoeff()));
        EXPECT_EQ((k - k.transpose()).cwiseAbs().maxCoeff(), 0.0);
      }
}

TEST(SparseGram, GivesTheSameBitsAtAnyNumberOfThreads) {
  const Matrix<float> x = test::sparse_sample<float>(150, 700, 0.03, 4);
  const Dataset data(test::to_csr(x));
  Standardization s;
  s.mean = Vector<double>::LinSpaced(700, 0.0, 1.0);
  const Matrix<double> one = sparse_gram(data, s, Execution{.threads = 1});
  for (const int threads : {2, 3}) EXPECT_EQ(sparse_gram(data, s, Execution{.threads = threads}), one);
}

TEST(SparseGram, TakesEmptyRowsAndColumns) {
  Matrix<double> x = Matrix<double>::Zero(5, 9);
  x(1, 3) = 2.0;
  x(4, 3) = -1.0;
  const Matrix<double> k = sparse_gram(Dataset(test::to_csr(x)), {}, {});
  EXPECT_EQ(k, x * x.transpose());
}

}  // namespace
}  // namespace fewdim
