#include <gtest/gtest.h>

#include "operators/column_moments.hpp"
#include "operators/gram_matrix.hpp"
#include "operators/row_moments.hpp"
#include "operators/tile_products.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

using test::distance;

struct Exact {
  Vector<double> mean;
  Matrix<double> scatter;
};

/// The definition, in long double.
Exact by_definition(const Matrix<double>& x, const Vector<double>& w, bool center) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Wide xl = x.cast<long double>();
  const Eigen::Matrix<long double, Eigen::Dynamic, 1> wl = w.cast<long double>();
  const Eigen::Matrix<long double, Eigen::Dynamic, 1> mean = (xl.transpose() * wl) / wl.sum();
  Wide centered = xl;
  if (center) centered.rowwise() -= mean.transpose();
  const Wide scatter = centered.transpose() * wl.asDiagonal() * centered;
  return {mean.cast<double>(), scatter.cast<double>()};
}

Matrix<double> full(Matrix<double> lower) {
  symmetrize(lower);
  return lower;
}

TEST(RowMoments, AreTheDefinition) {
  const Matrix<double> x = test::sample(4321, 17);
  const Exact exact = by_definition(x, Vector<double>::Ones(4321), true);
  const Moments m = row_moments(Dataset(x), {}, {});
  EXPECT_EQ(m.rows, 4321);
  EXPECT_LE(distance(m.mean, exact.mean), 1e-13 * exact.mean.maxCoeff());
  EXPECT_LE(distance(full(m.scatter), exact.scatter), 1e-13 * exact.scatter.maxCoeff());
}

TEST(RowMoments, LargeMeansCostNoDigits) {
  // Mean 1e6 times the spread: the textbook's Σxx − Nμμ would lose 12 of 16 digits. The data themselves are rounded to
  // 1e6·2⁻⁵³, so the reference is computed from the rounded data.
  const Matrix<double> x = test::sample(3000, 8, 1, 1e6);
  const Exact exact = by_definition(x, Vector<double>::Ones(3000), true);
  const Moments m = row_moments(Dataset(x), {}, {});
  EXPECT_LE(distance(full(m.scatter), exact.scatter), 1e-9 * exact.scatter.maxCoeff());
}

TEST(RowMoments, WeightsCountAsRepeatedRows) {
  const Matrix<double> x = test::sample(200, 5);
  Vector<double> w(200);
  Matrix<double> repeated(0, 5);
  for (Index i = 0; i < 200; ++i) {
    w[i] = static_cast<double>(i % 3);
    for (Index r = 0; r < i % 3; ++r) {
      repeated.conservativeResize(repeated.rows() + 1, 5);
      repeated.bottomRows(1) = x.row(i);
    }
  }
  const Moments weighted = row_moments(Dataset(x), {.weights = &w}, {});
  const Moments plain = row_moments(Dataset(repeated), {}, {});
  EXPECT_EQ(weighted.weight, static_cast<double>(repeated.rows()));
  EXPECT_LE(distance(weighted.mean, plain.mean), 1e-13);
  EXPECT_LE(distance(full(weighted.scatter), full(plain.scatter)), 1e-12 * plain.scatter.maxCoeff());
}

TEST(RowMoments, MergeExactly) {
  const Matrix<double> x = test::sample(1000, 6);
  Moments merged = row_moments(Dataset(x.topRows(1)), {}, {});
  merged.merge(row_moments(Dataset(x.middleRows(1, 698)), {}, {}), true);
  merged.merge(row_moments(Dataset(x.bottomRows(301)), {}, {}), true);
  const Moments whole = row_moments(Dataset(x), {}, {});
  EXPECT_EQ(merged.rows, 1000);
  EXPECT_LE(distance(merged.mean, whole.mean), 1e-14 * whole.mean.maxCoeff());
  EXPECT_LE(distance(full(merged.scatter), full(whole.scatter)), 1e-13 * whole.scatter.maxCoeff());
}

TEST(RowMoments, ManyColumnsShareOneMatrix) {
  const Matrix<double> x = test::sample(600, 1100);  // above the limit of a matrix per lane
  const Exact exact = by_definition(x.leftCols(40), Vector<double>::Ones(600), true);
  const Moments m = row_moments(Dataset(x), {}, {.threads = 2});
  EXPECT_LE(distance(full(m.scatter).topLeftCorner(40, 40), exact.scatter), 1e-11 * exact.scatter.maxCoeff());
  const Moments again = row_moments(Dataset(x), {}, {.threads = 3});
  EXPECT_TRUE(m.scatter == again.scatter);
}

