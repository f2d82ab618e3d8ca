#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fewdim {
namespace {

/// The code point as RFC 3629 encodes it, surrogates too.
std::string encoded(std::uint32_t c) {
  const auto byte = [](std::uint32_t b) { return static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 63))};
  if (c < 0x10000) return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
  return {byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
}

TEST(Utf8, TakesEveryCodePointButSurrogates) {
  for (std::uint32_t c = 0; c < 0x110400; ++c) {
    const std::string text = encoded(c);
    const bool valid = c < 0x110000 && !(c >= 0xd800 && c < 0xe000);
    ASSERT_EQ(utf8_character(text), valid ? text.size() : 0) << std::hex << c;
    for (std::size_t part = 1; part < text.size(); ++part) ASSERT_EQ(utf8_character(text.substr(0, part)), 0U);
  }
}

TEST(Utf8, RefusesWhatIsLongerThanNeeded) {
  for (const char* text :
       {"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
        "\xf5\x80\x80\x80", "\xff", "\x80", "\xbf", "\xe2\x28\xa1", "\xe2\x82\x28"})
    EXPECT_EQ(utf8_character(text), 0U) << text;
  EXPECT_EQ(utf8_character(""), 0U);
}

TEST(Utf8, FindsTheFirstFault) {
  EXPECT_EQ(first_not_utf8("naïve 日本 😀"), std::string_view::npos);
  EXPECT_EQ(first_not_utf8(""), std::string_view::npos);
  EXPECT_EQ(first_not_utf8("na\xefve"), 2U);
  EXPECT_EQ(first_not_utf8("日\xe6\x9c"), 3U);
}

}  // namespace
}  // namespace fewdim
