// The ways back from kernel PCA's coordinates to the input space.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/random.hpp"
#include "fewdim/fewdim.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

const Matrix<double> x = test::sample(120, 6), fresh = test::sample(70, 6, 9);
constexpr Preimage all_kinds[] = {Preimage::ridge, Preimage::fixed_point, Preimage::distances};

Model fit(const Matrix<double>& data, KernelPcaOptions options, Preimage kind) {
  options.inverse = kind;
  return fit_kernel_pca(data, options);
}

Matrix<double> there_and_back(const Model& model, const Matrix<double>& rows) {
  return model.inverse_transform(model.transform(rows));
}

bool same_bits(const Matrix<double>& a, const Matrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

TEST(Preimage, ALinearKernelWithAllComponentsGivesTheRowsBack) {
  const KernelPcaOptions linear{.components = Components::all, .kernel = KernelKind::linear};
  // Six columns and ten neighbors: the distances say all about a point, a new one too. They come from squares of places
  // and of means, x·x ≈ 100 each, and are divided by the extent of the neighbors, about 0.3.
  for (const bool center : {true, false}) {
    KernelPcaOptions options = linear;
    options.center = center;
    const Model model = fit(x, options, Preimage::distances);
    EXPECT_LE(test::distance(there_and_back(model, x), x), 1e-9);
    EXPECT_LE(test::distance(there_and_back(model, fresh), fresh), 1e-9);
  }
  // What the regression leaves of its own rows is ridge·W: it goes with the ridge, and the model says how much it is.
  double last = 1.0;
  for (const double ridge : {1e-2, 1e-5, 1e-8}) {
    KernelPcaOptions options = linear;
    options.ridge = ridge;
    const Model model = fit(x, options, Preimage::ridge);
    const Matrix<double> off = there_and_back(model, x) - x;
    const double error = std::sqrt(off.squaredNorm() / static_cast<double>(off.size()));
    EXPECT_NEAR(error, test::measure(model, "inverse_error"), 1e-6 * error + 1e-9);
    EXPECT_LT(error, 0.1 * last);
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

TEST(Preimage, AnOddPolynomialHasItsRowsBackByDistances) {
  // Three columns have 20 monomials up to degree three, so all of the feature space is in reach.
  const Matrix<double> z = test::sample(150, 3, 4, 0.3);
  for (const bool center : {true, false}) {
    const Model model = fit(z,
                            {.components = Components::all,
                             .kernel = KernelKind::polynomial,
                             .gamma = 0.5,
                             .offset = 1.0,
                             .degree = 3,
                             .center = center},
                            Preimage::distances);
    EXPECT_LE(test::distance(there_and_back(model, z), z), 1e-8);
  }
}

TEST(Preimage, TrainingRowsComeBackFromAllComponentsOfTheGaussianKernel) {
  // gamma 2 keeps all 119 eigenvalues above 1e-3: P is φ_i but for rounding. The iteration starts at the nearest row
  // and rests there, within 1e-9 of the kernel's width; the distances have errors of 1e-13 over the neighbors' extent.
  for (const bool center : {true, false}) {
    const KernelPcaOptions options{.components = Components::all, .gamma = 2.0, .center = center};
    EXPECT_LE(test::distance(there_and_back(fit(x, options, Preimage::fixed_point), x), x), 1e-8);
    EXPECT_LE(test::distance(there_and_back(fit(x, options, Preimage::distances), x), x), 1e-8);
  }
}

/// ‖φ(z) − P‖² but for what does not depend on z: −2 P·φ(z), from the formulas alone.
double height(const Model& model, const Matrix<double>& y, Index row, const Matrix<double>& z) {
  const KernelModel& k = model.kernel();
  const auto n = static_cast<double>(k.objects.rows());
  const Matrix<double> a = k.coefficients.rowwise() - k.coefficients.colwise().mean();
  double sum = 0.0;
  for (Index j = 0; j < k.objects.rows(); ++j) {
    const double beta = 1.0 / n + a.row(j).dot(y.row(row));
    sum += beta * std::exp(-k.gamma * (z.row(row) - k.objects.row(j)).squaredNorm());
  }
  return sum;
}

TEST(Preimage, TheFixedPointIsHigherThanAllTrainingRowsAndItsNeighborhood) {
  const Model model = fit(x, {.components = 8}, Preimage::fixed_point);
  const Matrix<double> y = model.transform(fresh), z = model.inverse_transform(y);
  const Random random(3, 0);
  for (Index i = 0; i < 8; ++i) {
    const double best = height(model, y, i, z);
    for (Index j = 0; j < x.rows(); ++j)
      EXPECT_LE(height(model, y, i, x.row(j).replicate(fresh.rows(), 1)), best + 1e-12);
    for (std::uint64_t t = 0; t < 20; ++t) {  // 1e-3 away in any direction it is lower, but for rounding
      Matrix<double> near = z;
      for (Index c = 0; c < near.cols(); ++c)
        near(i, c) += 1e-3 * random.normal(t * 100 + static_cast<std::uint64_t>(c));
      EXPECT_LE(height(model, y, i, near), best + 1e-12);
    }
  }
}

TEST(Preimage, NoisyDigitsBecomeCleaner) {
  // 800 clean digits for the fit; 100 others with noise of standard deviation 4 on their gray values from 0 to 16.
  const Matrix<double> digits = builtin_table("digits").matrix<double>();
  const Matrix<double> known = digits.topRows(800), clean = digits.middleRows(1000, 100);
  Matrix<double> noisy = clean;
  for (Index j = 0; j < noisy.cols(); ++j) {
    const Random random(1, static_cast<std::uint32_t>(j));
    for (Index i = 0; i < noisy.rows(); ++i) noisy(i, j) += 4.0 * random.normal(static_cast<std::uint64_t>(i));
  }
  const auto error = [&](const Matrix<double>& found) {
    return (found - clean).squaredNorm() / static_cast<double>(clean.size());
  };
  double pca = INFINITY;
  for (const Index k : {8, 16, 24, 32, 48}) {
    const Model model = fit_pca(known, {.components = k});
    pca = std::min(pca, error(model.inverse_transform(model.transform(noisy))));
  }
  for (const Preimage kind : all_kinds) {
    // Measured: 5.0 by fixed-point, 5.2 by distances, 16.1 before; PCA's best of these k has 7.8.
    const double found = error(there_and_back(fit(known, {.components = 64, .ridge = 1.0}, kind), noisy));
    EXPECT_LT(found, 0.8 * pca) << static_cast<int>(kind);
    EXPECT_LT(found, 0.4 * error(noisy)) << static_cast<int>(kind);
  }
}

TEST(Preimage, SameBitsAtAnyThreadCountAndHoweverRowsAreBatched) {
  const Matrix<double> many = test::sample(600, 5, 2), y = test::sample(200, 4, 3, 0.0) * 0.2;
  for (const Preimage kind : all_kinds) {
    KernelPcaOptions options{.components = 4, .inverse = kind};
    const Model model = fit_kernel_pca(many, options, {.threads = 1});
    const Matrix<double> all = model.inverse_transform(y, {.threads = 1});
    EXPECT_TRUE(all.allFinite());
    for (const int threads : {2, 3}) {
      const Model again = fit_kernel_pca(many, options, {.threads = threads});
      EXPECT_TRUE(same_bits(again.inverse_transform(y, {.threads = threads}), all));
    }
    for (const Index i : {0, 63, 64, 130})
      EXPECT_TRUE(same_bits(model.inverse_transform(Matrix<double>(y.row(i))), all.row(i)));
  }
}

TEST(Preimage, SavedAndLoadedIsTheSameToTheBit) {
  const std::string path = (std::filesystem::temp_directory_path() / "fewdim-preimage.fewdim").string();
  const Matrix<double> y = test::sample(9, 3, 3, 0.0) * 0.2;
  const Matrix<float> single = x.cast<float>();
  for (const Preimage kind : all_kinds)
    for (const Dataset& data : {Dataset(x), Dataset(single)}) {
      const Model model = fit_kernel_pca(data, {.components = 3, .inverse = kind});
      model.save(path, true);
      const Model loaded = Model::load(path);
      EXPECT_EQ(loaded.kernel().inverse.kind, kind);
      EXPECT_TRUE(same_bits(loaded.inverse_transform(y), model.inverse_transform(y)));
      EXPECT_EQ(model.inverse_transform(Dataset(y)).precision(), data.precision());
    }
  std::filesystem::remove(path);
}

TEST(Preimage, AFileWhoseWayBackDoesNotFitIsRefused) {
  const Model model = fit(x, {.components = 3}, Preimage::ridge);
  const auto expect = [&](const char* part, const auto& change) {
    KernelModel shape = model.kernel();
    change(shape);
    const std::string path = (std::filesystem::temp_directory_path() / "fewdim-preimage-bad.fewdim").string();
    const std::string text = test::refusal([&] { Model(model.head(), std::move(shape)).save(path, true); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect("don't fit", [](KernelModel& m) { m.inverse.weights.conservativeResize(100, 6); });
  expect("don't fit", [](KernelModel& m) { m.inverse.places.conservativeResize(120, 2); });
  expect("don't fit", [](KernelModel& m) { m.inverse.mean.conservativeResize(5); });
  expect("no width", [](KernelModel& m) { m.inverse.gamma = 0.0; });
  expect("not finite", [](KernelModel& m) { m.inverse.weights(3, 2) = NAN; });
  expect("gaussian kernel, not for laplacian", [](KernelModel& m) {
    m.inverse = {.kind = Preimage::fixed_point};
    m.kernel = KernelKind::laplacian;
  });
}

TEST(Preimage, DuplicatesAndFarAwayCoordinatesGiveFiniteNumbers) {
  Matrix<double> twice(60, 6);
  for (Index i = 0; i < 60; ++i) twice.row(i) = x.row(i / 12);  // five points, twelve times each
  Matrix<double> mostly = twice;
  for (Index i = 0; i < 60; ++i) mostly.row(i) = x.row(i < 55 ? 0 : i);  // the median distance of coordinates is 0
  for (const Preimage kind : all_kinds)
    for (const Matrix<double>& rows : {twice, mostly}) {
      const Model model = fit(rows, {.components = 3, .gamma = 0.1}, kind);
      const Matrix<double> back = there_and_back(model, rows);
      ASSERT_TRUE(back.allFinite());
      for (const double far : {10.0, 1e6, 1e100, -1e149}) {
        const Matrix<double> y = Matrix<double>::Constant(2, 3, far);
        const Matrix<double> found = model.inverse_transform(y);
        EXPECT_TRUE(found.allFinite()) << far;
        EXPECT_LE((found.rowwise() - x.row(0)).cwiseAbs().maxCoeff(), 1e3);  // not far from what was seen
      }
      const std::string text =
          test::refusal([&] { model.inverse_transform(Matrix<double>::Constant(1, 3, 1e200).eval()); });
      EXPECT_NE(text.find("row 1, column 1"), std::string::npos) << text;
    }
  // Two rows are fewer than ten neighbors, and fewer than columns.
  for (const Preimage kind : all_kinds) {
    const Matrix<double> two = x.topRows(2);
    const Model model = fit(two, {.components = 1, .gamma = 0.1}, kind);
    const double off = test::distance(there_and_back(model, two), two);
    EXPECT_LE(off, kind == Preimage::ridge ? 0.1 : 1e-6);
  }
}

TEST(Preimage, RidgeWorksForEveryKernelOfRowsAndFromLandmarks) {
  const Matrix<double> positive = x.cwiseAbs();
  for (const KernelKind kernel : {KernelKind::linear, KernelKind::polynomial, KernelKind::gaussian,
                                  KernelKind::laplacian, KernelKind::cosine, KernelKind::chi2}) {
    const Model model = fit(positive, {.components = 5, .kernel = kernel}, Preimage::ridge);
    const double spread = (positive.rowwise() - positive.colwise().mean()).squaredNorm();
    EXPECT_LT((there_and_back(model, positive) - positive).squaredNorm(), 0.6 * spread);
  }
  const Model few =
      fit(x, {.components = 6, .approximation = KernelApproximation::nystrom, .landmarks = 60}, Preimage::ridge);
  EXPECT_EQ(few.kernel().inverse.places.rows(), 60);
  const double spread = (fresh.rowwise() - x.colwise().mean()).squaredNorm();
  EXPECT_LT((there_and_back(few, fresh) - fresh).squaredNorm(), 0.5 * spread);
}

TEST(Preimage, RefusesWhatCantBe) {
  const auto expect = [](KernelPcaOptions o, const char* part) {
    const std::string text = test::refusal([&] { fit_kernel_pca(x, o); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  constexpr auto fixed = Preimage::fixed_point, distances = Preimage::distances, ridge = Preimage::ridge;
  constexpr auto nystrom = KernelApproximation::nystrom, fourier = KernelApproximation::fourier;
  expect({.kernel = KernelKind::laplacian, .inverse = fixed},
         "gaussian kernel, not for laplacian; use --inverse ridge");
  expect({.kernel = KernelKind::cosine, .inverse = distances}, "not for cosine");
  expect({.kernel = KernelKind::polynomial, .degree = 2, .inverse = distances}, "not for polynomial of degree 2");
  expect({.kernel = KernelKind::precomputed, .inverse = ridge}, "no input space");
  expect({.approximation = fourier, .inverse = ridge}, "fourier features keep none");
  expect({.approximation = nystrom, .inverse = fixed}, "nystrom keeps its landmarks");
  expect({.inverse = ridge, .ridge = 0.0}, "ridge=0 must be above 0");
  const std::string text =
      test::refusal([] { fit(x, {}, Preimage::none).inverse_transform(fresh.leftCols(2).eval()); });
  EXPECT_NE(text.find("--inverse ridge, --inverse fixed-point or --inverse distances"), std::string::npos) << text;
  // 3,000 rows: the matrix of the regression takes 72 MB, the plan says so and names the way out.
  const std::string over = test::refusal([] {
    plan_kernel_pca({.rows = 3000, .cols = 5}, {.inverse = Preimage::ridge}, {.memory_limit = std::uint64_t{60} << 20});
  });
  EXPECT_NE(over.find("--inverse fixed-point or --inverse distances"), std::string::npos) << over;
  EXPECT_GE(plan_kernel_pca({.rows = 3000, .cols = 5}, {.inverse = Preimage::ridge}).bytes, 72'000'000u);
  const Model model = fit(x, {.components = 3}, ridge);
  EXPECT_THROW(model.inverse_transform(fresh.leftCols(2).eval()), DataError);
  Matrix<double> bad = Matrix<double>::Zero(2, 3);
  bad(1, 2) = NAN;
  EXPECT_THROW(model.inverse_transform(bad), DataError);
}

}  // namespace
}  // namespace fewdim