TEST(RowMoments, SameBitsFromMemoryStreamAndAnyThreads) {
  const Matrix<double> x = test::sample(20000, 33);
  const RowMatrix<double> row_major = x;
  const Moments first = row_moments(Dataset(x), {}, {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const Moments again = row_moments(Dataset(row_major), {}, {.threads = threads});
    EXPECT_TRUE(again.scatter == first.scatter && again.mean == first.mean) << threads;
    const Dataset stream(std::make_shared<test::MatrixStream<double>>(x, false, false));
    const Moments streamed = row_moments(stream, {}, {.threads = threads});
    EXPECT_TRUE(streamed.scatter == first.scatter && streamed.mean == first.mean) << threads;
  }
}

TEST(RowMoments, SparseRowsGiveTheSameBitsAsDense) {
  const Matrix<double> x = test::sparse_sample(800, 12, 0.3);
  const Moments dense = row_moments(Dataset(x), {}, {});
  const Moments sparse = row_moments(Dataset(test::to_csr(x)), {}, {});
  EXPECT_TRUE(dense.scatter == sparse.scatter);
}

TEST(RowMoments, FloatProductsKeepTheirStatedError) {
  const Matrix<float> x = test::sample<float>(50000, 24);
  const Exact exact = by_definition(x.cast<double>(), Vector<double>::Ones(50000), true);
  const Moments fast = row_moments(Dataset(x), {.float64_products = false}, {});
  const Moments high = row_moments(Dataset(x), {.float64_products = true}, {});
  const double trace = exact.scatter.trace();
  EXPECT_LE(distance(full(fast.scatter), exact.scatter), forming_error(50000, 4096, false) * trace);
  EXPECT_LE(distance(full(high.scatter), exact.scatter), forming_error(50000, 4096, true) * trace);
  EXPECT_GT(distance(full(fast.scatter), exact.scatter), 1e-11 * trace);  // it does compute in float
}

TEST(RowMoments, RefuseValuesThatAreNotNumbers) {
  Matrix<double> x = test::sample(100, 3);
  x(41, 2) = std::nan("");
  EXPECT_THROW(row_moments(Dataset(x), {}, {}), DataError);
  EXPECT_THROW(row_moments(Dataset(std::make_shared<test::MatrixStream<double>>(x, false)), {}, {}), DataError);
  x(41, 2) = 1e308;
  x(42, 2) = 1e308;
  EXPECT_THROW(row_moments(Dataset(x), {}, {}), DataError);  // finite, but the sum is not
}

TEST(GramMatrix, IsTheDefinition) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{60, 2000}, {1100, 300}}) {
    const Matrix<double> x = test::sample(rows, cols, 1, 0.01);
    Vector<double> w = Vector<double>::LinSpaced(rows, 0.5, 1.5);
    for (const bool center : {true, false})
      for (const bool scale : {true, false}) {
        const GramMatrix g = gram_matrix(Dataset(x), {.center = center, .weights = &w}, scale, 7.0, {.threads = 2});
        Matrix<double> a = x;
        if (center) a.rowwise() -= (x.transpose() * w / w.sum()).transpose();
        a = w.cwiseSqrt().asDiagonal() * a;
        const Vector<double> scatter = a.colwise().squaredNorm();
        EXPECT_LE(distance(g.column_scatter, scatter), 1e-12 * scatter.maxCoeff());
        if (scale) a = a * (scatter / 7.0).cwiseSqrt().cwiseInverse().asDiagonal();
        const Matrix<double> exact = a * a.transpose();
        EXPECT_LE(distance(full(g.gram), exact), 1e-12 * exact.cwiseAbs().maxCoeff());
      }
  }
}

TEST(ColumnMoments, AgreeDenseSparseAndStream) {
  const Matrix<double> x = test::sparse_sample(3000, 25, 0.2);
  Vector<double> w = Vector<double>::LinSpaced(3000, 0.0, 2.0);
  for (const bool center : {true, false}) {
    const ScatterOptions options{.center = center, .weights = &w};
    const Exact exact = by_definition(x, w, center);
    const Dataset dense(x), sparse(test::to_csr(x)), stream(std::make_shared<test::MatrixStream<double>>(x, true));
    for (const Dataset* data : {&dense, &sparse, &stream}) {
      const ColumnMoments m = column_moments(*data, options, {.threads = 2});
      EXPECT_EQ(m.rows, 3000);
      EXPECT_LE(distance(m.scatter, exact.scatter.diagonal()), 1e-12 * exact.scatter.maxCoeff());
      EXPECT_LE(distance(m.mean, center ? exact.mean : Vector<double>::Zero(25)), 1e-13);
    }
  }
}

TEST(BackProject, IsTheAdjointByColumnTiles) {
  const Matrix<double> x = test::sample(50, 7000);
  Standardization s;
  s.mean = x.colwise().mean();
  s.inverse_scale = Vector<double>::LinSpaced(7000, 0.5, 2.0);
  s.root_weights = Vector<double>::LinSpaced(50, 0.5, 2.0);
  Matrix<double> a = x;
  a.rowwise() -= s.mean.transpose();
  a = s.root_weights.asDiagonal() * a * s.inverse_scale.asDiagonal();
  const Matrix<double> u = test::sample(50, 6, 9);
  Matrix<double> out(7000, 6);
  back_project(Dataset(x), s, true, u, out, {.threads = 2});
  EXPECT_LE(distance(out, a.transpose() * u), 1e-12 * out.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace fewdim
