#include "fewdim/mds.hpp"

#include <gtest/gtest.h>

#include "fewdim/isomap.hpp"
#include "fewdim/kernel_pca.hpp"
#include "fewdim/model_bytes.hpp"
#include "fewdim/pca.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::aligned, test::distances_of, test::expect_same, test::measure;

const Matrix<double> x = test::sample(90, 5), fresh = test::sample(13, 5, 8);

TEST(MdsIdentities, EuclideanDistancesGivePcaScores) {
  const Model pca = fit_pca(x, {.components = 3});
  const Model rows = fit_mds(x, {.components = 3});
  const Model given = fit_mds(Dataset(distances_of(x, x)), {.components = 3});
  expect_same(rows.transform(x), pca.transform(x), 1e-11);
  expect_same(given.transform(distances_of(x, x)), pca.transform(x), 1e-11);
  expect_same(rows.transform(fresh), pca.transform(fresh), 1e-11);
  expect_same(given.transform(distances_of(fresh, x)), pca.transform(fresh), 1e-11);
  // B's eigenvalues are those of the covariance times N−1.
  EXPECT_LE(test::distance(given.spectrum().explained_variance, 89.0 * pca.spectrum().explained_variance),
            1e-11 * given.spectrum().explained_variance[0]);
  EXPECT_EQ(measure(given, "negative_eigenvalues"), 0.0);
  EXPECT_NEAR(measure(given, "goodness_of_fit_absolute"), pca.spectrum().explained_variance_ratio.sum(), 1e-11);
}

// λ of B for classical MDS, of the kernel matrix for kernel PCA, of the covariance for PCA; variances are the same.
TEST(MdsIdentities, EigenvaluesAndVariancesAreOneConvention) {
  const Model pca = fit_pca(x, {.components = 3}), mds = fit_mds(x, {.components = 3});
  const Model kernel = fit_kernel_pca(x, {.components = 3, .kernel = KernelKind::linear});
  IsomapOptions all{.components = 3};
  all.neighborhood.k = 89;
  const Model isomap = fit_isomap(x, all);
  const Vector<double> variances = pca.variances(), values = 89.0 * variances;
  const double rounding = 1e-11 * values[0];
  EXPECT_EQ(pca.eigenvalues(), variances);
  for (const Model* model : {&mds, &kernel, &isomap}) {
    EXPECT_LE(test::distance(model->eigenvalues(), values), rounding) << model->method();
    EXPECT_LE(test::distance(model->variances(), variances), rounding) << model->method();
    EXPECT_NEAR(model->total_of_variances(), pca.total_of_variances(), rounding) << model->method();
    ASSERT_EQ(model->spectrum().all_eigenvalues.size(), 90) << model->method();
    EXPECT_LE(test::distance(model->spectrum().all_eigenvalues.head(3), values), rounding) << model->method();
  }
  // Of landmarks they are those of the landmarks' distances.
  const Model few = fit_mds(x, {.components = 3, .landmarks = 40});
  ASSERT_EQ(few.kernel().objects.rows(), 40);
  EXPECT_LE(test::distance(few.variances(), fit_pca(few.kernel().objects, {.components = 3}).variances()), rounding);
}

// Mardia's measures (1978), and R's cmdscale()$GOF: of 3 points on a line at distances 1, 1 and 3, which no line has.
TEST(MdsIdentities, MeasuresOfFitAreMardiasAndRs) {
  Matrix<double> d(3, 3);
  d << 0, 1, 3, 1, 0, 1, 3, 1, 0;
  const Model model = fit_mds(Dataset(d), {.components = 1});
  // B = −½JΔ²J has the eigenvalue 9/2 of (1, 0, −1) and −5/6 of (1, −2, 1).
  const Vector<double>& all = model.spectrum().all_eigenvalues;
  ASSERT_EQ(all.size(), 3);
  EXPECT_NEAR(all[0], 4.5, 1e-14);
  EXPECT_NEAR(all[1], 0.0, 1e-14);
  EXPECT_NEAR(all[2], -5.0 / 6.0, 1e-14);
  EXPECT_NEAR(measure(model, "goodness_of_fit_absolute"), 27.0 / 32.0, 1e-14);
  EXPECT_NEAR(measure(model, "goodness_of_fit_positive"), 1.0, 1e-14);
  EXPECT_NEAR(measure(model, "goodness_of_fit_squares"), 729.0 / 754.0, 1e-14);
  EXPECT_EQ(measure(model, "negative_eigenvalues"), 1.0);
  EXPECT_NEAR(measure(model, "negative_share"), 5.0 / 32.0, 1e-14);
  // They are kept in the file; files of before, which have the kept ones alone, say the same of those.
  const Model again = model_from_bytes(model_bytes(model), "model");
  EXPECT_EQ(again.spectrum().all_eigenvalues, all);
  KernelModel shape = model.kernel();
  shape.all_eigenvalues = {};
  const Model before = model_from_bytes(model_bytes(Model(model.head(), shape)), "model");
  EXPECT_EQ(before.eigenvalues(), model.eigenvalues());
  EXPECT_EQ(before.variances()[0], 0.5 * model.eigenvalues()[0]);
}

