#include "fewdim/random_projection.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "fewdim/svd.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

using Kind = ProjectionKind;

double measure(const Model& model, const std::string& name) {
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, name)) return found->value;
  ADD_FAILURE() << name;
  return NAN;
}

/// Independent standard normals: no feature weighs more than another, as the bound of the sparse kind wants it.
Matrix<double> white(Index rows, Index cols) {
  Matrix<double> x(rows, cols);
  const Random random(5, 0);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  return x;
}

const RandomProjectionOptions every_way[] = {{.components = 40, .kind = Kind::gaussian},
                                             {.components = 40, .kind = Kind::sparse, .density = 1.0 / 3},
                                             {.components = 40, .kind = Kind::sparse},
                                             {.components = 40, .kind = Kind::sparse, .density = 0.02},
                                             {.components = 40, .kind = Kind::hadamard}};

// scikit-learn 1.x, johnson_lindenstrauss_min_dim(n, eps=e): 4 ln n/(e²/2 − e³/3), truncated.
TEST(RandomProjection, DimensionIsJohnsonAndLindenstrausss) {
  EXPECT_EQ(johnson_lindenstrauss(1'000'000, 0.5), 663);    // its documentation's example
  EXPECT_EQ(johnson_lindenstrauss(1'000'000, 0.1), 11841);  // the same
  EXPECT_EQ(johnson_lindenstrauss(10'000, 0.1), 7894);
  EXPECT_EQ(johnson_lindenstrauss(100'000, 0.1), 9868);
}

TEST(RandomProjection, KeepsEveryPairWithinItsDistortion) {
  const Matrix<double> x = white(60, 2000);
  for (const Kind kind : {Kind::gaussian, Kind::sparse, Kind::hadamard}) {
    const Model model = fit_random_projection(x, {.kind = kind, .distortion = 0.3});
    EXPECT_EQ(model.components(), johnson_lindenstrauss(60, 0.3));
    EXPECT_EQ(measure(model, "distortion_pairs"), 1000);
    EXPECT_GE(measure(model, "distortion_least"), -0.3);
    EXPECT_LE(measure(model, "distortion_most"), 0.3);
  }
}

// ‖Rᵀx‖²/‖x‖² of a Gaussian R is χ²_k/k: over 400 seeds its mean has standard deviation √(2/k/400).
TEST(RandomProjection, KeepsLengthsOnAverage) {
  const Matrix<double> x = test::sample(3, 70);
  for (const Kind kind : {Kind::gaussian, Kind::sparse, Kind::hadamard}) {
    Vector<double> sum = Vector<double>::Zero(3);
    for (Seed seed = 0; seed < 400; ++seed) {
      const Matrix<double> y = fit_random_projection(x, {.components = 10, .kind = kind, .seed = seed}).transform(x);
      sum += y.rowwise().squaredNorm();
    }
    const Vector<double> ratio = sum.cwiseQuotient(x.rowwise().squaredNorm()) / 400.0;
    // The sparse kind has variance up to (2 + 1/s − 3)/k where x has one large entry: 1/s = √70 here.
    const double spread = std::sqrt((kind == Kind::sparse ? 8.0 : 2.0) / 10.0 / 400.0);
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(ratio[i], 1.0, 4.0 * spread);
  }
}

TEST(RandomProjection, DrawnAndStoredMapsAgree) {
  const Matrix<double> x = test::sample(90, 300);
  for (RandomProjectionOptions options : every_way) {
    const Model drawn = fit_random_projection(x, options);
    options.store = true;
    const Model stored = fit_random_projection(x, options);
    EXPECT_EQ(stored.linear().map.rows(), 300);
    EXPECT_EQ(drawn.linear().map.size(), 0);
    const Matrix<double> y = drawn.transform(x);
    const double size = y.cwiseAbs().maxCoeff();
    EXPECT_LE(test::distance(stored.transform(x), y), 1e-12 * size);
    EXPECT_LE(test::distance(stored.inverse_transform(y), drawn.inverse_transform(y)), 1e-10 * size);
  }
}

TEST(RandomProjection, GoesBackToTheShortestRowWithTheSameImage) {
  const Matrix<double> x = test::sample(20, 100);
  for (const Kind kind : {Kind::gaussian, Kind::hadamard}) {
    const Model model = fit_random_projection(x, {.components = 30, .kind = kind});
    const Matrix<double> y = model.transform(x), back = model.inverse_transform(y);
    EXPECT_LE(test::distance(model.transform(back), y), 1e-12 * y.cwiseAbs().maxCoeff());
    for (Index i = 0; i < 20; ++i) EXPECT_LE(back.row(i).norm(), x.row(i).norm());
  }
}

TEST(RandomProjection, DenseSparseAndStreamAgree) {
  const Matrix<double> x = test::sparse_sample(700, 300, 0.1);
  for (const RandomProjectionOptions& options : every_way) {
    const Model model = fit_random_projection(x, options);
    const Model pipe =
        fit_random_projection(Dataset(std::make_shared<test::MatrixStream<double>>(x, false, false)), options);
    EXPECT_EQ(pipe.head().diagnostics, model.head().diagnostics);
    const Matrix<double> y = model.transform(x);
    const Matrix<double> sparse = model.transform(Dataset(test::to_csr(x))).matrix<double>();
    const Dataset stream(std::make_shared<test::MatrixStream<double>>(x, false, false));
    EXPECT_EQ(model.transform(stream).matrix<double>(), y);
    EXPECT_LE(test::distance(sparse, y), 1e-12 * y.cwiseAbs().maxCoeff());
  }
}

TEST(RandomProjection, SameBitsAtAnyThreadsAndHoweverRowsAreBatched) {
  const Matrix<double> x = test::sample(1100, 1300);  // several column blocks, and more than one task of rows
  for (const RandomProjectionOptions& options : every_way) {
    const Model model = fit_random_projection(x, options, {.threads = 1});
    const Matrix<double> y = model.transform(Dataset(x), {.threads = 1}).matrix<double>();
    for (const int threads : {2, 3}) EXPECT_EQ(model.transform(Dataset(x), {.threads = threads}).matrix<double>(), y);
    const RowMatrix<double> row_major = x;
    EXPECT_EQ(model.transform(Dataset(row_major)).matrix<double>(), y);
    const Matrix<double> some = x.middleRows(1000, 37);
    const RowMatrix<double> by_rows = some;
    EXPECT_EQ(model.transform(some), y.middleRows(1000, 37));
    EXPECT_EQ(model.transform(Dataset(by_rows)).matrix<double>(), y.middleRows(1000, 37));
  }
}

TEST(RandomProjection, SingleStaysSingle) {
  const Matrix<float> x = test::sample<float>(50, 400);
  for (const RandomProjectionOptions& options : every_way) {
    const Model model = fit_random_projection(x, options);
    const Dataset y = model.transform(Dataset(x));
    EXPECT_EQ(y.precision(), Precision::float32);
    const Matrix<double> exact = model.transform(Dataset(Matrix<double>(x.cast<double>()))).matrix<double>();
    EXPECT_LE(test::distance(y.matrix<double>(), exact), 1e-5 * exact.cwiseAbs().maxCoeff());
  }
}

TEST(RandomProjection, ModelFileHoldsTheSeedAlone) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("fewdim-rp-" + std::to_string(::getpid()))).string();
  const Matrix<double> x = test::sample(30, 5000);
  const Model model = fit_random_projection(x, {.components = 100, .kind = Kind::sparse, .seed = ~Seed{0}});
  model.save(path, true);
  EXPECT_LT(std::filesystem::file_size(path), 10'000u);  // the map would take 4 MB
  EXPECT_EQ(Model::load(path).transform(x), model.transform(x));
  std::filesystem::remove(path);
}

TEST(RandomProjection, RefusesWhatItCantDo) {
  const Matrix<double> x = test::sample(30, 50);
  EXPECT_THROW(fit_random_projection(x, {}), InvalidOption);  // 30 rows within 0.1 take 2,915 components
  EXPECT_THROW(fit_random_projection(x, {.components = 51}), InvalidOption);
  EXPECT_THROW(fit_random_projection(x, {.components = 0.9}), InvalidOption);
  EXPECT_THROW(fit_random_projection(x, {.components = 2, .density = 0.0}), InvalidOption);
  EXPECT_THROW(fit_random_projection(x, {.distortion = 1.0}), InvalidOption);
  Matrix<double> bad = x;
  bad(3, 49) = INFINITY;  // a feature that the sparse map may not touch
  for (const RandomProjectionOptions& options : every_way) {
    const Model model = fit_random_projection(x, options);
    EXPECT_THROW(model.transform(bad), DataError);
    EXPECT_THROW(model.transform(Dataset(test::to_csr(bad))), DataError);
  }
  const Model model = fit_random_projection(x, {.components = 5});
  EXPECT_THROW(model.inverse_transform(Dataset(Matrix<double>(1, 5)), {.memory_limit = 1000}), OverMemory);
  EXPECT_THROW(verify(model, x), Unsupported);
}

}  // namespace
}  // namespace fewdim
