#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "fewdim/io.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/svd.hpp"
#include "support/data.hpp"
#include "unit/quality/low_rank.hpp"

namespace fewdim {
namespace {

Csr<double> sparse_of(const Matrix<double>& x) {
  Csr<double> csr;
  csr.rows = x.rows(), csr.cols = x.cols();
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j)
      if (x(i, j) != 0.0) csr.columns.push_back(static_cast<std::int32_t>(j)), csr.values.push_back(x(i, j));
    csr.offsets.push_back(static_cast<std::int64_t>(csr.values.size()));
  }
  return csr;
}

/// Rows of a matrix, a few at a time; does not tell how many there are.
class Rows : public RowStream {
 public:
  explicit Rows(Matrix<double> x) : x_(std::move(x)) {}
  Index cols() const override { return x_.cols(); }
  std::optional<Index> rows() const override { return std::nullopt; }
  Precision precision() const override { return Precision::float64; }
  bool rewindable() const override { return true; }
  void rewind() override { next_ = 0; }
  Index read(double* out, Index most) override { return copy(out, most); }
  Index read(float* out, Index most) override { return copy(out, most); }

 private:
  template <class T>
  Index copy(T* out, Index most) {
    const Index count = std::min({most, Index{7}, x_.rows() - next_});
    for (Index i = 0; i < count; ++i, ++next_)
      for (Index j = 0; j < cols(); ++j) *out++ = static_cast<T>(x_(next_, j));
    return count;
  }
  Matrix<double> x_;
  Index next_ = 0;
};

void expect_same(const RowStatistics& a, const RowStatistics& b, double tolerance) {
  EXPECT_TRUE(a.t2.isApprox(b.t2, tolerance));
  EXPECT_TRUE(a.spe.isApprox(b.spe, tolerance)) << (a.spe - b.spe).norm();
  EXPECT_TRUE(a.contributions.isApprox(b.contributions, tolerance));
  EXPECT_TRUE(a.cos2.isApprox(b.cos2, tolerance));
}

class SumsOverRows : public testing::TestWithParam<bool> {};

TEST_P(SumsOverRows, Identities) {
  const Matrix<double> x = low_rank_plus_noise(70, 9, 2, 1.0, 4);
  PcaOptions options{.components = 3};
  options.scale = GetParam();
  const Model model = fit_pca(x, options);
  const RowStatistics rows = row_statistics(model, x);
  for (Index c = 0; c < 3; ++c) EXPECT_NEAR(rows.contributions.col(c).sum(), 1.0, 1e-12);
  // Σ T² = Σ_k Σ_i y²/λ = k (N−1), for λ with divisor N−1.
  EXPECT_NEAR(rows.t2.sum(), 3.0 * 69.0, 1e-9);
  // Σ SPE/(N−1) is the variance left out.
  const LinearModel& shape = model.linear();
  EXPECT_NEAR(rows.spe.sum() / 69.0, shape.total_variance - shape.explained_variance.sum(), 1e-9);
  // In the plane and off it: ‖x̃‖² = ‖y‖² + SPE, with ‖x̃‖² = ‖y‖²/Σcos².
  const Matrix<double> scores = model.transform(x);
  for (Index i = 0; i < 70; ++i) {
    const double in_plane = scores.row(i).squaredNorm(), share = rows.cos2.row(i).sum();
    EXPECT_NEAR(in_plane / share, in_plane + rows.spe[i], 1e-9 * in_plane / share);
    EXPECT_LE(share, 1.0 + 1e-12);
  }
}
INSTANTIATE_TEST_SUITE_P(RowStatistics, SumsOverRows, testing::Bool(),
                         [](const auto& scaled) { return scaled.param ? "Scaled" : "Unscaled"; });

TEST(RowStatistics, AllComponentsLeaveNothing) {
  const Matrix<double> x = low_rank_plus_noise(40, 6, 2, 1.0, 4);
  const RowStatistics rows = row_statistics(fit_pca(x, {.components = 6}), x);
  for (Index i = 0; i < 40; ++i) {
    EXPECT_NEAR(rows.cos2.row(i).sum(), 1.0, 1e-12);
    EXPECT_NEAR(rows.spe[i], 0.0, 1e-20);  // residuals of size 1e-14, squared
  }
}

