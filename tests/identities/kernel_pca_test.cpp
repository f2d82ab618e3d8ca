#include "fewdim/kernel_pca.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "fewdim/pca.hpp"
#include "fewdim/svd.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::aligned, test::distances_of, test::expect_same, test::measure;

Matrix<double> gaussian_of(const Matrix<double>& a, const Matrix<double>& b, double gamma) {
  Matrix<double> k(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j) k(i, j) = std::exp(-gamma * (a.row(i) - b.row(j)).squaredNorm());
  return k;
}

const Matrix<double> x = test::sample(120, 6), fresh = test::sample(17, 6, 9);

TEST(KernelPcaIdentities, TheLinearKernelIsPca) {
  const Model kernel = fit_kernel_pca(x, {.components = 4, .kernel = KernelKind::linear});
  const Model pca = fit_pca(x, {.components = 4});
  EXPECT_LE(test::distance(kernel.spectrum().explained_variance, pca.spectrum().explained_variance),
            1e-12 * pca.spectrum().explained_variance[0]);
  EXPECT_NEAR(kernel.spectrum().total_variance, pca.spectrum().total_variance, 1e-10);
  EXPECT_LE(test::distance(kernel.spectrum().explained_variance_ratio, pca.spectrum().explained_variance_ratio), 1e-12);
  expect_same(kernel.transform(x), pca.transform(x), 1e-11);
  expect_same(kernel.transform(fresh), pca.transform(fresh), 1e-11);
}

TEST(KernelPcaIdentities, TheUncenteredLinearKernelIsTheSvd) {
  const Model kernel = fit_kernel_pca(x, {.components = 3, .kernel = KernelKind::linear, .center = false});
  const Model svd = fit_svd(x, {.components = 3});
  EXPECT_LE(test::distance(kernel.spectrum().explained_variance, svd.spectrum().explained_variance),
            1e-12 * svd.spectrum().explained_variance[0]);
  expect_same(kernel.transform(fresh), svd.transform(fresh), 1e-10);
}

TEST(KernelPcaIdentities, APrecomputedGaussianIsTheGaussian) {
  const Model rows = fit_kernel_pca(x, {.components = 5, .gamma = 0.2});
  const Model given =
      fit_kernel_pca(Dataset(gaussian_of(x, x, 0.2)), {.components = 5, .kernel = KernelKind::precomputed});
  EXPECT_LE(test::distance(rows.spectrum().explained_variance, given.spectrum().explained_variance), 1e-13);
  expect_same(rows.transform(fresh), given.transform(gaussian_of(fresh, x, 0.2)), 1e-10);
}

TEST(KernelPcaIdentities, SigmaIsGamma) {
  const Matrix<double> by_sigma = fit_kernel_pca(x, {.components = 3, .sigma = 2.0}).transform(fresh);
  const Matrix<double> by_gamma = fit_kernel_pca(x, {.components = 3, .gamma = 0.125}).transform(fresh);
  EXPECT_EQ(by_sigma, by_gamma);
}

TEST(KernelPcaIdentities, ThePolynomialOfDegreeTwoIsPcaOfItsFeatures) {
  // (γx·y + c)² is the inner product of c, √(2γc) x_i, γ x_i², γ√2 x_i x_j.
  const double gamma = 0.5, c = 1.5;
  const Matrix<double> z = test::sample(60, 3);
  Matrix<double> features(60, 10);
  for (Index i = 0; i < 60; ++i) {
    Index at = 0;
    features(i, at++) = c;
    for (Index a = 0; a < 3; ++a) features(i, at++) = std::sqrt(2 * gamma * c) * z(i, a);
    for (Index a = 0; a < 3; ++a)
      for (Index b = a; b < 3; ++b) features(i, at++) = gamma * (a == b ? 1.0 : std::sqrt(2.0)) * z(i, a) * z(i, b);
  }
  const Model kernel =
      fit_kernel_pca(z, {.components = 6, .kernel = KernelKind::polynomial, .gamma = gamma, .offset = c, .degree = 2});
  const Model pca = fit_pca(features, {.components = 6});
  EXPECT_LE(test::distance(kernel.spectrum().explained_variance, pca.spectrum().explained_variance),
            1e-12 * pca.spectrum().explained_variance[0]);
  expect_same(kernel.transform(z), pca.transform(features), 1e-9);
}

