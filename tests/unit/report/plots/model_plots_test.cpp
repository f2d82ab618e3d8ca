#include <gtest/gtest.h>

#include "fewdim/fewdim.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

TEST(ResidualCurve, VanishesWhereTheMapHasAllDimensions) {
  const Dataset iris = builtin_table("iris");
  const CurvePlot curve = residual_curve(fit_mds(iris, {.components = 4}), iris);
  ASSERT_EQ(curve.y.size(), 4);
  EXPECT_EQ(curve.x[3], 4.0);
  EXPECT_LT(curve.y[3], 1e-10);  // four columns have four dimensions; rounding of sums over 22,350 pairs
  for (Index d = 1; d < 4; ++d) EXPECT_LE(curve.y[d], curve.y[d - 1]);
}

TEST(ResidualCurve, LastPointIsTheResidualVarianceThatQualityMeasures) {
  const Dataset iris = builtin_table("iris");
  const Model model = fit_pca(iris, {.components = 2});
  const QualityReport report = embedding_quality(iris, model.transform(iris));
  EXPECT_NEAR(residual_curve(model, iris).y[1], *report["residual_variance"].value, 1e-12);
}

TEST(ResidualCurve, OfIsomapIsWhatItKeeps) {
  const Dataset roll = generate("swiss-roll", {.rows = 200});
  const Model model = fit_isomap(roll, {.components = 2});
  const CurvePlot curve = residual_curve(model);
  ASSERT_GE(curve.y.size(), 2);
  const Diagnostic* kept = find_diagnostic(model.head().diagnostics, diagnostic::residual_variance(2));
  ASSERT_TRUE(kept);
  EXPECT_EQ(curve.y[1], kept->value);
  EXPECT_LT(curve.y[1], curve.y[0]);
}

TEST(ResidualCurve, HasTheSameBitsAtAnyNumberOfThreads) {
  const Dataset iris = builtin_table("iris");
  const Model model = fit_mds(iris, {.components = 3});
  const CurvePlot one = residual_curve(model, iris, {.threads = 1}, 40);
  for (const int threads : {2, 3}) EXPECT_EQ(residual_curve(model, iris, {.threads = threads}, 40).y, one.y);
}

TEST(ResidualCurve, RefusesOtherDataAndModelsWithoutDistances) {
  const Dataset iris = builtin_table("iris");
  const Model model = fit_smacof(iris, {.components = 2});
  EXPECT_THROW(residual_curve(model), Unsupported);
  EXPECT_THROW(residual_curve(model, builtin_table("ten-points")), DataError);
  EXPECT_THROW(residual_curve(model, iris, {}, 1), InvalidOption);
}

TEST(KeepsDistances, IsTrueOfMapsMadeFromThem) {
  const Dataset iris = builtin_table("iris");
  const Dataset roll = generate("swiss-roll", {.rows = 150});
  EXPECT_TRUE(keeps_distances(fit_mds(iris)));
  EXPECT_TRUE(keeps_distances(fit_smacof(iris)));
  EXPECT_TRUE(keeps_distances(fit_isomap(roll)));
  EXPECT_TRUE(keeps_distances(fit_mvu(roll)));
  EXPECT_FALSE(keeps_distances(fit_pca(iris)));
  EXPECT_FALSE(keeps_distances(fit_kernel_pca(iris)));
  EXPECT_FALSE(keeps_distances(fit_lle(roll)));
  EXPECT_TRUE(keeps_distances(method("ltsa").fit(roll, {{"coordinates", std::string("isometric")}}, {})));
}

}  // namespace
}  // namespace fewdim