TEST(RowStatistics, DirectComputation) {
  const Matrix<double> x = low_rank_plus_noise(50, 7, 2, 1.0, 9), fresh = low_rank_plus_noise(11, 7, 2, 1.0, 10);
  const Model model = fit_pca(x, {.components = 2, .scale = true});
  const LinearModel& shape = model.linear();
  const RowStatistics rows = row_statistics(model, fresh);
  for (Index i = 0; i < 11; ++i) {
    const Vector<double> z = ((fresh.row(i).transpose() - shape.mean).array() / shape.scale.array()).matrix();
    const Vector<double> y = shape.map.transpose() * z;
    EXPECT_NEAR(rows.t2[i], (y.array().square() / shape.explained_variance.array()).sum(), 1e-10);
    EXPECT_NEAR(rows.spe[i], (z - shape.map * y).squaredNorm(), 1e-10);
    EXPECT_NEAR(rows.cos2(i, 1), y[1] * y[1] / z.squaredNorm(), 1e-12);
  }
}

TEST(RowStatistics, WhiteningChangesNothing) {
  const Matrix<double> x = low_rank_plus_noise(50, 7, 2, 1.0, 9);
  expect_same(row_statistics(fit_pca(x, {.components = 2}), x),
              row_statistics(fit_pca(x, {.components = 2, .whiten = true}), x), 1e-12);
}

TEST(RowStatistics, EveryKindOfDataAgrees) {
  Matrix<double> x = low_rank_plus_noise(90, 25, 3, 1.0, 6);
  x = (x.array().abs() < 1.0).select(0.0, x);
  const Model model = fit_pca(x, {.components = 3, .scale = true});
  const RowStatistics dense = row_statistics(model, x);
  const RowMatrix<double> row_major = x;
  expect_same(dense, row_statistics(model, row_major), 1e-12);
  expect_same(dense, row_statistics(model, Dataset(sparse_of(x))), 1e-12);
  expect_same(dense, row_statistics(model, Dataset(std::make_shared<Rows>(x))), 1e-12);
  const Matrix<float> narrow = x.cast<float>();
  expect_same(dense, row_statistics(model, narrow), 1e-5);  // the data have 24 bits
}

TEST(RowStatistics, WideRowsGoThroughColumnBlocks) {
  const Matrix<double> x = low_rank_plus_noise(20, 2500, 2, 2.0, 6);
  const Model model = fit_pca(x, {.components = 2});
  const RowStatistics rows = row_statistics(model, x);
  const Matrix<double> rest = x - model.inverse_transform(model.transform(x));
  for (Index i = 0; i < 20; ++i) EXPECT_NEAR(rows.spe[i] / rest.row(i).squaredNorm(), 1.0, 1e-10);
}

TEST(RowStatistics, SparseRowsInThePlaneDoNotCancel) {
  // Rank 2 exactly: SPE is rounding, and its square root is not √ε of the row's length.
  Matrix<double> u(30, 2), v(2, 8);
  fill_normal<double>(1, 0, u);
  fill_normal<double>(1, 10, v);
  const Matrix<double> x = u * v;
  const Model model = fit_pca(x, {.components = 2});
  EXPECT_LT(row_statistics(model, Dataset(sparse_of(x))).spe.maxCoeff(), 1e-24 * x.squaredNorm());
}

TEST(RowStatistics, SameBitsAtAnyThreadCount) {
  const Matrix<double> x = low_rank_plus_noise(3000, 12, 3, 1.0, 6);
  Execution one, three;
  one.threads = 1, three.threads = 3;
  const Model model = fit_pca(x, {.components = 3});
  const RowStatistics a = row_statistics(model, x, one), b = row_statistics(model, x, three);
  EXPECT_EQ(a.t2, b.t2);
  EXPECT_EQ(a.spe, b.spe);
  EXPECT_EQ(a.contributions, b.contributions);
}

TEST(RowStatistics, TheMeanHasNoDirection) {
  const Matrix<double> x = low_rank_plus_noise(30, 4, 1, 1.0, 6);
  const Model model = fit_pca(x, {.components = 2});
  const Matrix<double> mean = model.linear().mean.transpose();
  const RowStatistics rows = row_statistics(model, mean);
  EXPECT_EQ(rows.cos2.sum(), 0.0);
  EXPECT_EQ(rows.t2[0], 0.0);
  EXPECT_EQ(rows.contributions.sum(), 0.0);
}

