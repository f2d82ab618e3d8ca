#include "quality/choice/cross_validation.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "unit/quality/low_rank.hpp"

namespace fewdim {
namespace {

/// PRESS by its definition, leave-one-row-out: for each held-out row and column j, least squares of the row's other
/// elements on the other rows of P gives the scores, and they predict element j.
Vector<double> press_by_definition(const Matrix<double>& x, Index most) {
  Vector<double> press = Vector<double>::Zero(most + 1);
  const Index n = x.rows(), d = x.cols();
  for (Index held = 0; held < n; ++held) {
    Matrix<double> training(n - 1, d);
    training << x.topRows(held), x.bottomRows(n - held - 1);
    const Eigen::RowVectorXd mean = training.colwise().mean();
    const Eigen::BDCSVD<Matrix<double>> svd(training.rowwise() - mean, Eigen::ComputeThinV);
    const Vector<double> row = (x.row(held) - mean).transpose();
    for (Index k = 0; k <= most; ++k)
      for (Index j = 0; j < d; ++j) {
        double prediction = 0.0;
        if (k > 0) {
          const Matrix<double> p = svd.matrixV().leftCols(k);
          Matrix<double> others(d - 1, k);
          others << p.topRows(j), p.bottomRows(d - j - 1);
          Vector<double> elements(d - 1);
          elements << row.head(j), row.tail(d - j - 1);
          const Vector<double> scores = others.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV).solve(elements);
          prediction = p.row(j).dot(scores);
        }
        press[k] += (row[j] - prediction) * (row[j] - prediction);
      }
  }
  return press;
}

TEST(CrossValidation, ClosedFormEqualsTheDefinition) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{15, 6}, {8, 14}}) {  // scatter and Gram
    const Matrix<double> x = low_rank_plus_noise(rows, cols, 2, 2.0, 3);
    const SecondMoments moments = second_moments(x, {}, {});
    EXPECT_EQ(moments.gram, rows < cols);
    const Vector<double> press = press_curve(x, moments, rows, 0, {});  // as many folds as rows: one each
    ASSERT_GE(press.size(), 5);
    const Vector<double> expected = press_by_definition(x, 4);
    for (Index k = 0; k <= 4; ++k) EXPECT_NEAR(press[k] / expected[k], 1.0, 1e-8) << k;
  }
}

TEST(CrossValidation, SeedDealsTheFolds) {
  const Matrix<double> x = low_rank_plus_noise(50, 10, 2, 2.0, 3);
  const SecondMoments moments = second_moments(x, {}, {});
  const Vector<double> press = press_curve(x, moments, 7, 0, {});
  EXPECT_EQ(press, press_curve(x, moments, 7, 0, {}));
  const Vector<double> other = press_curve(x, moments, 7, 1, {});  // may end elsewhere, too
  EXPECT_FALSE(other.size() == press.size() && other == press);
}

TEST(CrossValidation, CurveEndsWhereAColumnLiesInThePlane) {
  // Column 0 is independent of the rest and by far the largest: it is the first component by itself.
  Matrix<double> x = low_rank_plus_noise(60, 5, 0, 0.0, 2);
  x.col(0) *= 1e6;
  const SecondMoments moments = second_moments(x, {}, {});
  EXPECT_EQ(press_curve(x, moments, 7, 0, {}).size(), 1);
  const KAdvice advice = cross_validation_advice(x, moments, 0, {});
  EXPECT_EQ(advice.k, 0);
  EXPECT_EQ(advice.sentence, "no component predicts left-out elements better than the mean (7 folds)");
}

TEST(CrossValidation, ExactRankIsFound) {
  // No noise: beyond rank 2 the training rows have no further direction.
  Matrix<double> u(20, 2), v(2, 6);
  fill_normal<double>(1, 0, u);
  fill_normal<double>(1, 10, v);
  const Matrix<double> x = u * v;
  const KAdvice advice = cross_validation_advice(x, second_moments(x, {}, {}), 0, {});
  EXPECT_EQ(advice.k, 2) << advice.sentence;
}

TEST(CrossValidation, TooSmallToSay) {
  const Matrix<double> x = low_rank_plus_noise(3, 5, 1, 2.0, 1);
  EXPECT_EQ(cross_validation_advice(x, second_moments(x, {}, {}), 0, {}).k, -1);
}

}  // namespace
}  // namespace fewdim
