#include "operators/guttman.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// Some dissimilarities, none of them distances of points.
Matrix<double> dissimilarities(Index n) {
  Matrix<double> d = test::sample(n, n).cwiseAbs() * 0.01;
  d = (d + d.transpose()).eval();
  d.diagonal().setZero();
  return d;
}

struct Twin {
  PairSums sums;
  Matrix<double> image;
  Vector<double> by_object;
};

/// By the formulas, one pair after the other, with B(X) as a matrix.
Twin plain(const Matrix<double>& delta, const Affine& t, const Matrix<double>& x) {
  const Index n = x.rows();
  Twin out;
  out.by_object = Vector<double>::Zero(n);
  Matrix<double> b = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      const double d = (x.row(i) - x.row(j)).norm(), target = t.shift + t.factor * delta(i, j);
      out.sums.residual += (target - d) * (target - d);
      out.sums.square += d * d;
      out.sums.cross += target * d;
      out.sums.plain += d;
      out.by_object[i] += (target - d) * (target - d);
      out.by_object[j] += (target - d) * (target - d);
      if (d > 0.0) b(i, j) = b(j, i) = -target / d;
    }
  for (Index i = 0; i < n; ++i) b(i, i) = -b.row(i).sum();
  out.image = b * x / static_cast<double>(n);
  return out;
}

TEST(Guttman, IsItsPlainTwin) {
  for (const Index n : {2, 9, 128, 131, 300})
    for (const Index k : {1, 2, 5}) {
      const Matrix<double> delta = dissimilarities(n);
      Matrix<double> x = test::sample(n, k, 3, 0.0);
      if (n > 8) x.row(7) = x.row(3);  // at one place: their distance counts nothing
      const Affine t{0.3, 1.7};
      const Twin twin = plain(delta, t, x);
      const Dataset data(delta);
      const auto pairs = PairDistances<double>::given(data);
      Matrix<double> image;
      const PairSums sums = guttman_transform(pairs, t, x, image, {});
      const double scale = 1e-12 * twin.sums.square;  // rounding of at most 45,000 numbers
      EXPECT_LE(test::distance(image, twin.image), 1e-12 * (1.0 + twin.image.cwiseAbs().maxCoeff())) << n << " " << k;
      EXPECT_NEAR(sums.residual, twin.sums.residual, 1e-12 * twin.sums.residual + scale);
      EXPECT_NEAR(sums.square, twin.sums.square, scale);
      EXPECT_NEAR(sums.cross, twin.sums.cross, 1e-12 * twin.sums.cross);
      const PairSums measured = measure_pairs(pairs, t, x, {});
      EXPECT_EQ(measured.residual, sums.residual);  // the same loops
      EXPECT_EQ(measured.cross, sums.cross);
      EXPECT_NEAR(measured.plain, twin.sums.plain, 1e-12 * twin.sums.plain);
      EXPECT_LE(test::distance(stress_by_object(pairs, t, x, {}), twin.by_object), 1e-12 * twin.by_object.maxCoeff());
    }
}

TEST(Guttman, SameBitsFromAnySourceAtAnyThreadCount) {
  const Index n = 700;
  const Matrix<double> delta = dissimilarities(n), x = test::sample(n, 3, 3, 0.0);
  const Dataset data(delta);
  const auto given = PairDistances<double>::given(data);
  Matrix<double> first;
  const PairSums sums = guttman_transform(given, {}, x, first, {.threads = 1});
  for (const int threads : {2, 3, 8})
    for (const auto& pairs : {given, given.kept("distances", {.threads = threads})}) {
      Matrix<double> image;
      const PairSums again = guttman_transform(pairs, {}, x, image, {.threads = threads});
      EXPECT_EQ(image, first);
      EXPECT_EQ(again.residual, sums.residual);
    }
}

TEST(Guttman, FloatsAreWidenedNotRounded) {
  const Matrix<float> single = dissimilarities(40).cast<float>();
  const Matrix<double> wide = single.cast<double>(), x = test::sample(40, 2, 3, 0.0);
  const Dataset a(single), b(wide);
  Matrix<double> narrow_image, wide_image;
  guttman_transform(PairDistances<float>::given(a), {}, x, narrow_image, {});
  guttman_transform(PairDistances<double>::given(b), {}, x, wide_image, {});
  EXPECT_EQ(narrow_image, wide_image);
}

TEST(Guttman, PullOfOnePoint) {
  const Matrix<double> x = test::sample(300, 3, 3, 0.0);
  const Vector<double> targets = test::sample(300, 1, 4, 2.0).cwiseAbs();
  Vector<double> y = x.row(5).transpose();  // on top of a point of the map, which counts nothing
  Vector<double> expected = Vector<double>::Zero(3), out(3);
  for (Index j = 0; j < 300; ++j)
    if (const double d = (y.transpose() - x.row(j)).norm(); d > 0.0)
      expected += targets[j] / d * (y - x.row(j).transpose());
  guttman_pull(x, targets.data(), y.data(), out.data());
  EXPECT_LE((out - expected).cwiseAbs().maxCoeff(), 1e-11);  // 300 terms of size 2
}

}  // namespace
}  // namespace fewdim
