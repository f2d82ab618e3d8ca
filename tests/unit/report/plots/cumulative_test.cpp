#include <gtest/gtest.h>

#include "fewdim/plot.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using pictures::count;
using pictures::drawn;
using pictures::message_of;

CumulativePlot shares(std::initializer_list<double> list) {
  CumulativePlot p;
  p.ratios.resize(static_cast<Index>(list.size()));
  std::copy(list.begin(), list.end(), p.ratios.begin());
  return p;
}

TEST(CumulativePlot, SaysHowManyComponentsReachEachLevel) {
  const std::string svg = drawn(shares({0.6, 0.2, 0.1, 0.06, 0.04}), ".svg");  // together .6 .8 .9 .96 1
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 5u);
  for (const auto* text : {">80 %: 2<", ">90 %: 3<", ">95 %: 4<"}) EXPECT_EQ(count(svg, text), 1u) << text;
}

TEST(CumulativePlot, SaysWhereALevelIsNotReached) {
  const std::string svg = drawn(shares({0.6, 0.25}), ".svg");
  EXPECT_EQ(count(svg, ">80 %: 2<"), 1u);
  EXPECT_EQ(count(svg, ">90 %: over 2<"), 1u);
}

TEST(CumulativePlot, TakesThousandsOfComponents) {
  CumulativePlot p;
  p.ratios = Vector<double>::Constant(20000, 1.0 / 20000);
  const std::string svg = drawn(p, ".svg");
  EXPECT_EQ(count(svg, "<circle"), 0u);
  EXPECT_LT(svg.size(), 100'000u);
  EXPECT_EQ(count(svg, ">80 %: 16000<"), 1u);
  EXPECT_EQ(pictures::decode_png(drawn(shares({1.0}), ".png")).width, 1600);
}

TEST(CumulativePlot, RefusesLevelsAndSharesThatAreNone) {
  CumulativePlot p = shares({0.5});
  p.levels = {1.5};
  EXPECT_EQ(message_of([&] { plot(p, "never.svg"); }), "plot: levels=1.5 must be above 0 and at most 1; 0.9 is 90 %");
  EXPECT_NE(message_of([&] { plot(shares({}), "never.svg"); }).find("ratios=none"), std::string::npos);
  EXPECT_NE(message_of([&] { plot(shares({0.8, 0.8}), "never.svg"); }).find("at most 1"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
