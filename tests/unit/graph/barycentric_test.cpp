#include "graph/barycentric.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <vector>

#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

MetricRows<double> packed(const Matrix<double>& x) {
  return pack_rows<double>(Dataset(x), Metric::euclidean, Vector<double>::Zero(x.cols()), "test", {});
}

std::vector<double> weights_of(const Matrix<double>& points, const Vector<double>& x, double regularization) {
  const auto rows = packed(points);
  std::vector<std::int32_t> all(static_cast<std::size_t>(points.rows()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  std::vector<double> gram(all.size() * all.size()), w(all.size());
  local_gram(x.data(), rows, all, gram.data());
  barycentric_weights(gram.data(), points.rows(), regularization, w.data());
  return w;
}

TEST(Barycentric, InsideATriangleTheWeightsAreItsCoordinates) {
  Matrix<double> corners(3, 2);
  corners << 0, 0, 4, 0, 0, 2;
  // (1, 1) = 1/4 · (0,0) + 1/4 · (4,0) + 1/2 · (0,2)
  const std::vector<double> w = weights_of(corners, Eigen::Vector2d(1, 1), 1e-14);
  EXPECT_NEAR(w[0], 0.25, 1e-10);
  EXPECT_NEAR(w[1], 0.25, 1e-10);
  EXPECT_NEAR(w[2], 0.50, 1e-10);
}

TEST(Barycentric, SumToOneAndDoNotChangeWhenAllIsTurnedMovedAndScaled) {
  const Matrix<double> points = test::sample(9, 4);
  const Vector<double> x = test::sample(1, 4, 3).row(0);
  const Matrix<double> turn = Eigen::HouseholderQR<Matrix<double>>(test::sample(4, 4, 7, 0.0)).householderQ();
  const Vector<double> shift = Vector<double>::Constant(4, 100.0);
  const Matrix<double> moved = (0.01 * points * turn).rowwise() + shift.transpose();
  const Vector<double> moved_x = 0.01 * turn.transpose() * x + shift;
  const std::vector<double> w = weights_of(points, x, 1e-3), again = weights_of(moved, moved_x, 1e-3);
  double sum = 0.0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += w[i];
    EXPECT_NEAR(w[i], again[i], 1e-9);  // coordinates near 100 keep 1e-14 of differences near 0.01
  }
  EXPECT_NEAR(sum, 1.0, 1e-14);
}

TEST(Barycentric, DistancesGiveTheSameGramMatrix) {
  const Matrix<double> points = test::sample(6, 3), one = test::sample(1, 3, 4);
  const Vector<double> x = one.row(0);
  const std::vector<std::int32_t> some{4, 0, 5};
  double by_rows[9], by_distances[9];
  local_gram(x.data(), packed(points), some, by_rows);
  const Matrix<double> between = test::distances_of(points, points), to = test::distances_of(one, points);
  const double lengths[3] = {to(0, 4), to(0, 0), to(0, 5)};
  local_gram(lengths, between, some, by_distances);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(by_rows[i], by_distances[i], 1e-13);
}

TEST(Barycentric, IdenticalNeighborsWeighTheSame) {
  const Matrix<double> points = Matrix<double>::Ones(4, 3);
  for (const double w : weights_of(points, Vector<double>::Ones(3), 1e-3)) EXPECT_EQ(w, 0.25);
  for (const double w : weights_of(points, Vector<double>::Zero(3), 1e-3)) EXPECT_NEAR(w, 0.25, 1e-12);
}

TEST(Barycentric, PlacingWeightsAreContinuousAtAPoint) {
  const Matrix<double> points = test::sample(7, 3);
  const auto rows = packed(points);
  const std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5, 6};
  double gram[49], w[7];
  for (const double off : {1e-2, 1e-4, 1e-6}) {
    const Vector<double> x = points.row(3).transpose() + Vector<double>::Constant(3, off);
    local_gram(x.data(), rows, all, gram);
    placing_weights(gram, 7, 1e-3, w);
    for (Index a = 0; a < 7; ++a) EXPECT_NEAR(w[a], a == 3 ? 1.0 : 0.0, 10.0 * off) << off;
  }
}

TEST(Barycentric, DistancesOfNoSpaceStillGiveWeights) {
  // Three objects 10 apart, each at 1 from the new one: no such triangle, and the matrix is indefinite.
  Matrix<double> between = Matrix<double>::Constant(3, 3, 10.0);
  between.diagonal().setZero();
  const double to[3] = {1.0, 1.0, 1.0};
  const std::vector<std::int32_t> all{0, 1, 2};
  double gram[9], w[3];
  local_gram(to, between, all, gram);
  barycentric_weights(gram, 3, 1e-3, w);
  for (const double weight : w) EXPECT_NEAR(weight, 1.0 / 3.0, 1e-12);  // by symmetry
}

}  // namespace
}  // namespace fewdim
