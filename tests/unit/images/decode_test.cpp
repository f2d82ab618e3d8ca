#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <fstream>

#include "fewdim/error.hpp"
#include "images/formats.hpp"
#include "support/images.hpp"

namespace fewdim {
namespace {

using test::bmp24;
using test::byte_pattern;
using test::data_error_of;
using test::number;
using test::pgm;
using test::png_file;

Image decoded(const std::string& bytes, Coloring coloring = Coloring::as_stored) {
  return decode_image(bytes, "picture", {.coloring = coloring});
}

std::vector<float> over_255(const std::vector<std::uint8_t>& bytes) {
  std::vector<float> out;
  for (const std::uint8_t byte : bytes) out.push_back(static_cast<float>(byte / 255.0));
  return out;
}

std::vector<std::string> rows_of(Index height, const std::vector<std::uint8_t>& bytes) {
  std::vector<std::string> rows;
  const std::size_t stride = bytes.size() / static_cast<std::size_t>(height);
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
    rows.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(y * stride),
                      bytes.begin() + static_cast<std::ptrdiff_t>((y + 1) * stride));
  return rows;
}

void expect_image(const Image& image, Index height, Index width, Index channels, const std::vector<float>& values) {
  EXPECT_EQ(image.height, height);
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.channels, channels);
  EXPECT_EQ(image.values, values);  // the same bits
}

TEST(DecodeImage, GrayIsTheSameInEveryFormat) {
  const auto bytes = byte_pattern(5, 7);
  const auto values = over_255(bytes);
  expect_image(decoded(pgm(5, 7, bytes)), 5, 7, 1, values);
  expect_image(decoded(png_file(5, 7, {}, rows_of(5, bytes))), 5, 7, 1, values);
  expect_image(decoded(png_file(5, 7, {.interlaced = true}, rows_of(5, bytes))), 5, 7, 1, values);
  std::string text = "P2 7 5 255\n";
  std::vector<std::uint8_t> rgb;
  for (const std::uint8_t byte : bytes) {
    text += std::to_string(byte) + "\n";
    rgb.insert(rgb.end(), 3, byte);
  }
  expect_image(decoded(text), 5, 7, 1, values);
  // Gray that is stored as colors has luma v, exactly.
  expect_image(decoded(bmp24(5, 7, rgb), Coloring::gray), 5, 7, 1, values);
  expect_image(decoded(png_file(5, 7, {.color = PNG_COLOR_TYPE_RGB}, rows_of(5, rgb)), Coloring::gray), 5, 7, 1,
               values);
  expect_image(decoded(pgm(5, 7, bytes), Coloring::rgb), 5, 7, 3, over_255(rgb));
}

TEST(DecodeImage, ColorsAreTheSameInEveryFormat) {
  const auto rgb = byte_pattern(3, 5, 3);
  const auto values = over_255(rgb);
  expect_image(decoded("P6 5 3 255 " + test::text_of(rgb)), 3, 5, 3, values);
  expect_image(decoded(bmp24(3, 5, rgb)), 3, 5, 3, values);
  expect_image(decoded(png_file(3, 5, {.color = PNG_COLOR_TYPE_RGB}, rows_of(3, rgb))), 3, 5, 3, values);
  std::string text = "P3\n5 3\n255\n";
  for (const std::uint8_t byte : rgb) text += std::to_string(byte) + " ";
  expect_image(decoded(text), 3, 5, 3, values);
}

// Rec. 601: 0.299 R + 0.587 G + 0.114 B of red, green, blue and white.
TEST(DecodeImage, GrayIsLuma) {
  const std::string ppm = "P6 4 1 255 " + std::string("\xff\0\0\0\xff\0\0\0\xff\xff\xff\xff", 12);
  expect_image(decoded(ppm, Coloring::gray), 1, 4, 1, {0.299F, 0.587F, 0.114F, 1.0F});
}

TEST(DecodeImage, SixteenBitsAreOver65535) {
  // 0, 256, 65535: high byte first in both formats.
  const std::string samples("\0\0\1\0\xff\xff", 6);
  const std::vector<float> values{0.0F, static_cast<float>(256.0 / 65535.0), 1.0F};
  expect_image(decoded("P5 3 1 65535\n" + samples), 1, 3, 1, values);
  expect_image(decoded(png_file(1, 3, {.bits = 16}, {samples})), 1, 3, 1, values);
  // A largest value that is not a power of two: 3 of 12.
  expect_image(decoded("P2 1 1 12 3"), 1, 1, 1, {0.25F});
}

