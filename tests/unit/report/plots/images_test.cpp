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

ImageGrid digits_grid() {
  ImageGrid g;
  g.images = builtin_table("digits").matrix<double>().topRows(20);
  g.height = g.width = 8;
  g.columns = 10;
  g.low = 0, g.high = 16;
  g.title = "Digits";
  g.row_titles = {"k = 1", "k = 4"};
  return g;
}

TEST(ImageGrid, SvgHasEveryPictureAndRowTitle) {
  const std::string svg = drawn(digits_grid(), ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<image"), 20u);
  EXPECT_EQ(count(svg, ">k = 1<"), 1u);
  EXPECT_EQ(count(svg, ">k = 4<"), 1u);
  EXPECT_EQ(count(svg, ">Digits<"), 1u);
}

// One picture of 2x2 pixels without title: it starts at the margin of 24 (48 pixels) and is as large as may be, 104
// wide (208 pixels).
TEST(ImageGrid, PixelsAreSquaresOfTheirGray) {
  ImageGrid g;
  g.images = RowMatrix<double>(1, 4);
  g.images << 0, 0.2, 0.6, 1;
  g.height = g.width = 2, g.columns = 1;
  const auto png = pictures::decode_png(drawn(g, ".png"));
  ASSERT_EQ(png.width, 2 * (24 + 104 + 24));
  ASSERT_EQ(png.height, png.width);
  EXPECT_EQ(png.at(47, 48)[0], 255);  // paper
  EXPECT_EQ(png.at(48, 48)[0], 0);
  EXPECT_EQ(png.at(151, 151)[0], 0);
  EXPECT_EQ(png.at(152, 48)[0], 51);
  EXPECT_EQ(png.at(48, 152)[0], 153);
  EXPECT_EQ(png.at(255, 255)[0], 255);
}

TEST(ImageGrid, RangeClampsComesFromTheDataOrTurnsRound) {
  ImageGrid g;
  g.images = RowMatrix<double>(1, 4);
  g.images << -3, 1, 0.5, 9;
  g.height = 1, g.width = 4, g.columns = 1;
  const auto grays = [&] {
    const auto png = pictures::decode_png(drawn(g, ".png"));
    return std::array{png.at(60, 50)[0], png.at(110, 50)[0], png.at(160, 50)[0], png.at(210, 50)[0]};
  };
  EXPECT_EQ(grays(), (std::array{0, 255, 128, 255}));
  g.low = g.high = 0;
  EXPECT_EQ(grays(), (std::array{0, 85, 74, 255}));  // (v + 3) / 12 of 255
  g.low = 1, g.high = 0;
  EXPECT_EQ(grays(), (std::array{255, 0, 128, 0}));
  g.images.setConstant(5), g.low = g.high = 0;
  EXPECT_EQ(grays(), (std::array{128, 128, 128, 128}));  // no range: middle gray
}

TEST(ImageGrid, LargePicturesShrinkToTheirMean) {
  ImageGrid g;
  g.images = RowMatrix<double>::Zero(1, 1000 * 1000);
  for (Index i = 0; i < 1000 * 1000; i += 2) g.images(0, i) = 1;  // stripes of one pixel
  g.height = g.width = 1000, g.columns = 1;
  const auto png = pictures::decode_png(drawn(g, ".png"));
  ASSERT_LT(png.width, 400);
  for (int x = 60; x < 200; x += 7) EXPECT_NEAR(png.at(x, 100)[0], 127.5, 26);  // 4 or 5 stripes to a pixel: 2/5 .. 3/5
}

TEST(ImageGrid, MissingPixelsShow) {
  ImageGrid g = digits_grid();
  g.images(0, 0) = NAN, g.images(1, 0) = INFINITY, g.images(2, 0) = -INFINITY;
  const auto png = pictures::decode_png(drawn(g, ".png"));
  EXPECT_GT(png.count({0xf2, 0xb8, 0xb5}), 50);
}

TEST(ImageGrid, SameInputSameBytes) {
  for (const auto* ending : {".svg", ".png"}) EXPECT_EQ(drawn(digits_grid(), ending), drawn(digits_grid(), ending));
}

TEST(ImageGrid, TheLastLineMayBeShort) {
  ImageGrid g = digits_grid();
  g.images.conservativeResize(13, 64);
  EXPECT_EQ(count(drawn(g, ".svg"), "<image"), 13u);
  g.columns = INT64_MAX, g.row_titles = {"all"};
  EXPECT_EQ(count(drawn(g, ".svg"), "<image"), 13u);
}

TEST(ImageGrid, RefusesWhatItCannotDraw) {
  const auto refusal = [](const ImageGrid& g) { return message_of([&] { plot(g, "never.png"); }); };
  EXPECT_EQ(refusal({}), "plot: images=none must be one or more; give a row per picture");
  ImageGrid g = digits_grid();
  g.height = 7;
  EXPECT_EQ(
      refusal(g),
      "plot: height x width=7x8 must have as many pixels as images have columns, 64; give the shape of one picture");
  g = digits_grid(), g.height = -8, g.width = -8;
  EXPECT_NE(refusal(g).find("height x width=-8x-8"), std::string::npos);
  g = digits_grid(), g.columns = 0;
  EXPECT_EQ(refusal(g), "plot: columns=0 must be at least 1; say how many pictures go on a line");
  g = digits_grid(), g.row_titles = {"one"};
  EXPECT_NE(refusal(g).find("row_titles=1 entries must be one for each of 2 lines"), std::string::npos);
  g = digits_grid(), g.low = NAN;
  EXPECT_NE(refusal(g).find("must be finite"), std::string::npos);
  g = {};
  g.images = RowMatrix<double>::Zero(100000, 1), g.height = g.width = 1, g.columns = 1;
  EXPECT_EQ(refusal(g),
            "plot: images=100000 pictures, 1 a line is more than one picture can show; plot fewer of them, or more on "
            "a line");
}

TEST(ImageGrid, CaptionsStandBelowTheirPictures) {
  ImageGrid g = digits_grid();
  const auto plain = pictures::decode_png(drawn(g, ".png"));
  for (int i = 0; i < 20; ++i) g.captions.push_back("digit " + std::to_string(i) + "\nnote");
  const std::string svg = drawn(g, ".svg");
  EXPECT_EQ(pictures::xml_fault(svg), "");
  EXPECT_EQ(count(svg, ">digit 7<"), 1u);
  EXPECT_EQ(count(svg, ">note<"), 20u);
  // Two lines of pictures, each with two lines of text of 14 and a gap of 10, at two pixels a unit.
  EXPECT_EQ(pictures::decode_png(drawn(g, ".png")).height, plain.height + 2 * 2 * (2 * 14 + 10));
  g.captions.pop_back();
  EXPECT_NE(message_of([&] { drawn(g, ".svg"); }).find("captions"), std::string::npos);
}

TEST(ImageGrid, ColorsAreRedGreenAndBlueOfAPixel) {
  ImageGrid g;
  g.images = RowMatrix<double>(1, 6);
  g.images << 1, 0, 0, 0, 0.2, 1;  // red, and a blue with some green
  g.height = 1, g.width = 2, g.columns = 1, g.channels = 3;
  const auto picture = pictures::decode_png(drawn(g, ".png"));
  EXPECT_EQ(picture.at(60, 60), (std::array<int, 4>{255, 0, 0, 255}));
  EXPECT_EQ(picture.at(48 + 208 - 4, 60), (std::array<int, 4>{0, 51, 255, 255}));  // 48 is the margin, 208 the width
  g.channels = 2;
  EXPECT_NE(message_of([&] { drawn(g, ".png"); }).find("height x width"), std::string::npos);
}

TEST(ImageGrid, LongestSideIsTheSheets) {
  ImageGrid g;
  g.images = RowMatrix<double>::Zero(1, 4);
  g.height = g.width = 2, g.columns = 1;
  g.longest_side = 300;
  EXPECT_EQ(pictures::decode_png(drawn(g, ".png")).width, 2 * (300 + 2 * 24));
  g.longest_side = 2;
  EXPECT_NE(message_of([&] { drawn(g, ".png"); }).find("longest_side"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
