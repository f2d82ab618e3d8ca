#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/mds.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/smacof.hpp"
#include "support/data.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using pictures::count;
using pictures::drawn;
using pictures::message_of;

ShepardPlot three_pairs() {
  ShepardPlot s;
  s.dissimilarities = Vector<double>(3);
  s.dissimilarities << 1, 2, 3;
  s.distances = Vector<double>(3);
  s.distances << 1.5, 1.0, 3.5;
  s.line_x = s.dissimilarities;
  s.line_y = Vector<double>(3);
  s.line_y << 1.25, 1.25, 3.5;
  s.title = "Pairs";
  return s;
}

TEST(ShepardPlot, HasADotPerPairAndALine) {
  const std::string svg = drawn(three_pairs(), ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 3u + 2u);  // and two in the legend
  for (const auto* text : {">dissimilarity<", ">distance in the map<", ">pair<", ">disparity<", ">Pairs<"})
    EXPECT_EQ(count(svg, text), 1u) << text;
  EXPECT_EQ(count(svg, "nan"), 0u);
  ShepardPlot bare = three_pairs();
  bare.line_x.resize(0);
  bare.line_y.resize(0);
  EXPECT_EQ(count(drawn(bare, ".svg"), ">disparity<"), 0u);
  const auto png = pictures::decode_png(drawn(three_pairs(), ".png"));
  ASSERT_EQ(png.width, 1600);
  EXPECT_GT(png.count({0xd5, 0x5e, 0x00}), 500);
}

TEST(ShepardPlot, RefusesWhatCantBeDrawn) {
  const auto refusal = [](auto change) {
    ShepardPlot s = three_pairs();
    change(s);
    return message_of([&] { plot(s, "never.png"); });
  };
  EXPECT_NE(refusal([](ShepardPlot& s) { s.distances.resize(2); }).find("distances=2 numbers"), std::string::npos);
  EXPECT_NE(refusal([](ShepardPlot& s) { s.line_y.resize(1); }).find("line_y"), std::string::npos);
  EXPECT_NE(refusal([](ShepardPlot& s) { s.distances[1] = NAN; }).find("not finite"), std::string::npos);
  EXPECT_NE(refusal([](ShepardPlot& s) { s = {}; }).find("a picture needs a pair"), std::string::npos);
}

TEST(ShepardPlot, PairsAreThoseOfTheModel) {
  const Matrix<double> x = test::sample(30, 5);
  Matrix<double> d(30, 30);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j) d(i, j) = (x.row(i) - x.row(j)).norm();
  for (const Model& model : {fit_smacof(Dataset(x), {.embedding = true}), fit_mds(Dataset(x), {.embedding = true})}) {
    const ShepardPlot all = shepard_diagram(model, Dataset(x));
    ASSERT_EQ(all.distances.size(), 435);
    Index p = 0;
    for (Index i = 0; i < 30; ++i)
      for (Index j = 0; j < i; ++j, ++p) {
        EXPECT_NEAR(all.dissimilarities[p], d(i, j), 1e-12);
        EXPECT_NEAR(all.distances[p], (model.embedding().row(i) - model.embedding().row(j)).norm(), 1e-8);
      }
    EXPECT_EQ(all.line_x[0], all.dissimilarities.minCoeff());
    EXPECT_EQ(all.line_y, all.line_x);  // ratio: the disparity is the dissimilarity
    const ShepardPlot some = shepard_diagram(model, Dataset(x), {}, 50),
                      again = shepard_diagram(model, Dataset(x), {}, 50);
    EXPECT_EQ(some.distances.size(), 50);
    EXPECT_EQ(some.dissimilarities, again.dissimilarities);
  }
  const Model ordinal = fit_smacof(Dataset(d), {.type = Disparity::ordinal});
  EXPECT_EQ(shepard_diagram(ordinal, Dataset(d)).line_x, ordinal.stress().knots);
  EXPECT_THROW(shepard_diagram(ordinal, Dataset(Matrix<double>(d.topLeftCorner(20, 20)))), DataError);
  EXPECT_THROW(shepard_diagram(fit_pca(x), Dataset(x)), Unsupported);
}

}  // namespace
}  // namespace fewdim
