#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "base/random.hpp"
#include "fewdim/generate.hpp"
#include "fewdim/plot.hpp"
#include "report/canvas/canvas.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using namespace std::string_literals;
using pictures::count;
using pictures::drawn;
using pictures::message_of;

ScatterPlot iris_scatter() {
  const Dataset iris = builtin_table("iris");
  const Matrix<double> x = iris.matrix<double>();
  ScatterPlot s;
  s.x = x.col(2), s.y = x.col(1);
  s.title = "Iris", s.x_label = "Petal.Length", s.y_label = "Sepal.Width";
  s.labels = iris.labels, s.label_name = iris.label_name;
  return s;
}

ScatterPlot cloud(Index n) {
  ScatterPlot s;
  const auto x = generate("swiss-roll", {.rows = n}).matrix<double>();
  s.x = x.col(0), s.y = x.col(2);
  return s;
}

TEST(ScatterPlot, SvgHasACircleForEachPointAndALegend) {
  const std::string svg = drawn(iris_scatter(), ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 150u + 3u);  // and three in the legend
  EXPECT_EQ(count(svg, "fill=\"#0072b2\""), 51u);
  EXPECT_EQ(count(svg, "fill=\"#e69f00\""), 51u);
  EXPECT_EQ(count(svg, "fill=\"#009e73\""), 51u);
  for (const auto* text :
       {">Iris<", ">Petal.Length<", ">Sepal.Width<", ">Species<", ">setosa<", ">versicolor<", ">virginica<"})
    EXPECT_EQ(count(svg, text), 1u) << text;
}

TEST(ScatterPlot, PngHasItsSizeAndColors) {
  const auto png = pictures::decode_png(drawn(iris_scatter(), ".png"));
  ASSERT_EQ(png.width, 1600);
  ASSERT_EQ(png.height, 1200);
  EXPECT_EQ(png.at(0, 0), (std::array{255, 255, 255, 255}));
  EXPECT_EQ(png.at(1599, 1199), (std::array{255, 255, 255, 255}));
  EXPECT_GT(png.count({0x00, 0x72, 0xb2}), 150);  // the legend's discs are solid: radius 10 pixels
  EXPECT_GT(png.count({0xe6, 0x9f, 0x00}), 150);
  EXPECT_GT(png.count({0x00, 0x9e, 0x73}), 150);
  EXPECT_GT(png.count({0x22, 0x22, 0x22}), 500);  // letters
}

TEST(ScatterPlot, APointStandsWhereItsAxesSay) {
  ScatterPlot s;
  s.x = Vector<double>::Zero(3), s.y = Vector<double>::Zero(3);
  s.x << 0, 10, 5;
  s.y << 0, 10, 5;
  const std::string svg = drawn(s, ".svg");
  // Area: from 54 left (14 + the width of "10" at 12 px + 9, rounded up) to 26 from the right edge; the third point in
  // its middle. Without title and labels the margins are 24 above and 40 below.
  const double left = std::ceil(14 + 2 * 0.556 * 12 + 9);
  EXPECT_NE(svg.find("cx=\""s + fmt::format("{:g}", left + (800 - left - 26) / 2) + "\" cy=\"292\""), std::string::npos)
      << svg;
}

TEST(ScatterPlot, SameInputSameBytes) {
  EXPECT_EQ(drawn(iris_scatter(), ".svg"), drawn(iris_scatter(), ".svg"));
  EXPECT_EQ(drawn(iris_scatter(), ".png"), drawn(iris_scatter(), ".png"));
  EXPECT_EQ(drawn(cloud(6000), ".svg"), drawn(cloud(6000), ".svg"));  // with an image inside
}

