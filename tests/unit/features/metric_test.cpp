#include "features/metric.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace fewdim {
namespace {

/// Each metric by its definition, in long double.
long double by_definition(Metric metric, Eigen::VectorXd xd, Eigen::VectorXd yd) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  Wide x = xd.cast<long double>(), y = yd.cast<long double>();
  switch (metric) {
    case Metric::euclidean:
      return (x - y).norm();
    case Metric::correlation:
      x.array() -= x.mean(), y.array() -= y.mean();
      [[fallthrough]];
    case Metric::cosine:
      return 1.0L - x.dot(y) / x.norm() / y.norm();
    case Metric::manhattan:
      return (x - y).cwiseAbs().sum();
    case Metric::chebyshev:
      return (x - y).cwiseAbs().maxCoeff();
    case Metric::hamming:
      return static_cast<long double>((x.array() != y.array()).count()) / x.size();
    default:
      return NAN;
  }
}

template <class C>
void expect_definition(Metric metric, double tolerance) {
  // 19 columns: two full runs of eight sums and a rest.
  Matrix<C> x = test::sample<C>(23, 19, 1), y = test::sample<C>(9, 19, 2);
  for (Index j = 0; j < 19; j += 3) y.col(j) = x.col(j).head(9);  // so that hamming is not always 1
  const Vector<double> center = metric_center(Dataset(x), metric, {});
  const auto a = pack_rows<C>(Dataset(x), metric, center, "test", {});
  const auto b = pack_rows<C>(Dataset(y), metric, center, "test", {});
  std::vector<C> tile(7 * 5);
  distance_tile(a, 3, 7, b, 2, 5, false, tile.data());
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 5; ++j) {
      const auto truth = static_cast<double>(
          by_definition(metric, x.row(3 + i).template cast<double>(), y.row(2 + j).template cast<double>()));
      EXPECT_NEAR(tile[static_cast<std::size_t>(i * 5 + j)], truth, tolerance * (1 + truth)) << enum_text(metric);
      EXPECT_NEAR(distance(a, 3 + i, b, 2 + j), truth, tolerance * (1 + truth)) << enum_text(metric);
    }
  EXPECT_EQ(distance(a, 4, a, 4), 0.0);
}

TEST(Metric, EachIsItsDefinition) {
  for (const auto& [metric, name] : EnumNames<Metric>::names) {
    if (!compares_rows(metric)) continue;
    expect_definition<double>(metric, 1e-13);  // 19 sums of numbers up to 20
    expect_definition<float>(metric, 2e-5);    // the same, with ε = 6e-8; the data are rounded as well
  }
}

TEST(Metric, ACenterSavesTheDigitsOfALargeMean) {
  // Points 1e-3 apart at 1e6: the plain formula ‖x‖²+‖y‖²−2x·y would keep an error of 1e12·ε = 2e-4 in the square.
  Matrix<double> x = Matrix<double>::Constant(4, 3, 1e6);
  for (Index i = 0; i < 4; ++i) x(i, i % 3) += 1e-3 * static_cast<double>(i + 1);
  const auto a =
      pack_rows<double>(Dataset(x), Metric::euclidean, metric_center(Dataset(x), Metric::euclidean, {}), "test", {});
  std::vector<double> tile(16);
  distance_tile(a, 0, 4, a, 0, 4, false, tile.data());
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j)  // 1e6 holds numbers to 1e-10
      EXPECT_NEAR(tile[static_cast<std::size_t>(4 * i + j)], (x.row(i) - x.row(j)).norm(), 1e-8);
}

TEST(Metric, SquaredLeavesOutTheRoot) {
  const Matrix<double> x = test::sample(6, 4);
  const auto a =
      pack_rows<double>(Dataset(x), Metric::euclidean, metric_center(Dataset(x), Metric::euclidean, {}), "test", {});
  std::vector<double> plain(36), squared(36);
  distance_tile(a, 0, 6, a, 0, 6, false, plain.data());
  distance_tile(a, 0, 6, a, 0, 6, true, squared.data());
  for (std::size_t i = 0; i < 36; ++i) EXPECT_EQ(plain[i], std::sqrt(squared[i]));
}

TEST(Metric, SparseRowsAreTheirDenseTwins) {
  const Matrix<double> x = test::sparse_sample(20, 12, 0.4);
  const Csr<double> csr = test::to_csr(x);
  for (const auto& [metric, name] : EnumNames<Metric>::names) {
    if (metric == Metric::cosine || metric == Metric::correlation || !compares_rows(metric)) continue;
    const Vector<double> center = metric_center(Dataset(csr.view()), metric, {});
    const auto dense = pack_rows<double>(Dataset(x), metric, center, "test", {});
    const auto sparse = pack_rows<double>(Dataset(csr.view()), metric, center, "test", {});
    for (Index i = 0; i < 20; ++i) EXPECT_EQ(distance(dense, i, dense, 0), distance(sparse, i, sparse, 0));
  }
}

TEST(Metric, OnlyMetricsBetweenRowsPackRows) {
  const Matrix<double> x = test::sample(5, 3);
  EXPECT_THROW(pack_rows<double>(Dataset(x), Metric::precomputed, {}, "test", {}), Error);
  EXPECT_THROW(pack_rows<double>(Dataset(x), Metric::automatic, {}, "test", {}), Error);
}

TEST(Metric, RowsWithoutADirectionAreNamed) {
  Matrix<double> x = test::sample(5, 3);
  x.row(2).setConstant(0.1);
  Dataset data(x);
  data.row_names = {"a", "b", "c", "d", "e"};
  try {
    pack_rows<double>(data, Metric::correlation, {}, "mds", {});
    FAIL() << "took a constant row";
  } catch (const DataError& e) {
    EXPECT_EQ(
        e.message(speak_command_line),
        "mds: row 3 (c) is constant, so it has no correlation distance; drop such rows, or use --metric euclidean");
  }
  EXPECT_NO_THROW(pack_rows<double>(data, Metric::cosine, {}, "mds", {}));
  x.row(2).setZero();
  EXPECT_THROW(pack_rows<double>(data, Metric::cosine, {}, "mds", {}), DataError);
  x(1, 1) = NAN;
  EXPECT_THROW(pack_rows<double>(data, Metric::euclidean, {}, "mds", {}), DataError);
}

}  // namespace
}  // namespace fewdim
