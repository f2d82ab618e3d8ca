#include "report/canvas/raster.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace fewdim {
namespace {

constexpr Color black = rgb(0x000000), white = rgb(0xffffff);

int gray(const Raster& raster, int x, int y) {
  return raster.pixels().bytes[std::size_t((y * raster.width() + x) * 3)];
}

/// Black laid down on white, in pixels.
double ink(const Raster& raster) {
  const Pixels pixels = raster.pixels();
  double sum = 0;
  for (std::size_t i = 0; i < pixels.bytes.size(); i += 3) sum += 255 - pixels.bytes[i];
  return sum / 255;
}

TEST(Raster, APixelTakesTheShareThatIsCovered) {
  Raster raster(8, 4, white);
  raster.fill(Path{{1.25, 1}, {3.5, 1}, {3.5, 2.5}, {1.25, 2.5}}, black);
  EXPECT_EQ(gray(raster, 0, 1), 255);
  EXPECT_EQ(gray(raster, 1, 1), 64);  // three quarters covered: 255/4 = 63.75
  EXPECT_EQ(gray(raster, 2, 1), 0);
  EXPECT_EQ(gray(raster, 3, 1), 128);  // half: 127.5
  EXPECT_EQ(gray(raster, 2, 2), 128);
  EXPECT_EQ(gray(raster, 1, 2), 159);  // 3/8 covered: 255·5/8 = 159.4
  EXPECT_EQ(gray(raster, 4, 1), 255);
}

TEST(Raster, AreasAreKept) {
  // A byte is exact to half a step in each of the pixels an edge crosses: far below these bounds.
  Raster triangle(60, 60, white);
  triangle.fill(Path{{3.3, 5.1}, {55.7, 20.9}, {17.2, 50.4}}, black);
  const double area = std::abs((55.7 - 3.3) * (50.4 - 5.1) - (17.2 - 3.3) * (20.9 - 5.1)) / 2;
  EXPECT_NEAR(ink(triangle), area, 0.2);

  Raster turned(60, 60, white);  // the corners the other way round
  turned.fill(Path{{17.2, 50.4}, {55.7, 20.9}, {3.3, 5.1}}, black);
  EXPECT_EQ(turned.pixels().bytes, triangle.pixels().bytes);

  // The edge's ramp of one pixel keeps a disc's area to 1 %.
  Raster disc(60, 60, white);
  disc.disc({30.2, 29.7}, 20, black);
  EXPECT_NEAR(ink(disc), std::numbers::pi * 400, 0.01 * std::numbers::pi * 400);

  Raster line(60, 20, white);
  line.stroke(std::vector<Path>{{{10, 10}, {50, 10}}}, 4, black);
  EXPECT_NEAR(ink(line), 40 * 4 + std::numbers::pi * 4, 0.5);
}

TEST(Raster, StrokesThatCrossArePaintedOnce) {
  Raster raster(21, 21, white);
  raster.stroke(std::vector<Path>{{{0, 10.5}, {21, 10.5}}, {{10.5, 0}, {10.5, 21}}}, 3, rgb(0x000000, 0.5));
  EXPECT_EQ(gray(raster, 10, 10), gray(raster, 4, 10));
  EXPECT_EQ(gray(raster, 4, 10), 128);
}

TEST(Raster, AHairLineIsFaint) {
  Raster raster(10, 3, white);
  raster.stroke(std::vector<Path>{{{-5, 1.5}, {15, 1.5}}}, 0.25, black);
  EXPECT_EQ(gray(raster, 5, 1), 191);  // a quarter of black: 191.25
}

TEST(Raster, BlendsOverATransparentGround) {
  Raster raster(4, 1, rgb(0, 0));
  raster.fill(Path{{0, 0}, {2, 0}, {2, 1}, {0, 1}}, rgb(0xff0000, 0.5));
  const Pixels pixels = raster.pixels();
  ASSERT_EQ(pixels.channels, 4);
  EXPECT_EQ(std::vector<std::uint8_t>(pixels.bytes.begin(), pixels.bytes.begin() + 4),
            (std::vector<std::uint8_t>{255, 0, 0, 128}));
  EXPECT_EQ(std::accumulate(pixels.bytes.begin() + 8, pixels.bytes.end(), 0), 0);  // untouched: all zero
}

TEST(Raster, CutsOffWhatLiesOutside) {
  Raster raster(10, 10, white);
  raster.fill(Path{{-1e6, -1e6}, {1e6, -1e6}, {1e6, 1e6}, {-1e6, 1e6}}, black);
  EXPECT_EQ(ink(raster), 100);
  raster.disc({-1e9, 5}, 3, white);
  raster.disc({5, 1e9}, 3, white);
  raster.stroke(std::vector<Path>{{{1e8, 1e8}, {2e8, 1e8}}, {}}, 2, white);
  raster.fill(Path{{20, 20}, {30, 20}, {30, 30}}, white);
  raster.fill(Path{{1, 1}, {2, 2}}, white);  // no area
  EXPECT_EQ(ink(raster), 100);
}

TEST(Raster, ImagesKeepTheirPixelsSquare) {
  Raster raster(8, 8, white);
  raster.image({2, 2}, 4, 4, Pixels{2, 2, 1, {0, 50, 100, 150}});
  EXPECT_EQ(gray(raster, 2, 2), 0);
  EXPECT_EQ(gray(raster, 3, 3), 0);
  EXPECT_EQ(gray(raster, 4, 2), 50);
  EXPECT_EQ(gray(raster, 2, 5), 100);
  EXPECT_EQ(gray(raster, 5, 5), 150);
  EXPECT_EQ(gray(raster, 6, 6), 255);
}

}  // namespace
}  // namespace fewdim
