// Published and recomputed results on the classic tables; the figures are those of the shared data's README, from R's
// prcomp and scikit-learn. Runs where the data are.

#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

#define REQUIRE_DATA(path) \
  if ((path).empty()) GTEST_SKIP() << "skipped: no shared data here (set FEWDIM_DATA)"

Vector<double> deviations(const Model& model) { return model.linear().explained_variance.cwiseSqrt(); }

void expect_all_near(const Vector<double>& found, const std::vector<double>& published, double tolerance) {
  ASSERT_GE(found.size(), std::ssize(published));
  for (std::size_t i = 0; i < published.size(); ++i)
    EXPECT_NEAR(found[static_cast<Index>(i)], published[i], tolerance) << i;
}

TEST(ClassicTables, UsArrestsScaled) {  // R: prcomp(USArrests, scale. = TRUE)$sdev
  const std::string path = test::shared_data("tables_classic/USArrests.csv");
  REQUIRE_DATA(path);
  expect_all_near(deviations(fit_pca(read(path), {.components = 4, .scale = true})),
                  {1.5748783, 0.9948694, 0.5971291, 0.4164494}, 5e-8);
}

TEST(ClassicTables, Iris) {
  const Model model = fit_pca(builtin_table("iris"), {.components = 4});
  expect_all_near(model.linear().explained_variance, {4.228241706, 0.242670748, 0.078209500, 0.023835093}, 5e-10);
}

TEST(ClassicTables, DecathlonScaled) {  // first 10 columns
  const std::string path = test::shared_data("tables_classic/decathlon.csv");
  REQUIRE_DATA(path);
  ReadOptions options;
  options.label = "Competition";
  const Dataset head = read(path, options);
  for (Index j = 0; j < 10; ++j) options.columns.push_back(head.column_names[static_cast<std::size_t>(j)]);
  const Model model = fit_pca(read(path, options), {.components = 5, .scale = true});
  expect_all_near(model.linear().explained_variance, {3.2719055, 1.7371310, 1.4049167, 1.0568504, 0.6847735}, 5e-8);
}

TEST(ClassicTables, DeerwesterSvd) {
  const std::string path = test::shared_data("reference_small/deerwester_12x9.csv");
  REQUIRE_DATA(path);
  const Model model = fit_svd(read(path), {.components = 9});
  expect_all_near(model.linear().singular_values,
                  {3.340884, 2.541701, 2.353944, 1.644532, 1.504832, 1.306382, 0.845903, 0.560134, 0.363677}, 5e-7);
}

TEST(ClassicTables, GolubHasFarMoreColumnsThanRows) {  // 72×7,129: two routes must agree
  const std::string path = test::shared_data("genes_golub/golub_72x7129_int.csv.gz");
  REQUIRE_DATA(path);
  const Dataset data = read(path);
  ASSERT_EQ(data.cols(), 7129);
  const Model gram = fit_pca(data, {.components = 10});
  EXPECT_EQ(gram.certificate().route, Route::gram);
  const Model krylov = fit_pca(data, {.components = 10, .route = PcaRoute::krylov});
  EXPECT_LE(test::distance(gram.linear().explained_variance, krylov.linear().explained_variance),
            1e-9 * gram.linear().explained_variance[0]);
}

TEST(ClassicTables, EurodistMap) {  // R: cmdscale(eurodist, k = 2, eig = TRUE); signs are free
  const std::string path = test::shared_data("dist_cities/eurodist.csv");
  REQUIRE_DATA(path);
  const Dataset data = read(path);
  const Model model = fit_mds(data, {.components = 2, .embedding = true});
  expect_all_near(model.spectrum().explained_variance, {19538377.0895, 11856555.3340}, 5e-4);
  const Matrix<double>& map = model.embedding();
  ASSERT_EQ(data.row_names[0], "Athens");
  EXPECT_NEAR(std::abs(map(0, 0)), 2290.274680, 5e-6);
  EXPECT_NEAR(std::abs(map(0, 1)), 1798.80293, 5e-5);
  EXPECT_NEAR(std::abs(map(1, 0)), 825.382790, 5e-6);
  EXPECT_NEAR(std::abs(map(1, 1)), 546.81148, 5e-5);
  EXPECT_LT(map(0, 0) * map(1, 0), 0.0);  // Athens and Barcelona lie at opposite ends
  EXPECT_GT(map(0, 1) * map(1, 1), 0.0);
  ASSERT_EQ(model.head().diagnostics[0].name, "goodness_of_fit_absolute");
  EXPECT_NEAR(model.head().diagnostics[0].value, 0.7537543, 5e-8);
  EXPECT_NEAR(model.head().diagnostics[1].value, 0.8679134, 5e-8);
  // All of cmdscale()$eig, as R prints it; the twelfth is 0 but for rounding.
  const std::vector<double> eig{
      1.953838e+07,  1.185656e+07,  1.528844e+06,  1.118742e+06,  7.893472e+05,  5.816552e+05,  2.623192e+05,
      1.925976e+05,  1.450845e+05,  1.079673e+05,  5.139484e+04,  0.0,           -9.496124e+03, -5.305820e+04,
      -1.322166e+05, -2.573360e+05, -3.326719e+05, -5.162523e+05, -9.191491e+05, -1.006504e+06, -2.251844e+06};
  const Vector<double>& all = model.spectrum().all_eigenvalues;
  ASSERT_EQ(all.size(), 21);
  double squares = 0.0;
  for (std::size_t i = 0; i < eig.size(); ++i) {
    EXPECT_NEAR(all[static_cast<Index>(i)], eig[i], 5e-7 * std::abs(eig[i]) + 1e-7) << i;
    squares += eig[i] * eig[i];
  }
  // Mardia's second measure from these seven digits.
  EXPECT_NEAR(model.head().diagnostics[2].value, (eig[0] * eig[0] + eig[1] * eig[1]) / squares, 1e-6);
}

double stress_1(const Model& model) {
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, "stress_1")) return found->value;
  return NAN;
}

// scikit-learn 1.9.1, manifold.smacof(D, metric=True, eps=1e-15, max_iter=100000), the best of 20 random starts: raw
// stress 3356497.36575472 (over i < j), which over the sum of squared distances is 0.005207250696292836.
TEST(ClassicTables, EurodistByStress) {
  const std::string path = test::shared_data("dist_cities/eurodist.csv");
  REQUIRE_DATA(path);
  const Dataset data = read(path);
  const Model model = fit_smacof(data, {.tolerance = 1e-12});
  EXPECT_NEAR(stress_1(model), std::sqrt(0.005207250696292836), 1e-9);
  EXPECT_NEAR(stress_1(fit_smacof(data, {.start = MapStart::random, .restarts = 20})), 0.0721612825, 2e-7);
  EXPECT_LT(stress_1(fit_smacof(data, {.type = Disparity::ordinal})), stress_1(model));
}

}  // namespace
}  // namespace fewdim
