#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <map>

#include "fewdim/generate.hpp"

namespace fewdim {
namespace {

Matrix<double> covariance(const Matrix<double>& x) {
  const Matrix<double> centered = x.rowwise() - x.colwise().mean();
  return centered.transpose() * centered / double(x.rows() - 1);
}

Vector<double> descending_eigenvalues(const Matrix<double>& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix<double>>(symmetric).eigenvalues().reverse();
}

TEST(BuiltinTables, TenPointsHaveTheTutorialsCovariance) {
  const Dataset data = builtin_table("ten-points");
  const Matrix<double> c = covariance(data.matrix<double>());
  ASSERT_EQ(c.rows(), 2);
  // Smith (2002), section 3.1: .616555556 .615444444 .716555556; eigenvalues 1.28402771 .0490833989. As printed.
  EXPECT_NEAR(c(0, 0), 0.616555556, 5e-10);
  EXPECT_NEAR(c(0, 1), 0.615444444, 5e-10);
  EXPECT_NEAR(c(1, 1), 0.716555556, 5e-10);
  const Vector<double> values = descending_eigenvalues(c);
  EXPECT_NEAR(values[0], 1.28402771, 5e-9);
  EXPECT_NEAR(values[1], 0.0490833989, 5e-11);
  EXPECT_EQ(data.column_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(data.source, "ten-points");
}

TEST(BuiltinTables, IrisIsRsIris) {
  const Dataset data = builtin_table("iris");
  const Matrix<double> x = data.matrix<double>();
  ASSERT_EQ(x.rows(), 150);
  ASSERT_EQ(x.cols(), 4);
  // R 4.2: prcomp(iris[1:4])$sdev^2. The UCI copy of the table differs in rows 35 and 38 and gives other values.
  const Vector<double> values = descending_eigenvalues(covariance(x));
  const double expected[] = {4.228241706, 0.242670748, 0.078209500, 0.023835093};
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(values[i], expected[i], 5e-10) << i;
  EXPECT_EQ(x(0, 0), 5.1);  // the doubles a reader of "5.1" gets, not their neighbors
  EXPECT_EQ(x(34, 3), 0.2);
  EXPECT_EQ(data.labels[49], "setosa");
  EXPECT_EQ(data.labels[50], "versicolor");
  EXPECT_EQ(data.labels[149], "virginica");
  EXPECT_EQ(data.labels.size(), 150u);
  EXPECT_EQ(data.label_name, "Species");
}

// Numbers from sklearn.datasets.load_digits(), scikit-learn 1.2.1 (Debian python3-sklearn 1.2.1+dfsg-1).
TEST(BuiltinTables, DigitsAreScikitLearns) {
  const Dataset data = builtin_table("digits");
  const Matrix<double> x = data.matrix<double>();
  ASSERT_EQ(x.rows(), 1797);
  ASSERT_EQ(x.cols(), 64);
  double sum = 0, squares = 0, by_row = 0;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      sum += x(i, j), squares += x(i, j) * x(i, j), by_row += double(i + 1) * x(i, j);
  EXPECT_EQ(sum, 561718);        // X.sum()
  EXPECT_EQ(squares, 6907012);   // (X**2).sum()
  EXPECT_EQ(by_row, 503904265);  // (X * arange(1, 1798)[:, None]).sum(): notices rows out of order
  const double columns[] = {0, 546, 9353, 21269, 21291, 10390, 2448, 233, 10, 3583, 18657, 21527};  // X.sum(0)[:12]
  for (Index j = 0; j < 12; ++j) EXPECT_EQ(x.col(j).sum(), columns[j]) << j;
  EXPECT_EQ(x.minCoeff(), 0);
  EXPECT_EQ(x.maxCoeff(), 16);

  const int counts[] = {178, 182, 177, 183, 181, 182, 181, 179, 174, 180};  // bincount(target)
  std::map<std::string, int> found;
  for (const std::string& label : data.labels) ++found[label];
  ASSERT_EQ(found.size(), 10u);
  for (int digit = 0; digit < 10; ++digit) EXPECT_EQ(found[std::to_string(digit)], counts[digit]) << digit;
  EXPECT_EQ(data.labels.back(), "8");

  const Vector<double> values = descending_eigenvalues(covariance(x));  // eigvalsh(cov(X.T))
  EXPECT_NEAR(values[0], 179.0069301, 5e-8);
  EXPECT_NEAR(values[2], 141.78843909, 5e-9);
  EXPECT_EQ(data.column_names[0], "pixel_0_0");
  EXPECT_EQ(data.column_names[63], "pixel_7_7");
  EXPECT_EQ(data.label_name, "digit");
}

TEST(BuiltinTables, EveryCardOpens) {
  ASSERT_EQ(builtin_tables().size(), 3u);
  for (const GeneratorCard& card : builtin_tables()) EXPECT_GT(builtin_table(card.name).rows(), 0) << card.name;
}

TEST(BuiltinTables, UnknownNameListsTheNamesAndTheNearest) {
  try {
    builtin_table("digit");
    FAIL() << "no error";
  } catch (const InvalidOption& error) {
    EXPECT_STREQ(error.what(),
                 "built-in table: name=digit is not one of ten-points, iris, digits; did you mean digits?");
  }
}

}  // namespace
}  // namespace fewdim