TEST(KernelPcaIdentities, KrylovFindsWhatLapackFinds) {
  // 900 objects take Krylov for 5 components and LAPACK for 100.
  const Matrix<double> many = test::sample(900, 6);
  const Model few = fit_kernel_pca(many, {.components = 5}), all = fit_kernel_pca(many, {.components = 100});
  EXPECT_EQ(few.certificate().route, Route::krylov);
  EXPECT_EQ(all.certificate().route, Route::direct);
  EXPECT_LE(test::distance(few.spectrum().explained_variance, all.spectrum().explained_variance.head(5)), 1e-12);
  expect_same(few.transform(fresh), Matrix<double>(all.transform(fresh).leftCols(5)), 1e-8);
}

TEST(KernelPca, TilesComputedAnewGiveTheSameBits) {
  const Matrix<double> many = test::sample(1500, 4);
  const Model kept = fit_kernel_pca(many, {.components = 3});
  const Model anew = fit_kernel_pca(many, {.components = 3}, {.memory_limit = std::uint64_t{12} << 20});
  EXPECT_NE(words_of(anew.certificate().why).find("anew"), std::string::npos) << words_of(anew.certificate().why);
  EXPECT_EQ(kept.kernel().coefficients, anew.kernel().coefficients);
}

TEST(KernelPca, AnIndefiniteKernelIsRefusedClippedOrKept) {
  const KernelPcaOptions sigmoid{.components = 2, .kernel = KernelKind::sigmoid, .gamma = 1.0, .offset = -1.0};
  const Matrix<double> z = test::sample(80, 3, 4, 0.0);
  EXPECT_THROW(fit_kernel_pca(z, sigmoid), DataError);
  KernelPcaOptions clip = sigmoid, keep = sigmoid;
  clip.indefinite = Indefinite::clip;
  keep.indefinite = Indefinite::keep;
  const Model clipped = fit_kernel_pca(z, clip), kept = fit_kernel_pca(z, keep);
  EXPECT_TRUE(clipped.transform(z).allFinite());
  EXPECT_FALSE(clipped.certificate().warnings.empty());
  EXPECT_LE(test::distance(clipped.spectrum().explained_variance, kept.spectrum().explained_variance), 1e-14);
  EXPECT_GT(clipped.spectrum().total_variance, kept.spectrum().total_variance);  // without what is negative
  EXPECT_LE(clipped.spectrum().explained_variance_ratio.sum(), 1.0);
}

TEST(KernelPca, AsksForNoMoreThanThereIs) {
  const Matrix<double> line = test::sample(20, 1) * test::sample(1, 4, 3);
  try {
    fit_kernel_pca(line, {.components = 3, .kernel = KernelKind::linear});
    FAIL() << "returned components without variance";
  } catch (const DataError& e) {
    EXPECT_NE(e.message(speak_command_line).find("use -k 1"), std::string::npos) << e.what();
  }
  EXPECT_EQ(fit_kernel_pca(line, {.components = Components::all, .kernel = KernelKind::linear}).components(), 1);
}

