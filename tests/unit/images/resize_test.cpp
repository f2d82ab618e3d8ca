#include <gtest/gtest.h>

#include "fewdim/error.hpp"
#include "support/images.hpp"

namespace fewdim {
namespace {

Image row(std::vector<float> values) {
  const Index width = std::ssize(values);
  return {1, width, 1, std::move(values)};
}

TEST(Resize, ShrinkingTakesMeans) {
  EXPECT_EQ(resize(row({0, 2, 4, 6}), 1, 2).values, (std::vector<float>{1, 5}));
  // Three pixels to two: each covers one and a half. (0 + 3/2)/1.5 = 1, (3/2 + 6)/1.5 = 5.
  const Image two = resize(row({0, 3, 6}), 1, 2);
  EXPECT_FLOAT_EQ(two.values[0], 1.0F);
  EXPECT_FLOAT_EQ(two.values[1], 5.0F);
}

TEST(Resize, GrowingDrawsStraightLines) {
  // Centers of four pixels over two: at −1/4, 1/4, 3/4 and 5/4 of the way from the first center to the second.
  EXPECT_EQ(resize(row({0, 4}), 1, 4).values, (std::vector<float>{0, 1, 3, 4}));
  EXPECT_EQ(resize(row({7}), 3, 2).values, std::vector<float>(6, 7.0F));
}

TEST(Resize, EachSideAloneAndEachChannelAlone) {
  Image image{2, 1, 3, {0, 1, 2, 4, 5, 6}};
  const Image mean = resize(image, 1, 1);
  EXPECT_EQ(mean.values, (std::vector<float>{2, 3, 4}));
  const Image taller = resize(image, 4, 1);
  EXPECT_EQ(taller.height, 4);
  EXPECT_EQ(taller.values[3], 1.0F);  // red of the second row: a quarter of the way from 0 to 4
}

TEST(Resize, KeepsTheMeanWhereItShrinks) {
  const Image image = test::smooth_image(37, 53, 1);
  double before = 0.0, after = 0.0;
  for (const float v : image.values) before += double(v) / double(image.size());
  const Image small = resize(image, 8, 11);
  for (const float v : small.values) after += double(v) / double(small.size());
  EXPECT_NEAR(before, after, 1e-7);  // all new pixels cover the same area; values are float32
}

TEST(Resize, RefusesNothing) { EXPECT_THROW(resize(row({1}), 0, 2), InvalidOption); }

TEST(WithColoring, GoesBothWays) {
  const Image gray = row({0.25F, 0.75F});
  const Image rgb = with_coloring(gray, Coloring::rgb);
  EXPECT_EQ(rgb.channels, 3);
  EXPECT_EQ(with_coloring(rgb, Coloring::gray).values, gray.values);
  EXPECT_EQ(with_coloring(rgb, Coloring::as_stored).values, rgb.values);
}

}  // namespace
}  // namespace fewdim