TEST(MdsIdentities, GowersFormulaReturnsATrainingObject) {
  const Matrix<double> d = distances_of(x, x);
  const Model model = fit_mds(Dataset(d), {.components = 4, .embedding = true});
  EXPECT_LE(test::distance(model.transform(d), model.embedding()), 1e-10 * model.embedding().cwiseAbs().maxCoeff());
}

TEST(MdsIdentities, KeptCoordinatesHaveTheDistancesGiven) {
  const Matrix<double> d = distances_of(x, x);
  const Model model = fit_mds(Dataset(d), {.components = 5, .embedding = true});
  EXPECT_LE(test::distance(distances_of(model.embedding(), model.embedding()), d), 1e-6);  // √ of 1e-13
}

TEST(MdsIdentities, WeightsAreWeightedPca) {
  const Vector<double> weights = Vector<double>::LinSpaced(90, 1.0, 3.0);
  const Model pca = fit_pca(x, {.components = 3, .weights = weights});
  const Model mds = fit_mds(x, {.components = 3, .embedding = true, .weights = weights});
  expect_same(mds.transform(fresh), pca.transform(fresh), 1e-10);
  expect_same(mds.embedding(), pca.transform(x), 1e-10);
}

TEST(MdsIdentities, EveryFormOfTheSameDistancesIsTheSame) {
  const Matrix<double> d = distances_of(x, x);
  const Matrix<double> truth = fit_mds(Dataset(d), {.embedding = true}).embedding();
  Matrix<double> lower = d, condensed(1, 90 * 89 / 2);
  Index at = 0;
  for (Index i = 0; i < 90; ++i)
    for (Index j = i + 1; j < 90; ++j) {
      lower(i, j) = NAN;
      condensed(0, at++) = d(i, j);
    }
  EXPECT_EQ(fit_mds(Dataset(lower), {.embedding = true}).embedding(), truth);
  const MdsOptions given{.metric = Metric::precomputed, .embedding = true};
  EXPECT_EQ(fit_mds(Dataset(condensed), given).embedding(), truth);
  const Matrix<double> column = condensed.transpose();
  EXPECT_EQ(fit_mds(Dataset(column), given).embedding(), truth);
}

TEST(MdsIdentities, CorrectionsMakeDistancesEuclidean) {
  Matrix<double> d = distances_of(x.topRows(30), x.topRows(30));
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j)
      d(i, j) = std::sqrt(d(i, j)) + (i == j ? 0.0 : ((i * 7 + j * 7) % 5 == 0 ? 1.0 : 0.0));
  const Model plain = fit_mds(Dataset(d), {.metric = Metric::precomputed});
  EXPECT_GT(measure(plain, "negative_eigenvalues"), 0.0);
  for (const DistanceCorrection correction : {DistanceCorrection::lingoes, DistanceCorrection::cailliez}) {
    const Model model =
        fit_mds(Dataset(d), {.metric = Metric::precomputed, .correction = correction, .embedding = true});
    EXPECT_GT(measure(model, "correction"), 0.0);
    // The smallest constant that does: the lowest eigenvalue is 0 to rounding, not above it.
    EXPECT_NEAR(measure(model, "lowest_eigenvalue") / model.spectrum().explained_variance[0], 0.0, 1e-12);
    EXPECT_EQ(measure(model, "negative_eigenvalues"), 0.0);
    EXPECT_LE(test::distance(model.transform(d), model.embedding()), 1e-10 * model.embedding().cwiseAbs().maxCoeff());
  }
}

TEST(MdsIdentities, AllAsLandmarksIsTheFullOne) {
  const Matrix<double> d = distances_of(x, x), to = distances_of(fresh, x);
  const Model full = fit_mds(x, {.components = 3});
  for (const LandmarkChoice choice : {LandmarkChoice::maxmin, LandmarkChoice::random}) {
    const Model rows = fit_mds(x, {.components = 3, .landmarks = 90, .choice = choice});
    const Model given = fit_mds(Dataset(d), {.components = 3, .landmarks = 90, .choice = choice});
    expect_same(rows.embedding(), full.embedding(), 1e-10);
    expect_same(given.embedding(), full.embedding(), 1e-10);
    expect_same(rows.transform(fresh), full.transform(fresh), 1e-10);
    expect_same(given.transform(to), full.transform(fresh), 1e-10);
    EXPECT_LE(measure(rows, "off_from_full"), 1e-7);  // the root of a rounding error
  }
}

