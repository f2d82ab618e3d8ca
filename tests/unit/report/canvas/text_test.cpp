#include "report/canvas/text.hpp"

#include <gtest/gtest.h>

namespace fewdim {
namespace {

TEST(Utf8, DecodesWhatIsValid) {
  EXPECT_EQ(decode_utf8("aé€𝄞"), U"aé€𝄞");
  EXPECT_EQ(encode_utf8(U"aé€𝄞\u07ff\u0800\uffef\U00010000\U0010ffff"), "aé€𝄞\u07ff\u0800\uffef\U00010000\U0010ffff");
}

TEST(Utf8, ReplacesWhatIsNot) {
  EXPECT_EQ(decode_utf8("a\xff"), U"a\ufffd");
  EXPECT_EQ(decode_utf8("\xc3"), U"\ufffd");  // cut off
  EXPECT_EQ(decode_utf8("\xe2\x82"), U"\ufffd\ufffd");
  EXPECT_EQ(decode_utf8("\xc0\xaf"), U"\ufffd\ufffd");  // "/" in two bytes
  EXPECT_EQ(decode_utf8("\xe0\x80\xaf"), U"\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode_utf8("\xed\xa0\x80"), U"\ufffd\ufffd\ufffd");  // half of a pair
  EXPECT_EQ(decode_utf8("\xf5\x80\x80\x80"), U"\ufffd\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode_utf8(std::string_view("a\0\x1b\x7f", 4)), U"a\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode_utf8("a\tb\nc"), U"a b c");
}

}  // namespace
}  // namespace fewdim
