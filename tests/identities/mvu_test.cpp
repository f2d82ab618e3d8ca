#include "fewdim/mvu.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "fewdim/generate.hpp"
#include "fewdim/pca.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::distances_of, test::expect_same, test::measure, test::refusal;

MvuOptions with_neighbors(Index k, MvuOptions o = {}) {
  o.neighborhood.k = k;
  return o;
}

Dataset roll(Index rows, Seed seed = 0) { return generate("swiss-roll", {.rows = rows, .noise = 0.0, .seed = seed}); }

TEST(MvuIdentities, AllAsNeighborsIsPca) {
  // With every distance given, the points themselves spread most: their principal axes.
  const Matrix<double> x = test::sample(40, 4);
  for (const auto form : {UnfoldingForm::inequality, UnfoldingForm::equality})
    for (const auto route : {UnfoldingRoute::exact, UnfoldingRoute::factored}) {
      const Model mvu = fit_mvu(x, with_neighbors(39, {.components = 3, .form = form, .solver = route}));
      const Model pca = fit_pca(x, {.components = 3, .embedding = true});
      expect_same(mvu.embedding(), pca.embedding(), 2e-3);  // distances to 1e-5; axes feel that over the gap
    }
}

TEST(MvuIdentities, RowsDistancesAndGraphsAreTheSame) {
  const Matrix<double> points = roll(120).matrix<double>();
  const Matrix<double> distances = distances_of(points, points);
  const MvuOptions options = with_neighbors(5);
  const Model rows = fit_mvu(points, options);
  const Model given = fit_mvu(Dataset(distances), options);
  expect_same(given.embedding(), rows.embedding(), 1e-6);
  EXPECT_NEAR(measure(given, "certified_gap"), 0.0, 1e-4);
}

TEST(MvuIdentities, RowOrderMovesNothing) {
  const Matrix<double> points = roll(150).matrix<double>();
  Matrix<double> reversed = points.colwise().reverse();
  const Model one = fit_mvu(points, with_neighbors(5));
  const Model other = fit_mvu(reversed, with_neighbors(5));
  // The optimum is one point; both are within their tolerance of it.
  expect_same(Matrix<double>(other.embedding().colwise().reverse()), one.embedding(), 1e-3);
}

TEST(Mvu, UnrollsTheSwissRoll) {
  const Dataset data = roll(1000);
  const Model model = fit_mvu(data, with_neighbors(6));
  EXPECT_GE(measure(model, "trustworthiness"), 0.99);
  EXPECT_LE(measure(model, "constraint_violation"), 1e-5);
  EXPECT_LE(measure(model, "certified_gap"), 1e-4);
  EXPECT_GE(measure(model, "retained_variance"), 0.99);
  EXPECT_LE(measure(model, "effective_rank"), 2.0);
}

TEST(Mvu, NewPointsAndBack) {
  const Dataset data = roll(300);
  const Model model = fit_mvu(data, with_neighbors(6));
  EXPECT_EQ(model.head().extension, Extension::heuristic);
  const Matrix<double> points = data.matrix<double>();
  expect_same(model.transform(points), model.embedding(), 1e-9);
  EXPECT_EQ(model.inverse_transform(model.embedding()).cols(), 3);
}

TEST(Mvu, TwoThousandRowsAreCertified) {
  const Model model = fit_mvu(generate("swiss-roll", {.rows = 2000, .noise = 0.05, .seed = 0}), with_neighbors(6));
  EXPECT_LE(measure(model, "certified_gap"), 1e-5);
  EXPECT_EQ(measure(model, "constraint_violation"), 0.0);  // interior points: no link is ever too long
}

TEST(Mvu, RigidKeepsAngles) {
  const Dataset data = roll(150);
  const Model plain = fit_mvu(data, with_neighbors(6));
  const Model rigid = fit_mvu(data, with_neighbors(6, {.rigid = true}));
  // More links, less room.
  EXPECT_LT(rigid.spectrum().total_variance, plain.spectrum().total_variance);
}

TEST(Mvu, ALineHasOneDimensionAndSaysSo) {
  Matrix<double> line(30, 2);
  for (Index i = 0; i < 30; ++i) line.row(i) << static_cast<double>(i), 2.0 * static_cast<double>(i);
  const Model model = fit_mvu(line, with_neighbors(2));
  ASSERT_FALSE(model.certificate().warnings.empty());
  EXPECT_NE(model.certificate().warnings[0].find("1 dimension"), std::string::npos) << model.certificate().warnings[0];
  EXPECT_NEAR(model.embedding().col(1).norm(), 0.0, 1e-2);
}

TEST(Mvu, DuplicatesShareAPlace) {
  Matrix<double> points = roll(80).matrix<double>();
  points.row(1) = points.row(0);
  points.row(50) = points.row(0);
  const Model model = fit_mvu(points, with_neighbors(6));
  EXPECT_EQ(measure(model, "merged_duplicates"), 2.0);
  EXPECT_EQ(model.embedding().row(1), model.embedding().row(0));
  EXPECT_EQ(model.embedding().row(50), model.embedding().row(0));
}

TEST(Mvu, BadInputIsNamed) {
  Matrix<double> two = 0.1 * test::sample(60, 3, 1, 0.0);
  two.bottomRows(30).col(0).array() += 10.0;
  const MvuOptions strict{.neighborhood = {.k = 4, .disconnected = Disconnected::error}};
  EXPECT_NE(refusal([&] { fit_mvu(two, strict); }).find("2 parts"), std::string::npos);
  EXPECT_NE(refusal([&] {
              fit_mvu(Matrix<double>(Matrix<double>::Ones(20, 2)), with_neighbors(3));
            }).find("all objects are at one place"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              fit_mvu(roll(400), with_neighbors(6, {.solver = UnfoldingRoute::exact}), {.memory_limit = 1 << 22});
            }).find("use --solver factored"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              plan_mvu({.rows = 20000, .cols = 3}, {.solver = UnfoldingRoute::exact}, {.memory_limit = 1 << 30});
            }).find("use --solver factored"),
            std::string::npos);
}

}  // namespace
}  // namespace fewdim
