#include "solvers/ratings/row_regression.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <numeric>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// Items' regressors, entries of a row in every third column, and what solves them in Eigen.
class RowRegressionTest : public ::testing::TestWithParam<Index> {
 protected:
  RowRegressionTest() : k_(GetParam()), z_(test::sample(200, k_, 3, 0.1)) {
    design_.table = LaneTable(200, k_);
    for (Index j = 0; j < 200; ++j)
      for (Index c = 0; c < k_; ++c) design_.table.row(j)[c] = z_(j, c);
    const Random random(5, 1);
    for (std::int32_t j = 0; j < 200; j += 3) {
      columns_.push_back(j);
      values_.push_back(3.0 + random.normal(static_cast<std::uint64_t>(j)));
    }
  }

  Index k_;
  Matrix<double> z_;
  RowDesign design_;
  std::vector<std::int32_t> columns_;
  std::vector<double> values_;
};

INSTANTIATE_TEST_SUITE_P(Ranks, RowRegressionTest, ::testing::Values(1, 3, 7, 8, 9, 16, 31, 32, 33));

TEST_P(RowRegressionTest, IsTheRidgeRegressionOfTheEntries) {
  for (const bool by_count : {false, true}) {
    design_.constant = true;
    design_.by_count = by_count;
    design_.shift = test::sample(200, 1, 9, 0.0).col(0);
    design_.ridge = Vector<double>::LinSpaced(k_ + 1, 0.3, 0.9);
    const auto n = std::ssize(columns_);
    Matrix<double> a(n, k_ + 1);
    Vector<double> t(n);
    for (Index e = 0; e < n; ++e) {
      const Index j = columns_[static_cast<std::size_t>(e)];
      a.row(e) << z_.row(j), 1.0;
      t[e] = values_[static_cast<std::size_t>(e)] - design_.shift[j];
    }
    const Vector<double> ridge = design_.ridge * (by_count ? static_cast<double>(n) : 1.0);
    const Matrix<double> normal = a.transpose() * a + Matrix<double>(ridge.asDiagonal());
    const Vector<double> expected = normal.llt().solve(a.transpose() * t);
    RowFitter fitter(design_);
    const Eigen::Map<const Vector<double>> found(fitter.fit(columns_.data(), values_.data(), n), k_ + 1);
    EXPECT_LE((found - expected).norm(), 1e-12 * expected.norm());  // condition numbers here are below 1e3
    const double left = (t - a * expected).squaredNorm() + expected.dot(ridge.cwiseProduct(expected));
    EXPECT_NEAR(fitter.least(), left, 1e-11 * t.squaredNorm());
    const Vector<double> other = Vector<double>::Ones(k_ + 1);
    Vector<double> squares = Vector<double>::Zero(k_ + 1);
    const double right = fitter.residual_at(other.data(), squares.data());
    EXPECT_NEAR(right, t.squaredNorm() * a.squaredNorm(), 1e-11 * right);
    EXPECT_LE((squares.cwiseSqrt() - (normal * other - a.transpose() * t).cwiseAbs()).norm(), 1e-10 * normal.norm());
  }
}

TEST_P(RowRegressionTest, ImplicitIsTheWeightedRegressionOfAllColumns) {
  design_.implicit = true;
  design_.confidence = 2.5;
  design_.ridge = Vector<double>::Constant(k_, 0.7);
  design_.gram = gram_of(design_.table);
  EXPECT_LE((design_.gram - z_.transpose() * z_).norm(), 1e-13 * design_.gram.norm());
  Vector<double> weight = Vector<double>::Ones(200), wanted = Vector<double>::Zero(200);
  for (std::size_t e = 0; e < columns_.size(); ++e)
    if (values_[e] > 0.0) weight[columns_[e]] += 2.5 * values_[e], wanted[columns_[e]] = 1.0;
  const Matrix<double> normal = z_.transpose() * weight.asDiagonal() * z_ + 0.7 * Matrix<double>::Identity(k_, k_);
  const Vector<double> expected = normal.llt().solve(z_.transpose() * weight.cwiseProduct(wanted));
  RowFitter fitter(design_);
  const Eigen::Map<const Vector<double>> found(fitter.fit(columns_.data(), values_.data(), std::ssize(columns_)), k_);
  EXPECT_LE((found - expected).norm(), 1e-12 * expected.norm());
  const double left = (wanted - z_ * expected).cwiseAbs2().dot(weight) + 0.7 * expected.squaredNorm();
  EXPECT_NEAR(fitter.least(), left, 1e-11 * weight.sum());
}

TEST_P(RowRegressionTest, RowsWithFewEntriesOrNoneStayFinite) {
  RowFitter fitter(design_);  // without a ridge
  const double* none = fitter.fit(columns_.data(), values_.data(), 0);
  EXPECT_EQ(std::accumulate(none, none + k_, 0.0), 0.0);
  const Eigen::Map<const Vector<double>> one(fitter.fit(columns_.data(), values_.data(), 1), k_);
  EXPECT_TRUE(one.allFinite());
  EXPECT_NEAR(one.dot(z_.row(0)), values_[0], 1e-6);  // the touch of a ridge is 1e-12, or a hundred times that
}

}  // namespace
}  // namespace fewdim