TEST(DecodeImage, TransparencyShowsWhite) {
  // Gray 0 at opacity 255, 0 and 51 (a fifth): black, white, 4/5.
  const std::string samples("\0\xff\0\0\0\x33", 6);
  expect_image(decoded(png_file(1, 3, {.color = PNG_COLOR_TYPE_GRAY_ALPHA}, {samples})), 1, 3, 1, {0.0F, 1.0F, 0.8F});
}

TEST(DecodeImage, PalettesAndSingleBits) {
  const std::vector<png_color> palette{{255, 0, 0}, {0, 0, 255}};
  expect_image(decoded(png_file(1, 2, {.color = PNG_COLOR_TYPE_PALETTE, .bits = 1}, {std::string("\x40", 1)}, palette)),
               1, 2, 3, {1, 0, 0, 0, 0, 1});
  expect_image(decoded(png_file(1, 3, {.bits = 1}, {std::string("\xa0", 1)})), 1, 3, 1, {1, 0, 1});
  // 8 bits with a palette of grays, one row of three pixels: gray.
  std::string bmp = "BM" + number(0, 8, true) + number(54 + 8, 4, true) + number(40, 4, true) + number(3, 4, true) +
                    number(1, 4, true) + number(1, 2, true) + number(8, 2, true) + std::string(16, '\0') +
                    number(2, 4, true) + number(0, 4, true) + std::string("\0\0\0\0\xff\xff\xff\0", 8) +
                    std::string("\1\0\1\0", 4);
  expect_image(decoded(bmp), 1, 3, 1, {1, 0, 1});
  bmp[62] = 2;  // a color that the palette lacks
  EXPECT_NE(data_error_of([&] { decoded(bmp); }).find("palette"), std::string::npos);
}

TEST(DecodeImage, ThirtyTwoBitsOfBmp) {
  const std::string head = "BM" + number(0, 8, true) + number(54, 4, true) + number(40, 4, true) + number(1, 4, true);
  // Height −1: from the top. Blue, green, red, a byte that is not used.
  const std::string bmp = head + number(0xFFFFFFFF, 4, true) + number(1, 2, true) + number(32, 2, true) +
                          std::string(24, '\0') + std::string("\0\x33\xff\0", 4);
  expect_image(decoded(bmp), 1, 1, 3, {1.0F, 0.2F, 0.0F});
}

TEST(DecodeImage, JpegIsNearItsPixels) {
  const Image image = test::smooth_image(40, 56);
  const Image back = decoded(jpeg_of(image, 95));
  ASSERT_EQ(back.size(), image.size());
  EXPECT_GT(psnr(image, back), 35.0);  // quality 95 of a smooth picture with one edge; chroma at half resolution
  const Image gray = decoded(jpeg_of(test::smooth_image(16, 16, 1), 90));
  EXPECT_EQ(gray.channels, 1);
}

/// An APP1 segment with an orientation, behind the first two bytes.
std::string with_orientation(std::string jpeg, char orientation, bool little) {
  std::string tiff = little ? "II" : "MM";
  tiff += number(42, 2, little) + number(8, 4, little) + number(1, 2, little);
  tiff += number(0x0112, 2, little) + number(3, 2, little) + number(1, 4, little) +
          number(static_cast<std::uint64_t>(orientation), 2, little) + number(0, 2, little);
  const std::string block = std::string("Exif\0\0", 6) + tiff;
  return jpeg.insert(2, "\xff\xe1" + number(block.size() + 2, 2, false) + block);
}