TEST(RowStatistics, BadInput) {
  const Matrix<double> x = low_rank_plus_noise(30, 4, 1, 1.0, 6);
  const Model model = fit_pca(x, {.components = 2});
  const Matrix<double> narrow = x.leftCols(3);
  EXPECT_THROW(row_statistics(model, narrow), DataError);
  Matrix<double> hole = x;
  hole(3, 2) = std::nan("");
  EXPECT_THROW(row_statistics(model, hole), DataError);
  EXPECT_THROW(row_statistics(Model(), x), Unsupported);
  EXPECT_THROW(column_statistics(Model()), Unsupported);
  EXPECT_EQ(row_statistics(model, Matrix<double>(0, 4)).t2.size(), 0);
}

TEST(RowStatistics, SparseRowsAreCheckedBeforeTheyAreTouched) {
  const Matrix<double> x = test::sample(20, 4);
  const Model model = fit_pca(x, {.components = 2});
  Csr<double> csr = test::to_csr(x);
  csr.columns[7] = 1'000'000'000;
  EXPECT_THROW(row_statistics(model, Dataset(csr.view())), DataError);
  EXPECT_THROW(verify(model, Dataset(csr.view())), DataError);
}

// A model file may hold the map alone.
TEST(Statistics, ModelsWithoutEigenvaluesSaySo) {
  const Matrix<double> x = test::sample(20, 4);
  const Model fitted = fit_pca(x, {.components = 2});
  LinearModel shape;
  shape.map = fitted.linear().map;
  const Model bare(fitted.head(), shape);
  EXPECT_THROW(row_statistics(bare, x), Unsupported);
  EXPECT_THROW(column_statistics(bare), Unsupported);
  EXPECT_THROW(verify(bare, x), Unsupported);
}

// T² and SPE of a row are compared with their limits; the normalizer must not change who is outside.
TEST(DistanceLimits, DdofChangesNoVerdict) {
  const Matrix<double> x = test::sample(12, 6);  // few rows: N and N−1 differ by 9 %
  const Model one = fit_pca(x, {.components = 2, .ddof = 1}), zero = fit_pca(x, {.components = 2, .ddof = 0});
  const RowStatistics rows_one = row_statistics(one, x), rows_zero = row_statistics(zero, x);
  for (const std::size_t level : {0u, 1u}) {
    const DistanceLimits &a = one.linear().limits[level], &b = zero.linear().limits[level];
    EXPECT_NEAR(b.spe / a.spe, 1.0, 1e-12);
    EXPECT_NEAR(b.t2 / a.t2, 12.0 / 11.0, 1e-12);
    for (Index i = 0; i < 12; ++i) EXPECT_NEAR(rows_zero.t2[i] / b.t2, rows_one.t2[i] / a.t2, 1e-10);
  }
}

TEST(ColumnStatistics, CorrelationsAreThoseOfColumnsWithScores) {
  const Matrix<double> x = low_rank_plus_noise(60, 6, 2, 1.0, 4);
  for (const bool scale : {false, true}) {
    const Model model = fit_pca(x, {.components = 3, .scale = scale});
    const ColumnStatistics columns = column_statistics(model);
    const Matrix<double> scores = model.transform(x);
    ASSERT_EQ(columns.correlations.rows(), 6);
    for (Index j = 0; j < 6; ++j)
      for (Index c = 0; c < 3; ++c) {
        const Vector<double> a = x.col(j).array() - x.col(j).mean();
        EXPECT_NEAR(columns.correlations(j, c), a.dot(scores.col(c)) / (a.norm() * scores.col(c).norm()), 1e-10);
        EXPECT_EQ(columns.cos2(j, c), columns.correlations(j, c) * columns.correlations(j, c));
      }
    for (Index c = 0; c < 3; ++c) EXPECT_NEAR(columns.contributions.col(c).sum(), 1.0, 1e-12);
  }
}

TEST(ColumnStatistics, AllComponentsExplainEachColumn) {
  const Matrix<double> x = low_rank_plus_noise(60, 6, 2, 1.0, 4);
  const ColumnStatistics columns = column_statistics(fit_pca(x, {.components = 6}));
  for (Index j = 0; j < 6; ++j) EXPECT_NEAR(columns.cos2.row(j).sum(), 1.0, 1e-10);
}

