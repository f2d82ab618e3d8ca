#include "report/canvas/png.hpp"

#include <gtest/gtest.h>

#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

TEST(Png, DecodesToTheSamePixels) {
  for (const int channels : {1, 3, 4}) {
    Pixels pixels{5, 3, channels, {}};
    for (int i = 0; i < 15 * channels; ++i) pixels.bytes.push_back(static_cast<std::uint8_t>(i * 37));
    const auto decoded = pictures::decode_png(encode_png(pixels));
    ASSERT_EQ(decoded.width, 5);
    ASSERT_EQ(decoded.height, 3);
    for (int p = 0; p < 15; ++p) {
      const auto* from = pixels.bytes.data() + p * channels;
      const std::array<int, 4> expected{from[0], from[channels == 1 ? 0 : 1], from[channels == 1 ? 0 : 2],
                                        channels == 4 ? from[3] : 255};
      EXPECT_EQ(decoded.at(p % 5, p / 5), expected) << channels;
    }
  }
}

TEST(Png, SaysItsResolution) {
  const std::string plain = encode_png({1, 1, 1, {7}}), sized = encode_png({1, 1, 1, {7}}, 7559);
  EXPECT_EQ(plain.find("pHYs"), std::string::npos);
  EXPECT_NE(sized.find("pHYs"), std::string::npos);
}

TEST(Base64, HasTheVectorsOfRfc4648) {  // section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace fewdim