TEST(DecodeImage, JpegIsTurnedAsExifSays) {
  Image image{.height = 16, .width = 24, .channels = 1, .values = std::vector<float>(16 * 24, 0.0F)};
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 8; ++x) image.values[y * 24 + x] = 1.0F;  // a white block in the upper left
  const std::string jpeg = jpeg_of(image, 100);
  // Where the stored upper left corner is seen, by the table of the EXIF standard (2.32, 4.6.4.A).
  struct Case {
    char orientation;
    bool swapped, bottom, right;
  };
  for (const Case& c : {Case{1, false, false, false}, Case{2, false, false, true}, Case{3, false, true, true},
                        Case{4, false, true, false}, Case{5, true, false, false}, Case{6, true, false, true},
                        Case{7, true, true, true}, Case{8, true, true, false}})
    for (const bool little : {true, false}) {
      const Image seen = decoded(with_orientation(jpeg, c.orientation, little));
      ASSERT_EQ(seen.height, c.swapped ? 24 : 16);
      ASSERT_EQ(seen.width, c.swapped ? 16 : 24);
      const Index y = c.bottom ? seen.height - 1 : 0, x = c.right ? seen.width - 1 : 0;
      EXPECT_GT(seen.values[static_cast<std::size_t>(y * seen.width + x)], 0.9F) << int(c.orientation);
      EXPECT_LT(seen.values[static_cast<std::size_t>((seen.height - 1 - y) * seen.width + seen.width - 1 - x)], 0.1F);
    }
}

TEST(DecodeImage, EveryPrefixIsRefusedOrWhole) {
  const Image color = test::smooth_image(9, 11);
  const auto bytes = byte_pattern(4, 3);
  const std::vector<std::pair<const char*, std::string>> files{
      {"png", png_of(color)},
      {"interlaced", png_file(4, 3, {.interlaced = true}, rows_of(4, bytes))},
      {"jpeg", with_orientation(jpeg_of(color, 80), 6, true)},
      {"bmp", bmp24(4, 1, bytes)},
      {"pgm", pgm(4, 3, bytes)},
      {"text", "P3 2 2 255 1 2 3 4 5 6 7 8 9 10 11 12"}};
  for (const auto& [name, file] : files)
    for (std::size_t size = 0; size <= file.size(); ++size) {
      try {
        const Image image = decoded(file.substr(0, size));
        EXPECT_EQ(std::ssize(image.values), image.size()) << name;
        // What may lack at the end: a blank, a digit, or what follows the last pixel.
        EXPECT_GE(size + 2, file.size()) << name << " of " << size << " bytes";
      } catch (const DataError& error) {
        EXPECT_LT(size, file.size()) << name << ": " << error.what();
      }
    }
}

TEST(DecodeImage, FlippedBytesNeverCrash) {
  const Image color = test::smooth_image(9, 11);
  for (const std::string& file : {png_of(color), jpeg_of(color, 80), bmp24(4, 1, byte_pattern(4, 3)),
                                  pgm(4, 3, byte_pattern(4, 3)), std::string("P3 2 1 255 1 2 3 4 5 6")})
    for (std::size_t i = 0; i < file.size(); ++i)
      for (const int flip : {0x01, 0x80, 0xFF}) {
        std::string damaged = file;
        damaged[i] = static_cast<char>(damaged[i] ^ flip);
        try {
          const Image image = decode_image(damaged, "damaged", {.max_pixels = 1'000'000});
          EXPECT_EQ(std::ssize(image.values), image.size());
        } catch (const DataError&) {
        }
      }
}

TEST(DecodeImage, DeclaredPixelsAreCappedBeforeDecoding) {
  // 2³¹ − 1 squared pixels: a decoder that trusted the header would ask for exabytes.
  std::string png = png_of(test::smooth_image(2, 2));
  const auto refused = [](const std::string& bytes) { return data_error_of([&] { decoded(bytes); }); };
  EXPECT_NE(refused("P5 65500 65500 255 x").find("bytes that are left"), std::string::npos);
  std::string bmp = bmp24(1, 1, {1, 2, 3});
  bmp.replace(18, 8, number(30000, 4, true) + number(30000, 4, true));
  EXPECT_NE(refused(bmp).find("damaged BMP"), std::string::npos);
  std::string jpeg = jpeg_of(test::smooth_image(16, 16, 1), 50);
  const std::size_t frame = jpeg.find("\xff\xc0");
  jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
  EXPECT_NE(refused(jpeg).find("--max-pixels"), std::string::npos);
  EXPECT_NE(data_error_of([&] { decode_image(png, "small", {.max_pixels = 3}); }).find("small: declares 2x2 pixels"),
            std::string::npos);
  // The memory limit holds, too.
  Execution exec;
  exec.memory_limit = 1000;
  EXPECT_THROW(decode_image(png_of(test::smooth_image(40, 40)), "picture", {}, exec), OverMemory);
}

