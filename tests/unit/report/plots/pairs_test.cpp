#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/generate.hpp"
#include "fewdim/plot.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using pictures::count;
using pictures::drawn;
using pictures::message_of;

PairsPlot iris_pairs() {
  const Dataset iris = builtin_table("iris");
  PairsPlot p;
  p.values = iris.matrix<double>();
  p.names = iris.column_names;
  p.title = "Iris", p.labels = iris.labels, p.label_name = iris.label_name;
  return p;
}

TEST(PairsPlot, DrawsEachAgainstEachOnce) {
  const std::string svg = drawn(iris_pairs(), ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 6u * 150u + 3u);  // 4·3/2 panels, and the legend
  for (const auto* text : {">Sepal.Length<", ">Petal.Width<", ">Iris<", ">Species<", ">setosa<"})
    EXPECT_EQ(count(svg, text), 1u) << text;  // a name stands below or at the left
  for (const auto* text : {">Sepal.Width<", ">Petal.Length<"}) EXPECT_EQ(count(svg, text), 2u) << text;  // and both
}

TEST(PairsPlot, PngHasItsSize) {
  PairsPlot p = iris_pairs();
  p.size = {500, 400};
  const auto png = pictures::decode_png(drawn(p, ".png"));
  EXPECT_EQ(png.width, 1000);
  EXPECT_EQ(png.height, 800);
}

TEST(PairsPlot, LeavesOutRowsThatAreNotFiniteInAnyColumn) {
  PairsPlot p = iris_pairs();
  p.values(3, 2) = NAN;
  const std::string svg = drawn(p, ".svg");
  EXPECT_EQ(count(svg, "<circle"), 6u * 149u + 3u);
  EXPECT_EQ(count(svg, ">1 of 150 points left out: not finite<"), 1u);
}

TEST(PairsPlot, TwoColumnsAreOnePanel) {
  PairsPlot p = iris_pairs();
  p.values = p.values.leftCols(2).eval();
  p.names.resize(2);
  EXPECT_EQ(count(drawn(p, ".svg"), "<circle"), 153u);
}

TEST(PairsPlot, HullsAndDensityGoIntoEveryPanel) {
  PairsPlot p = iris_pairs();
  p.hulls = true;
  EXPECT_EQ(count(drawn(p, ".svg"), "<polygon"), 6u * 3u);
  p.hulls = false, p.density = true;
  EXPECT_EQ(count(drawn(p, ".svg"), "<image"), 6u * 3u);
}

TEST(PairsPlot, RefusesWhatItCannotDraw) {
  PairsPlot p = iris_pairs();
  p.names.pop_back();
  EXPECT_EQ(message_of([&] { plot(p, "never.svg"); }),
            "plot: names=3 entries must be one for each of 4 columns; name every column");
  p = iris_pairs();
  p.values = p.values.leftCols(1).eval();
  EXPECT_NE(message_of([&] { plot(p, "never.svg"); }).find("values=1 columns must be 2 to 12"), std::string::npos);
  p = iris_pairs();
  p.labels.pop_back();
  EXPECT_NE(message_of([&] { plot(p, "never.svg"); }).find("labels=149 entries"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