TEST(ScatterPlot, FiftyThousandPointsStaySmallAndShow) {
  const ScatterPlot s = cloud(50000);
  const std::string svg = drawn(s, ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_LT(svg.size(), 4'000'000u);
  EXPECT_EQ(count(svg, "<image"), 1u);
  EXPECT_EQ(count(svg, "<circle"), 0u);
  EXPECT_EQ(pictures::decode_png(drawn(s, ".png")).width, 1600);
}

TEST(ScatterPlot, ManyNumbersAreColoredAlongABar) {
  ScatterPlot s = cloud(300);
  for (Index i = 0; i < 300; ++i) s.labels.push_back(std::to_string(i));
  s.label_name = "position";
  const std::string svg = drawn(s, ".svg");
  EXPECT_EQ(count(svg, "<image"), 1u);  // the bar
  EXPECT_EQ(count(svg, "<circle"), 300u);
  EXPECT_EQ(count(svg, "fill=\"#440154\""), 1u);
  EXPECT_EQ(count(svg, "fill=\"#fde725\""), 1u);
  EXPECT_EQ(count(svg, ">position<"), 1u);
}

TEST(ScatterPlot, FewNamesAreDrawnMoreAreTooltips) {
  ScatterPlot s = cloud(60);
  for (Index i = 0; i < 60; ++i) s.point_names.push_back("p<" + std::to_string(i));
  std::string svg = drawn(s, ".svg");
  EXPECT_EQ(count(svg, "<title>p&lt;"), 60u);
  EXPECT_GT(count(svg, ">p&lt;") - 60u, 30u);  // drawn, but for those without a free place
  s = cloud(61);
  s.point_names.assign(61, "name");
  svg = drawn(s, ".svg");
  EXPECT_EQ(count(svg, "<title>name</title>"), 61u);
  EXPECT_EQ(count(svg, ">name</text>"), 0u);
}

TEST(ScatterPlot, NamesThatFallTogetherAreDrawnWhereTheyFit) {
  ScatterPlot s;  // twenty points in a corner, one elsewhere: not more names than places beside a dot
  s.x = Vector<double>::Zero(21), s.y = Vector<double>::Zero(21);
  s.x[20] = s.y[20] = 1;
  s.point_names.assign(21, "a name");
  const std::size_t names = count(drawn(s, ".svg"), ">a name</text>");
  EXPECT_GE(names, 3u);
  EXPECT_LE(names, 9u);
}

/// Of the i-th circle.
Point circle_at(const std::string& svg, std::size_t i) {
  std::size_t at = 0;
  for (std::size_t k = 0; k <= i; ++k) at = svg.find("<circle cx=\"", at) + 12;
  const std::size_t y = svg.find("cy=\"", at) + 4;
  return {std::stod(svg.substr(at)), std::stod(svg.substr(y))};
}

TEST(ScatterPlot, EqualAxesHaveUnitsOfOneLength) {
  ScatterPlot s;
  s.x = Vector<double>::Zero(2), s.y = Vector<double>::Zero(2);
  s.x << 0, 100;
  s.y << 0, 10;
  s.equal = true;
  const std::string svg = drawn(s, ".svg");
  const Point a = circle_at(svg, 0), b = circle_at(svg, 1);
  EXPECT_NEAR(std::abs(a.x - b.x) / 100, std::abs(a.y - b.y) / 10, 0.001);  // two decimals in the file
  for (const double size : {0.0, 1e-320, 1e300, DBL_MAX}) {
    s.x[1] = size, s.y[1] = -size;
    EXPECT_EQ(pictures::xml_fault(drawn(s, ".svg")), "") << size;
    EXPECT_EQ(count(drawn(s, ".svg"), "nan"), 0u) << size;
  }
}

TEST(ScatterPlot, HullsGoAroundEachClass) {
  ScatterPlot s = iris_scatter();
  s.hulls = true;
  const std::string svg = drawn(s, ".svg");
  EXPECT_EQ(count(svg, "<polygon"), 3u);
  EXPECT_EQ(count(svg, "<circle"), 153u);
  s.labels.clear();
  EXPECT_EQ(count(drawn(s, ".svg"), "<polygon"), 1u);
}

TEST(ScatterPlot, DensityReplacesAllDotsButTheFarthest) {
  const Random random(1, 2);
  ScatterPlot s;
  s.x = Vector<double>::Zero(4000), s.y = Vector<double>::Zero(4000);
  for (Index i = 0; i < 4000; ++i) {
    s.x[i] = random.normal(static_cast<std::uint64_t>(2 * i));
    s.y[i] = 7 * random.normal(static_cast<std::uint64_t>(2 * i + 1));
  }
  s.density = true;
  std::string svg = drawn(s, ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<image"), 1u);
  const std::size_t outside = count(svg, "<circle");
  // The estimate is normal with variance 1 + N^(−1/3) = 1.063: outside of its 95 % lie 0.05^1.063 = 4.1 % of the
  // points, 166 of 4,000 with a standard deviation of 13.
  EXPECT_NEAR(static_cast<double>(outside), 166.0, 40.0);
  s = iris_scatter();
  s.density = true;
  svg = drawn(s, ".svg");
  EXPECT_EQ(count(svg, "<image"), 3u);
  EXPECT_EQ(count(svg, "<circle"), 3u);  // the legend's
  EXPECT_EQ(drawn(s, ".png"), drawn(s, ".png"));
}

TEST(ScatterPlot, ValuesAreColoredAlongABarHoweverFew) {
  ScatterPlot s = cloud(4);
  s.values = Vector<double>::Zero(4);
  s.values << 1, 3, NAN, 3;
  s.label_name = "height";
  std::string svg = drawn(s, ".svg");
  EXPECT_EQ(count(svg, "<image"), 1u);
  EXPECT_EQ(count(svg, "fill=\"#440154\""), 1u);
  EXPECT_EQ(count(svg, "fill=\"#fde725\""), 2u);
  EXPECT_EQ(count(svg, "fill=\"#9aa0a6\""), 1u);  // the one without
  s.values.setConstant(2);
  EXPECT_EQ(pictures::xml_fault(drawn(s, ".svg")), "");
  s.labels.assign(4, "a");
  EXPECT_NE(message_of([&] { plot(s, "never.svg"); }).find("both labels and values"), std::string::npos);
}

TEST(ScatterPlot, MoreClassesThanColorsHaveOtherMarkers) {
  ScatterPlot s = cloud(80);
  for (Index i = 0; i < 80; ++i) s.labels.push_back("c" + std::to_string(i % 40));
  const std::string svg = drawn(s, ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 12u * 3u);  // two rows each and the legend
  EXPECT_EQ(count(svg, "<polygon"), 28u * 3u);
  EXPECT_EQ(count(svg, ">other"), 0u);
  EXPECT_EQ(count(svg, ">c39<"), 1u);
}

TEST(ScatterPlot, SizesAreTakenOrRefused) {
  ScatterPlot s = iris_scatter();
  s.size = {1200, 900};
  EXPECT_EQ(pictures::decode_png(drawn(s, ".png")).width, 2400);
  s.size = {400, 300};
  EXPECT_EQ(pictures::xml_fault(drawn(s, ".svg")), "");
  for (const PlotSize size : {PlotSize{100, 300}, PlotSize{800, 0}, PlotSize{5000, 400}, PlotSize{3000, 3000}}) {
    s.size = size;
    EXPECT_NE(message_of([&] { plot(s, "never.svg"); }).find("plot: size="), std::string::npos);
  }
}

TEST(ScatterPlot, PointsThatAreNotFiniteAreLeftOutAndCounted) {
  ScatterPlot s = iris_scatter();
  s.x[0] = NAN, s.y[1] = INFINITY, s.x[2] = -INFINITY;
  const std::string svg = drawn(s, ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 147u + 3u);
  EXPECT_EQ(count(svg, ">3 of 150 points left out: not finite<"), 1u);
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
}

TEST(ScatterPlot, SurvivesOddCoordinatesAndTexts) {
  for (const double size : {0.0, 1e-320, 1e-12, 1.0, 1e12, DBL_MAX}) {
    ScatterPlot s;
    s.x = Vector<double>::Constant(2, size), s.y = s.x;
    s.x[1] = -size;
    s.title = std::string(3000, 'W'), s.x_label = s.title, s.y_label = "\xff\x01<&";
    s.labels = {s.title, ""}, s.label_name = s.title, s.point_names = {s.title, "\xe6\x9d\xb1\xe4\xba\xac"};
    const std::string svg = drawn(s, ".svg");
    EXPECT_EQ(pictures::xml_fault(svg), "") << size;
    EXPECT_EQ(count(svg, "<circle"), 4u) << size;
    EXPECT_EQ(count(svg, "nan"), 0u) << size;
    if (size != 0.0 && size != DBL_MAX) continue;  // a PNG takes its time
    EXPECT_EQ(pictures::decode_png(drawn(s, ".png")).width, 1600) << size;
  }
}

TEST(ScatterPlot, RefusesWhatItCannotDraw) {
  const ScatterPlot good = iris_scatter();
  const auto refusal = [](const ScatterPlot& s, const std::string& path) { return message_of([&] { plot(s, path); }); };
  for (const auto* path : {"picture.pdf", "picture", "-", ".svg", "svg"})
    EXPECT_EQ(refusal(good, path),
              "plot: file="s + path + " must end in .svg or .png; the ending decides the kind of picture");
  EXPECT_EQ(refusal({}, "never.svg"),
            "plot: points=0 has none with finite coordinates; a picture needs one point or more");
  ScatterPlot bad = good;
  bad.y.conservativeResize(149);
  EXPECT_EQ(refusal(bad, "never.svg"),
            "plot: y=149 numbers must be as many as x, 150; give both coordinates of every point");
  bad = good;
  bad.labels.pop_back();
  EXPECT_EQ(refusal(bad, "never.svg"),
            "plot: labels=149 entries must be one for each of 150 points; leave it empty or give one per point");
  bad = good;
  bad.point_names = {"one"};
  EXPECT_NE(refusal(bad, "never.svg").find("point_names=1 entries"), std::string::npos);
  bad = good;
  bad.x.setConstant(NAN);
  EXPECT_NE(refusal(bad, "never.svg").find("points=150 has none"), std::string::npos);
  EXPECT_THROW(plot(good, "/nowhere/at/all.svg"), IoError);
}

TEST(ScatterPlot, ReplacesAFileOnlyWhenTold) {
  const std::string path = pictures::temporary("kept.SVG");  // the ending may be in capitals
  plot(iris_scatter(), path);
  const std::string first = pictures::content(path);
  ScatterPlot other = iris_scatter();
  other.title = "other";
  EXPECT_THROW(plot(other, path), IoError);
  EXPECT_EQ(pictures::content(path), first);
  plot(other, path, true);
  EXPECT_NE(pictures::content(path), first);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace fewdim