/// A PNG that declares other sides than it has; its checksum is right.
std::string lying_png(std::uint32_t height, std::uint32_t width, const std::string& png) {
  std::string out = png;
  out.replace(16, 8, number(width, 4, false) + number(height, 4, false));
  const auto sum = ::crc32(0, reinterpret_cast<const unsigned char*>(out.data()) + 12, 17);  // "IHDR" and its content
  out.replace(29, 4, number(sum, 4, false));
  return out;
}

/// The highest that memory went to, in bytes.
std::uint64_t peak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  return 0;
}

// libpng has its own rows, as wide as the header says: the first 69 bytes of a file made it take 4.7 GB.
TEST(DecodeImage, TheMemoryLimitIsAskedBeforeADecoderAllocates) {
  Execution exec;
  exec.memory_limit = std::uint64_t{200} << 20;
  const ImageOptions all{.max_pixels = std::uint64_t{1} << 62};
  const auto before = peak();
  for (const auto& [height, width] :
       {std::pair{1U, 0x7fffffffU}, {0x7fffffffU, 1U}, {1U, 600'000'000U}, {60'000U, 60'000U}})
    for (const int bits : {8, 16})
      for (const bool interlaced : {false, true})
        for (const int color : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA}) {
          const int samples = color == PNG_COLOR_TYPE_GRAY ? 1 : color == PNG_COLOR_TYPE_RGB ? 3 : 4;
          const std::string row(static_cast<std::size_t>(samples * bits / 8), '\7');
          const std::string png = png_file(1, 1, {.color = color, .bits = bits, .interlaced = interlaced}, {row});
          EXPECT_THROW(decode_image(lying_png(height, width, png), "picture", all, exec), OverMemory)
              << height << "x" << width;
        }
  std::string jpeg = jpeg_of(test::smooth_image(16, 16, 1), 50);
  jpeg.replace(jpeg.find("\xff\xc0") + 5, 4, "\xff\xdc\xff\xdc");
  EXPECT_THROW(decode_image(jpeg, "picture", all, exec), OverMemory);
  EXPECT_LT(peak(), before + (std::uint64_t{32} << 20));
}

TEST(DecodeImage, OthersAreNamed) {
  const auto refused = [](const std::string& bytes) { return data_error_of([&] { decoded(bytes); }); };
  EXPECT_NE(refused("GIF89a...").find("picture: is GIF"), std::string::npos);
  EXPECT_NE(refused("hello, world").find("no image that is known"), std::string::npos);
  EXPECT_NE(refused("").find("is empty"), std::string::npos);
  EXPECT_NE(refused("P2 2 2 255 1 2 3 256").find("above 255"), std::string::npos);
  EXPECT_NE(refused("P2 2 2 0 1 2 3 4").find("largest value is 0"), std::string::npos);
  EXPECT_NE(refused("P2 0 2 255 1").find("without pixels"), std::string::npos);
  EXPECT_NE(refused("P2 2 2 70000 1 2 3 4").find("above 65535"), std::string::npos);
}

TEST(DecodeImage, ReadsFiles) {
  const test::ImageFolder folder;
  const std::string path = folder.add("no-ending", pgm(2, 2, {0, 255, 255, 0}));
  expect_image(read_image(path), 2, 2, 1, {0, 1, 1, 0});
  EXPECT_THROW(read_image(folder.path() + "/none.png"), IoError);
}

TEST(EncodeImage, PngComesBackExactly) {
  const Image image = test::smooth_image(7, 5);
  expect_image(decoded(png_of(image)), 7, 5, 3, image.values);
  Image wild = test::smooth_image(1, 3, 1);
  wild.values = {-0.5F, 1.5F, std::nanf("")};
  expect_image(decoded(png_of(wild)), 1, 3, 1, {0, 1, 0});
  wild.values.pop_back();
  EXPECT_THROW(png_of(wild), DataError);
  EXPECT_THROW(jpeg_of(image, 0), InvalidOption);
}

}  // namespace
}  // namespace fewdim