TEST(ColumnStatistics, ConstantColumnsCorrelateWithNothing) {
  Matrix<double> x = low_rank_plus_noise(60, 6, 2, 1.0, 4);
  x.col(2).setConstant(0.1);
  const ColumnStatistics columns = column_statistics(fit_pca(x, {.components = 2}));
  EXPECT_EQ(columns.correlations.row(2).cwiseAbs().sum(), 0.0);
}

TEST(ColumnStatistics, UncenteredModelsHaveLoadingsOnly) {
  const Matrix<double> x = low_rank_plus_noise(60, 6, 2, 1.0, 4);
  const ColumnStatistics columns = column_statistics(fit_svd(x, {.components = 2}));
  EXPECT_EQ(columns.loadings.rows(), 6);
  EXPECT_EQ(columns.correlations.size(), 0);
}

// The decathlon table of FactoMineR, first ten columns, scaled. From its printed summary (PCA(decathlon,
// quanti.sup = 11:12, quali.sup = 13); also at auder.net/miage/2021, correction_TP): ctr in percent, cos2, three
// digits.
TEST(Statistics, DecathlonAsFactoMineRPrints) {
  const char* home = std::getenv("FEWDIM_DATA");
  const std::filesystem::path folder = home ? home : std::filesystem::path(FEWDIM_SOURCE_DIR) / "../shared/data";
  const auto file = folder / "tables_classic/decathlon.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << "; set FEWDIM_DATA to the folder of test data";
  ReadOptions reading;
  reading.columns = {"100m",        "Long.jump", "Shot.put",   "High.jump", "400m",
                     "110m.hurdle", "Discus",    "Pole.vault", "Javeline",  "1500m"};
  const Dataset data = read(file.string(), reading);
  ASSERT_EQ(data.rows(), 41);
  const Model model = fit_pca(data, {.components = 3, .scale = true});
  const RowStatistics rows = row_statistics(model, data);
  struct Line {
    Index row;
    double contribution[3], cos2[3];
  };
  const Line printed[] = {{0, {0.467, 0.836, 1.187}, {0.112, 0.106, 0.122}},   // SEBRLE
                          {1, {1.137, 0.464, 7.960}, {0.124, 0.027, 0.373}}};  // CLAY
  for (const Line& line : printed)
    for (Index c = 0; c < 3; ++c) {
      EXPECT_NEAR(100.0 * rows.contributions(line.row, c), line.contribution[c], 5.1e-4);
      EXPECT_NEAR(rows.cos2(line.row, c), line.cos2[c], 5.1e-4);
    }
  // YURKOV, WARNERS and MARTINEAU on the first two axes.
  EXPECT_NEAR(100.0 * rows.contributions(4, 1), 6.376, 5.1e-4);
  EXPECT_NEAR(rows.cos2(4, 1), 0.499, 5.1e-4);
  EXPECT_NEAR(100.0 * rows.contributions(5, 1), 3.986, 5.1e-4);
  EXPECT_NEAR(100.0 * rows.contributions(8, 0), 2.968, 5.1e-4);
  EXPECT_NEAR(rows.cos2(8, 0), 0.284, 5.1e-4);

  // The same summary's res.pca$var$coord, eight digits; signs are free.
  const ColumnStatistics columns = column_statistics(model);
  const double coordinates[3][3] = {{0.77471983, 0.1871420, 0.18440714},   // 100m
                                    {0.74189974, 0.3454213, 0.18221105},   // Long.jump
                                    {0.62250255, 0.5983033, 0.02337844}};  // Shot.put
  for (Index j = 0; j < 3; ++j)
    for (Index c = 0; c < 3; ++c) {
      EXPECT_NEAR(std::abs(columns.correlations(j, c)), coordinates[j][c], 5.1e-8);
      EXPECT_NEAR(std::abs(columns.loadings(j, c)), coordinates[j][c], 5.1e-8);
    }
  EXPECT_NEAR(100.0 * columns.contributions(9, 2), 43.543, 5.1e-4);  // 1500m on the third
  EXPECT_NEAR(100.0 * columns.contributions(0, 0), 18.344, 5.1e-4);
  EXPECT_NEAR(columns.cos2(7, 2), 0.479, 5.1e-4);  // Pole.vault
}

}  // namespace
}  // namespace fewdim
