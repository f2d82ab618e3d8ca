#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/plot.hpp"
#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using pictures::count;
using pictures::drawn;
using pictures::message_of;

CurvePlot curve(Index n) {
  CurvePlot c{.title = "Kept", .x_label = "size", .y_label = "share", .log_x = true, .high = 1.0};
  c.x = Vector<double>::LinSpaced(n, 1.0, static_cast<double>(n));
  c.y = c.x.unaryExpr([n](double x) { return std::log(x) / std::log(static_cast<double>(n) + 1.0); });
  return c;
}

std::string curve_refusal(const CurvePlot& c) {
  return message_of([&] { plot(c, "never-written.svg"); });
}

TEST(CurvePlot, HasADotPerPointAndItsTexts) {
  const std::string svg = drawn(curve(50), ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 50u);
  for (const auto* text : {">Kept<", ">size<", ">share<", ">10<", ">20<", ">50<", ">0.0<", ">1.0<"})
    EXPECT_EQ(count(svg, text), 1u) << text;
}

TEST(CurvePlot, HandlesFewAndManyPointsAndDecades) {
  for (const Index n : {1, 2, 100, 101, 5000})
    for (const bool log_x : {false, true}) {
      CurvePlot c = curve(n);
      c.log_x = log_x;
      c.x *= 1e-3;
      const std::string svg = drawn(c, ".svg");
      EXPECT_EQ(pictures::xml_fault(svg), "") << n;
      EXPECT_EQ(count(svg, "nan"), 0u) << n;
      EXPECT_EQ(count(svg, "<circle"), n <= 100 ? std::size_t(n) : 0u) << n;
    }
  CurvePlot wide = curve(3);
  wide.x << 1e-20, 1.0, 1e20;
  EXPECT_LT(count(drawn(wide, ".svg"), "<text"), 40u);
}

TEST(CurvePlot, DrawsABandOfErrors) {
  CurvePlot c = curve(20);
  const std::size_t without = count(drawn(c, ".svg"), "<polygon");
  c.error = Vector<double>::Constant(20, 0.05);
  EXPECT_EQ(count(drawn(c, ".svg"), "<polygon"), without + 1);
}

TEST(CurvePlot, WidensItsAxisForALineThatLeavesIt) {
  CurvePlot c = curve(20);
  c.y.array() -= 0.6;
  EXPECT_EQ(count(drawn(c, ".svg"), ">−0.5<"), 1u);  // nice_ticks writes U+2212
}

TEST(CurvePlot, SameInputSameBytes) {
  for (const auto* ending : {".svg", ".png"}) EXPECT_EQ(drawn(curve(40), ending), drawn(curve(40), ending));
}

TEST(CurvePlot, RefusesWhatCannotBeDrawn) {
  CurvePlot c = curve(5);
  c.y.conservativeResize(4);
  EXPECT_NE(curve_refusal(c).find("one for each x"), std::string::npos);
  c = curve(5);
  c.x[2] = 0.0;
  EXPECT_NE(curve_refusal(c).find("point 3"), std::string::npos);
  c = curve(5);
  c.y[0] = std::nan("");
  EXPECT_NE(curve_refusal(c).find("point 1"), std::string::npos);
  c = curve(5);
  c.error = Vector<double>::Zero(2);
  EXPECT_NE(curve_refusal(c).find("error"), std::string::npos);
  EXPECT_NE(curve_refusal(CurvePlot{}).find("none"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