TEST(MdsIdentities, LandmarksAreExactWhereTheDistancesAreEuclidean) {
  // Points of five dimensions are found again from any six landmarks that span them.
  const Matrix<double> d = distances_of(x, x);
  const Model few = fit_mds(Dataset(d), {.components = 5, .landmarks = 12});
  EXPECT_LE(test::distance(distances_of(few.embedding(), few.embedding()), d), 1e-6);
  EXPECT_LE(measure(few, "off_from_full"), 1e-6);
  expect_same(few.transform(d), few.embedding(), 1e-10);
}

TEST(Mds, VerifyHoldsForItsDataAndNotForOthers) {
  Matrix<double> d = distances_of(x, x);
  const Vector<double> weights = Vector<double>::LinSpaced(90, 1.0, 3.0);
  for (const MdsOptions& o : {MdsOptions{.components = 3}, MdsOptions{.components = 3, .weights = weights},
                              MdsOptions{.components = 3, .correction = DistanceCorrection::lingoes}}) {
    const Model rows = fit_mds(x, o), given = fit_mds(Dataset(d), o);
    EXPECT_LE(verify(rows, x).certificate.residuals.maxCoeff(), 1e-11);
    EXPECT_LE(verify(given, d).certificate.residuals.maxCoeff(), 1e-11);
    EXPECT_LE(verify(given, d).mean_error, 1e-12);
  }
  const Model model = fit_mds(Dataset(d), {.components = 3});
  d(4, 5) = d(5, 4) = 9.0;
  EXPECT_GT(verify(model, d).certificate.residuals.maxCoeff(), 1e-4);
}

TEST(Mds, LandmarksOfFewerDimensionsSayHowFarOffTheyAre) {
  const Model few = fit_mds(x, {.components = 2, .landmarks = 15});
  EXPECT_GT(measure(few, "off_from_full"), 1e-3);
  EXPECT_LT(measure(few, "off_from_full"), 1.0);
  expect_same(few.transform(x), few.embedding(), 1e-10);
  for (const MdsOptions& o : {MdsOptions{.correction = DistanceCorrection::lingoes, .landmarks = 20},
                              MdsOptions{.triangle = true, .landmarks = 20}, MdsOptions{.landmarks = 91}})
    EXPECT_NE(test::refusal([&] { fit_mds(x, o); }).find("landmarks"), std::string::npos);
}

TEST(Mds, CountsTriangleBreaches) {
  Matrix<double> d(3, 3);
  d << 0, 1, 5, 1, 0, 2, 5, 2, 0;  // 5 > 1 + 2
  const Model model = fit_mds(Dataset(d), {.components = 1, .metric = Metric::precomputed, .triangle = true});
  EXPECT_EQ(measure(model, "triangle_breaches"), 1.0);
}

TEST(Mds, RefusesWhatIsNoDistance) {
  const auto message = [](const Matrix<double>& d, const MdsOptions& o) -> std::string {
    try {
      fit_mds(Dataset(d), o);
    } catch (const Error& e) {
      return e.message(speak_command_line);
    }
    return "accepted";
  };
  const MdsOptions given{.metric = Metric::precomputed};
  Matrix<double> d = distances_of(x, x);
  const auto expect = [&](const char* part) {
    const std::string text = message(d, given);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    d = distances_of(x, x);
  };
  d(3, 5) += 1.0;
  expect("not symmetric: row 6, column 4");
  d(2, 2) = 0.5;
  expect("object 3 to itself is 0.5");
  d(1, 4) = d(4, 1) = -2.0;
  expect("objects 5 and 2 is -2");
  d(7, 2) = d(2, 7) = NAN;
  expect("row 3");
  d = d.leftCols(4).eval();
  expect("must be square");
  EXPECT_NE(message(Matrix<double>::Ones(1, 7), given).find("7 numbers are no condensed distances"), std::string::npos);
  EXPECT_NE(message(d, {.components = 90}).find("between 1 and 89"), std::string::npos);
  EXPECT_NE(message(Matrix<double>::Zero(5, 5), given).find("all objects are alike"), std::string::npos);
  d = distances_of(x.leftCols(2), x.leftCols(2));
  EXPECT_NE(message(d, {.components = 4}).find("use -k 2 or less"), std::string::npos) << message(d, {.components = 4});
}

}  // namespace
}  // namespace fewdim
