#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/generate.hpp"
#include "fewdim/isomap.hpp"
#include "fewdim/model.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/svd.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using pictures::count;
using pictures::drawn;
using pictures::message_of;

TEST(Biplot, PointsTimesArrowsAreTheSameAtEveryAlpha) {
  const Dataset iris = builtin_table("iris");
  const Model model = fit_pca(iris, {.components = 4});
  const Dataset scores = model.transform(iris);
  const Matrix<double> y = scores.matrix<double>(), v = model.linear().map;
  const Matrix<double> expected = y.col(0) * v.col(0).transpose() + y.col(2) * v.col(2).transpose();
  for (const double alpha : {0.0, 0.3, 1.0}) {
    const Biplot b = biplot(model, scores, 0, 2, alpha);
    EXPECT_LT((b.points * b.arrows.transpose() - expected).cwiseAbs().maxCoeff(), 1e-13) << alpha;  // numbers below 4
    EXPECT_EQ(b.alpha, alpha);
  }
  EXPECT_EQ(biplot(model, scores).points.col(0), y.col(0));  // alpha 1: the scores themselves
}

TEST(Biplot, ArrowsOfAlphaZeroHaveTheCovariancesAsInnerProducts) {
  const Dataset points = builtin_table("ten-points");  // two columns: two components are all there is
  const Model model = fit_pca(points, {.components = 2});
  const Biplot b = biplot(model, model.transform(points), 0, 1, 0.0);
  const Matrix<double> h = b.arrows * b.arrows.transpose();
  // Smith, A tutorial on principal components analysis (2002): the covariance matrix of these points.
  EXPECT_NEAR(h(0, 0), 0.616555556, 1e-9);
  EXPECT_NEAR(h(0, 1), 0.615444444, 1e-9);
  EXPECT_NEAR(h(1, 1), 0.716555556, 1e-9);
}

TEST(Biplot, WhiteningIsUndone) {
  const Dataset iris = builtin_table("iris");
  const Model plain = fit_pca(iris, {.components = 2}), white = fit_pca(iris, {.components = 2, .whiten = true});
  const Biplot a = biplot(plain, plain.transform(iris)), b = biplot(white, white.transform(iris));
  EXPECT_LT((a.points - b.points).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((a.arrows - b.arrows).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Biplot, HasAnArrowAndANameForEachColumnAndStatesAlpha) {
  const Dataset iris = builtin_table("iris");
  const Model model = fit_pca(iris, {.components = 2});
  const std::string svg = drawn(biplot(model, model.transform(iris), 0, 1, 0.5), ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 153u);
  EXPECT_EQ(count(svg, "<polygon"), 4u);  // heads of arrows
  for (const std::string& name : iris.column_names) EXPECT_EQ(count(svg, ">" + name + "<"), 1u) << name;
  EXPECT_EQ(count(svg, "α = 0.5, arrows "), 1u);
  EXPECT_EQ(count(svg, "longest of"), 0u);
}

TEST(Biplot, OfManyColumnsDrawsTheLongestAndSaysSo) {
  const Dataset digits = builtin_table("digits");
  const Model model = fit_pca(digits, {.components = 2});
  Biplot b = biplot(model, model.transform(digits));
  b.most_arrows = 10;
  const std::string svg = drawn(b, ".svg");
  EXPECT_EQ(count(svg, "<polygon"), 10u);
  EXPECT_EQ(count(svg, "the 10 longest of 64"), 1u);
}

TEST(Biplot, RefusesWhatHasNoLoadings) {
  const Dataset roll = generate("swiss-roll", {.rows = 60});
  const Model map = fit_isomap(roll, {.components = 2});
  EXPECT_THROW(biplot(map, roll), Unsupported);
  const Dataset iris = builtin_table("iris");
  const Model model = fit_pca(iris, {.components = 2});
  const Dataset scores = model.transform(iris);
  EXPECT_EQ(message_of([&] { biplot(model, scores, 0, 2); }),
            "biplot: component=3 must be between 1 and 2, the number kept; raise -k");
  EXPECT_THROW(biplot(model, iris), DataError);
  EXPECT_THROW(biplot(model, scores, 0, 1, 1.5), InvalidOption);
  EXPECT_THROW(biplot(model, scores, 0, 1, NAN), InvalidOption);
}

TEST(CirclePlot, OfAPlaneLiesOnTheCircleAndOfMoreInsideOfIt) {
  const Dataset points = builtin_table("ten-points");
  const CirclePlot all = correlation_circle(fit_pca(points, {.components = 2}));
  for (Index j = 0; j < 2; ++j) EXPECT_NEAR(all.correlations.row(j).norm(), 1.0, 1e-12);
  const Dataset iris = builtin_table("iris");
  for (const bool scale : {false, true}) {
    const CirclePlot some = correlation_circle(fit_pca(iris, {.components = 3, .scale = scale}), 0, 2);
    for (Index j = 0; j < 4; ++j) {
      EXPECT_LE(some.correlations.row(j).norm(), 1.0 + 1e-12);
      EXPECT_GT(some.correlations.row(j).norm(), 0.3);
    }
  }
}

TEST(CirclePlot, NumbersAreCorrelationsOfColumnsAndScores) {
  const Dataset iris = builtin_table("iris");
  const Model model = fit_pca(iris, {.components = 2});
  const Matrix<double> x = iris.matrix<double>(), y = model.transform(iris).matrix<double>();
  const CirclePlot circle = correlation_circle(model);
  for (Index j = 0; j < 4; ++j)
    for (Index c = 0; c < 2; ++c) {
      const Vector<double> a = x.col(j).array() - x.col(j).mean(), b = y.col(c).array() - y.col(c).mean();
      EXPECT_NEAR(circle.correlations(j, c), a.dot(b) / (a.norm() * b.norm()), 1e-12);
    }
}

TEST(CirclePlot, DrawsTheCircleRoundAndTheNames) {
  CirclePlot circle = correlation_circle(fit_pca(builtin_table("iris"), {.components = 2}));
  std::string svg = drawn(circle, ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  for (const std::string& name : circle.names) EXPECT_EQ(count(svg, ">" + name + "<"), 1u);
  EXPECT_EQ(count(svg, "<polygon"), 4u);
  circle.most = 2;
  svg = drawn(circle, ".svg");
  EXPECT_EQ(count(svg, "<polygon"), 2u);
  EXPECT_EQ(count(svg, "the 2 longest of 4"), 1u);
  circle.correlations(0, 0) = 1.2;
  EXPECT_NE(message_of([&] { plot(circle, "never.svg"); }).find("must lie in the circle of radius 1"),
            std::string::npos);
}

TEST(CirclePlot, RefusesWhatWasNotCentered) {
  EXPECT_THROW(correlation_circle(fit_svd(builtin_table("iris"), {.components = 2})), Unsupported);
}

}  // namespace
}  // namespace fewdim