TEST(KernelPca, RefusesBadMatricesAndParameters) {
  const auto message = [](const Dataset& data, const KernelPcaOptions& o) -> std::string {
    try {
      fit_kernel_pca(data, o);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "accepted";
  };
  Matrix<double> k = gaussian_of(x, x, 0.2);
  k(4, 2) += 0.1;
  const KernelPcaOptions given{.kernel = KernelKind::precomputed};
  EXPECT_NE(message(k, given).find("not symmetric: row 5, column 3"), std::string::npos) << message(k, given);
  EXPECT_NE(message(x, given).find("must be square"), std::string::npos);
  EXPECT_NE(message(x, {.sigma = 0.0}).find("sigma=0 must be above 0"), std::string::npos);
  EXPECT_NE(message(x, {.sigma = 1.0, .gamma = 1.0}).find("give one"), std::string::npos);
  EXPECT_NE(message(x, {.kernel = KernelKind::polynomial, .degree = 0}).find("degree=0"), std::string::npos);
  EXPECT_NE(message(x, {.components = 200}).find("between 1 and 119"), std::string::npos);
  EXPECT_NE(message(Dataset(Matrix<double>(Matrix<double>::Ones(30, 64) * 20.0)), {.kernel = KernelKind::sigmoid})
                .find("all objects are alike"),
            std::string::npos);
  const Model model = fit_kernel_pca(Dataset(gaussian_of(x, x, 0.2)), given);
  try {
    model.transform(fresh);
    FAIL() << "took six similarities for 120";
  } catch (const DataError& e) {
    EXPECT_NE(std::string(e.what()).find("120 training objects"), std::string::npos) << e.what();
  }
}

TEST(KernelPcaIdentities, NystroemFromAllRowsIsExact) {
  for (const bool center : {true, false}) {
    const KernelPcaOptions exact{.components = 4, .sigma = 1.5, .center = center};
    KernelPcaOptions nystrom = exact;
    nystrom.approximation = KernelApproximation::nystrom;
    nystrom.landmarks = 120;
    for (const KernelPivots pivots : {KernelPivots::adaptive, KernelPivots::uniform}) {
      nystrom.pivots = pivots;
      const Model full = fit_kernel_pca(x, exact), few = fit_kernel_pca(x, nystrom);
      expect_same(few.embedding(), full.embedding(), 1e-9);
      expect_same(few.transform(fresh), full.transform(fresh), 1e-8);  // divided by the smallest pivots
      EXPECT_LE(test::distance(few.spectrum().explained_variance, full.spectrum().explained_variance),
                1e-10 * full.spectrum().explained_variance[0]);
      EXPECT_LE(measure(few, "trace_error"), 1e-9);
    }
  }
}

TEST(KernelPca, NystroemsTraceErrorBoundsItsEigenvalues) {
  const Matrix<double> many = test::sample(600, 5, 4);
  const Model full = fit_kernel_pca(many, {.components = 5, .sigma = 2.0});
  const Model few = fit_kernel_pca(
      many, {.components = 5, .sigma = 2.0, .approximation = KernelApproximation::nystrom, .landmarks = 40});
  const Vector<double> off = full.spectrum().explained_variance - few.spectrum().explained_variance;
  EXPECT_GE(off.minCoeff(), -1e-12);  // never too large
  EXPECT_LE(off.maxCoeff(), measure(few, "variance_error_at_most"));
  EXPECT_GT(off.maxCoeff(), 0.0);
  EXPECT_NEAR(few.spectrum().total_variance, full.spectrum().total_variance, measure(few, "variance_error_at_most"));
  expect_same(few.transform(many), few.embedding(), 1e-10);
}

// λ of the centered kernel matrix, as scikit-learn's eigenvalues_, however it was found.
TEST(KernelPca, EigenvaluesAreThoseOfTheKernelMatrix) {
  Matrix<double> k = gaussian_of(x, x, 0.1);
  const auto truth = [&](const Matrix<double>& matrix) {
    return Vector<double>(Eigen::SelfAdjointEigenSolver<Matrix<double>>(matrix).eigenvalues().reverse());
  };
  const Vector<double> plain = truth(k);
  const Eigen::RowVectorXd means = k.colwise().mean();
  const double mean = means.mean();
  k.rowwise() -= means;
  k.colwise() -= means.transpose();
  k.array() += mean;
  const Vector<double> centered = truth(k);
  const KernelPcaOptions options{.components = 4, .gamma = 0.1};
  const Model exact = fit_kernel_pca(x, options);
  EXPECT_LE(test::distance(exact.eigenvalues(), centered.head(4)), 1e-11 * centered[0]);
  EXPECT_LE(test::distance(exact.variances(), centered.head(4) / 119.0), 1e-12);
  ASSERT_EQ(exact.spectrum().all_eigenvalues.size(), 120);
  EXPECT_LE(test::distance(exact.spectrum().all_eigenvalues, centered), 1e-11 * centered[0]);
  KernelPcaOptions other = options;
  other.center = false;
  EXPECT_LE(test::distance(fit_kernel_pca(x, other).eigenvalues(), plain.head(4)), 1e-11 * plain[0]);
  other = options;
  other.approximation = KernelApproximation::nystrom;
  other.landmarks = 120;  // all rows: no approximation is left
  EXPECT_LE(test::distance(fit_kernel_pca(x, other).eigenvalues(), centered.head(4)), 1e-9 * centered[0]);
}

TEST(KernelPca, NegativeEigenvaluesAreListedAndTheirShareIsMeasured) {
  const Model model = fit_kernel_pca(
      test::sample(120, 3, 4, 0.0),
      {.components = 3, .kernel = KernelKind::sigmoid, .gamma = 1.0, .offset = -1.0, .indefinite = Indefinite::clip});
  const Vector<double>& all = model.spectrum().all_eigenvalues;
  ASSERT_EQ(all.size(), 120);
  Index below = 0;
  double negative = 0.0;
  for (const double value : all)
    if (value < -1e-8 * all[0]) ++below, negative -= value;
  ASSERT_GT(below, 0);
  EXPECT_EQ(measure(model, "negative_eigenvalues"), static_cast<double>(below));
  EXPECT_NEAR(measure(model, "negative_share"), negative / all.cwiseAbs().sum(), 1e-12);
  EXPECT_EQ(measure(model, "lowest_eigenvalue"), all[119]);
  const Model gaussian = fit_kernel_pca(x, {.components = 3});
  EXPECT_EQ(measure(gaussian, "negative_eigenvalues"), 0.0);
  EXPECT_EQ(measure(gaussian, "negative_share"), 0.0);
}

TEST(KernelPca, FourierFeaturesComeNearerWithTheirNumber) {
  const Matrix<double> many = test::sample(500, 4, 4);
  const Model full = fit_kernel_pca(many, {.components = 3, .sigma = 2.0});
  double last = 1.0;
  for (const Index count : {100, 10'000}) {
    const Model some = fit_kernel_pca(
        many, {.components = 3, .sigma = 2.0, .approximation = KernelApproximation::fourier, .landmarks = count});
    // The mean of count/2 cosines has a variance of at most 1/count; all pairs share one draw, so half as much again.
    EXPECT_LE(measure(some, "kernel_error"), 1.5 / std::sqrt(static_cast<double>(count)));
    const double off = std::abs(some.spectrum().explained_variance[0] / full.spectrum().explained_variance[0] - 1.0);
    EXPECT_LT(off, last);
    last = off;
    expect_same(some.transform(many), some.embedding(), 1e-12);
  }
  EXPECT_LT(last, 0.05);
}

TEST(KernelPca, VerifyHoldsForItsDataAndNotForOthers) {
  Matrix<double> other = x;
  other(3, 2) += 0.5;
  const Matrix<double> k = gaussian_of(x, x, 0.2);
  for (const bool center : {true, false}) {
    const Model model = fit_kernel_pca(x, {.components = 4, .gamma = 0.2, .center = center});
    EXPECT_LE(verify(model, x).certificate.residuals.maxCoeff(), 1e-12);
    EXPECT_LE(verify(model, x).mean_error, 1e-12);
    EXPECT_GT(verify(model, other).certificate.residuals.maxCoeff(), 1e-5);
    const Model given = fit_kernel_pca(k, {.components = 4, .kernel = KernelKind::precomputed, .center = center});
    EXPECT_LE(verify(given, k).certificate.residuals.maxCoeff(), 1e-12);
  }
  const Model few =
      fit_kernel_pca(x, {.components = 2, .approximation = KernelApproximation::nystrom, .landmarks = 30});
  EXPECT_THROW(verify(few, x), Unsupported);
  EXPECT_THROW(verify(fit_kernel_pca(x), fresh), DataError);
}

TEST(KernelPca, RefusesApproximationsThatMakeNoSense) {
  const auto expect = [](KernelPcaOptions o, const char* part) {
    const std::string text = test::refusal([&] { fit_kernel_pca(x, o); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  constexpr auto nystrom = KernelApproximation::nystrom, fourier = KernelApproximation::fourier;
  expect({.kernel = KernelKind::polynomial, .approximation = fourier}, "gaussian kernel, not of polynomial");
  expect({.kernel = KernelKind::sigmoid, .approximation = nystrom}, "no inner product");
  expect({.kernel = KernelKind::precomputed, .approximation = nystrom}, "needs no approximation");
  expect({.approximation = nystrom, .landmarks = 121}, "at most 120");
}

}  // namespace
}  // namespace fewdim
