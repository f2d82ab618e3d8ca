#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "fewdim/quality.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

using test::sample;

/// A turn in the first two axes and one in the last two; determinant 1.
Matrix<double> turn() {
  Matrix<double> a = Matrix<double>::Identity(3, 3), b = a;
  a.topLeftCorner(2, 2) << 0.6, -0.8, 0.8, 0.6;
  b.bottomRightCorner(2, 2) << 0.28, 0.96, -0.96, 0.28;
  return a * b;
}

TEST(Procrustes, RecoversAKnownMap) {
  const Matrix<double> y = sample(50, 3);
  Matrix<double> x = 3.0 * y * turn();
  x.rowwise() += Eigen::RowVector3d(10, -20, 30);
  const Procrustes found = procrustes(x, y);
  EXPECT_LT(test::distance(found.rotation, turn()), 1e-12);
  EXPECT_NEAR(found.scale, 3.0, 1e-12);
  EXPECT_LT(test::distance(found.shift, Eigen::Vector3d(10, -20, 30)), 1e-11);
  EXPECT_LT(found.disparity, 1e-24);
  EXPECT_LT(found.rms_error, 1e-12);
  EXPECT_LT(test::distance(found.apply(y), x), 1e-11);
}

TEST(Procrustes, WithoutScalingIsTheErrorOfTheSizes) {
  const Matrix<double> y = sample(50, 3);
  const Matrix<double> x = 3.0 * y * turn();
  const Procrustes found = procrustes(x, y, {.scaling = false});
  EXPECT_EQ(found.scale, 1.0);
  EXPECT_LT(test::distance(found.rotation, turn()), 1e-12);
  EXPECT_NEAR(found.disparity, 4.0 / 9.0, 1e-12);  // |3y − y|² / |3y|²
}

TEST(Procrustes, MirrorsOnlyWhereAllowed) {
  const Matrix<double> y = sample(50, 3);
  Matrix<double> x = y;
  x.col(2) *= -1.0;
  EXPECT_LT(procrustes(x, y).disparity, 1e-24);
  const Procrustes turned = procrustes(x, y, {.reflection = false});
  EXPECT_NEAR(turned.rotation.determinant(), 1.0, 1e-12);
  EXPECT_GT(turned.disparity, 0.1);
}

/// No rotation, scale or shift near the one found is better.
TEST(Procrustes, IsTheLeastError) {
  const Matrix<double> x = sample(40, 3), y = sample(40, 3, 5);
  const Procrustes found = procrustes(x, y);
  const double least = (found.apply(y) - x).squaredNorm();
  EXPECT_NEAR(found.rms_error, std::sqrt(least / 40.0), 1e-12);
  const Matrix<double> center = x.rowwise() - x.colwise().mean();
  EXPECT_NEAR(found.disparity, least / center.squaredNorm(), 1e-12);
  for (int axis = 0; axis < 3; ++axis)
    for (const double angle : {-1e-3, 1e-3}) {
      Matrix<double> small = Matrix<double>::Identity(3, 3);
      const int other = (axis + 1) % 3;
      small(axis, axis) = small(other, other) = std::cos(angle);
      small(axis, other) = -std::sin(angle);
      small(other, axis) = std::sin(angle);
      Procrustes near = found;
      near.rotation = found.rotation * small;
      near.shift =
          x.colwise().mean().transpose() - near.scale * near.rotation.transpose() * y.colwise().mean().transpose();
      EXPECT_GT((near.apply(y) - x).squaredNorm(), least);
      near = found;
      near.scale *= 1.0 + angle;
      near.shift =
          x.colwise().mean().transpose() - near.scale * near.rotation.transpose() * y.colwise().mean().transpose();
      EXPECT_GT((near.apply(y) - x).squaredNorm(), least);
      near = found;
      near.shift[axis] += angle;
      EXPECT_GT((near.apply(y) - x).squaredNorm(), least);
    }
}

TEST(Procrustes, AddsColumnsOfZeros) {
  const Matrix<double> x = sample(30, 3);
  Matrix<double> wide = Matrix<double>::Zero(30, 5);
  wide.leftCols(3) = x;
  const Procrustes down = procrustes(x, wide), up = procrustes(wide, x);
  EXPECT_LT(down.disparity, 1e-24);
  EXPECT_LT(up.disparity, 1e-24);
  EXPECT_EQ(down.rotation.rows(), 5);
  EXPECT_EQ(up.rotation.rows(), 3);
  EXPECT_EQ(up.rotation.cols(), 5);
  EXPECT_LT(test::distance(up.apply(x), wide), 1e-12);
}

TEST(Procrustes, RefusesBadInput) {
  const Matrix<double> x = sample(20, 2);
  const auto refused = [](const Dataset& a, const Dataset& b, const std::string& part) {
    try {
      procrustes(a, b);
      ADD_FAILURE() << part;
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused(x, Matrix<double>(x.topRows(19)), "20 rows in the reference, and 19 in the other");
  refused(Matrix<double>(x.topRows(1)), Matrix<double>(x.topRows(1)), "at least 2 rows");
  refused(Matrix<double>::Constant(20, 2, 0.3).eval(), x, "all rows of the reference are the same");
  refused(x, Matrix<double>::Constant(20, 2, 0.3).eval(), "all rows of the other are the same");
  Matrix<double> hole = x;
  hole(3, 1) = std::nan("");
  refused(x, hole, "the other");
  refused(Matrix<double>(1e200 * x), x, "too large");
  Dataset named(x), shuffled(x);
  for (int i = 0; i < 20; ++i) {
    named.row_names.push_back(fmt::format("a{}", i));
    shuffled.row_names.push_back(fmt::format("a{}", i ^ 1));
  }
  refused(named, shuffled, "row 1 is 'a0'");
  EXPECT_THROW(procrustes(x, x).apply(sample(5, 3)), DataError);
}

}  // namespace
}  // namespace fewdim
