#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/plot.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using pictures::count;
using pictures::drawn;
using pictures::message_of;

ScreePlot scree(Index n) {
  ScreePlot s;
  s.ratios = Vector<double>(n);
  for (Index i = 0; i < n; ++i) s.ratios[i] = 1.0 / double(i + 1);
  s.ratios /= s.ratios.sum() * 1.1;
  s.title = "Variance";
  return s;
}

TEST(ScreePlot, HasABarAndADotPerComponent) {
  ScreePlot s;
  s.ratios = Vector<double>::Zero(4);
  s.ratios << 0.5, 0.25, 0.15, 0.1;
  const std::string svg = drawn(s, ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "fill=\"#4d8fbf\""), 4u);
  EXPECT_EQ(count(svg, "<circle"), 4u);
  for (const auto* text :
       {">component<", ">share of variance<", ">cumulative<", ">50.0 %<", ">15.0 %<", ">100 %<", ">4<"})
    EXPECT_EQ(count(svg, text), 1u) << text;
  // The left axis ends at 50 %, the bar of 50 % at its top: area from 24 (no title) to 520 - 62.
  EXPECT_EQ(count(svg, "y=\"24\" width=\"64\" height=\"434\" fill=\"#4d8fbf\""), 1u);
}

TEST(ScreePlot, HandlesOneToThousandsOfComponents) {
  for (const Index n : {1, 2, 12, 13, 60, 61, 200, 230, 500, 1000, 100000}) {
    const std::string svg = drawn(scree(n), ".svg");
    EXPECT_EQ(pictures::xml_fault(svg), "") << n;
    EXPECT_LT(svg.size(), 200'000u) << n;
    EXPECT_EQ(count(svg, "nan"), 0u) << n;
    EXPECT_EQ(count(svg, "fill=\"#4d8fbf\""), n <= 200 ? std::size_t(n) : 1u)
        << n;  // an outline when bars get too thin
    EXPECT_EQ(count(svg, ">1</text>"), 1u) << n;
  }
}

TEST(ScreePlot, PngHasItsSizeAndColors) {
  const auto png = pictures::decode_png(drawn(scree(500), ".png"));
  ASSERT_EQ(png.width, 1600);
  ASSERT_EQ(png.height, 1040);
  EXPECT_GT(png.count({0x4d, 0x8f, 0xbf}), 5000);
  EXPECT_GT(png.count({0xd5, 0x5e, 0x00}), 1000);
}

TEST(ScreePlot, SameInputSameBytes) {
  for (const auto* ending : {".svg", ".png"}) EXPECT_EQ(drawn(scree(40), ending), drawn(scree(40), ending));
}

TEST(ScreePlot, DrawsZerosAndTinyShares) {
  ScreePlot s;
  s.ratios = Vector<double>::Zero(5);
  EXPECT_EQ(pictures::xml_fault(drawn(s, ".svg")), "");
  s.ratios.setConstant(1e-300);
  s.ratios[1] = -1e-17;  // rounding below zero
  EXPECT_EQ(pictures::xml_fault(drawn(s, ".svg")), "");
}

TEST(ScreePlot, RefusesWhatAreNoShares) {
  const auto refusal = [](std::vector<double> values) {
    ScreePlot s;
    s.ratios = Eigen::Map<Vector<double>>(values.data(), Index(values.size()));
    return message_of([&] { plot(s, "never.png"); });
  };
  EXPECT_EQ(refusal({}), "plot: ratios=none must be one or more; fit with at least one component");
  EXPECT_EQ(refusal({0.5, NAN}),
            "plot: ratios[1]=nan must be a finite number, 0 or more; give shares of the total variance");
  EXPECT_NE(refusal({-0.5}).find("ratios[0]=-0.5"), std::string::npos);
  EXPECT_EQ(refusal({40, 30}), "plot: ratios=70 together must be at most 1; divide by the total variance");
}

}  // namespace
}  // namespace fewdim
