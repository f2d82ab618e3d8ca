#include "report/canvas/font.hpp"

#include <gtest/gtest.h>

#include <set>

namespace fewdim {
namespace {

TEST(Font, WidthsAreHelveticas) {  // Adobe's metrics: H 722, e 556, l 222, o 556; the digits 556 each
  EXPECT_NEAR(text_width("Hello", 100), 72.2 + 55.6 + 2 * 22.2 + 55.6, 1e-9);
  EXPECT_NEAR(text_width("0123456789", 10), 55.6, 1e-9);
  EXPECT_NEAR(text_width("é", 100), 55.6, 1e-9);
  EXPECT_EQ(text_width("", 12), 0);
  EXPECT_NEAR(text_width("東", 10), 10, 1e-9);
  EXPECT_GT(text_width("Title", 10, true), text_width("Title", 10));
}

TEST(Font, EveryGlyphStaysInItsPlace) {
  std::set<char32_t> seen;
  for (const Glyph& glyph : glyph_table()) {
    EXPECT_TRUE(seen.insert(glyph.code).second) << "twice: " << std::hex << unsigned(glyph.code);
    if (glyph.advance == 0) continue;  // a mark
    for (const Path& path : text_strokes(encode_utf8(std::u32string(1, glyph.code)), 100))
      for (const Point& p : path) {
        EXPECT_GE(p.x, -1) << std::hex << unsigned(glyph.code);
        EXPECT_LE(p.x, glyph.advance + 1) << std::hex << unsigned(glyph.code);
        EXPECT_GE(p.y, -76) << std::hex << unsigned(glyph.code);  // y down: above the capitals by little
        EXPECT_LE(p.y, 19) << std::hex << unsigned(glyph.code);
      }
  }
}

TEST(Font, DrawsAsciiAndTheLettersOfLatin1) {
  const auto strokes_of = [](char32_t code) {
    std::vector<double> numbers;
    for (const Path& path : text_strokes(encode_utf8(std::u32string(1, code)), 100))
      for (const Point& p : path) numbers.push_back(p.x), numbers.push_back(p.y);
    return numbers;
  };
  const auto unknown = strokes_of(U'Ѭ');  // has no glyph: the box
  ASSERT_EQ(unknown.size(), 10u);
  for (char32_t code = 0x21; code < 0x7f; ++code) {
    EXPECT_NE(strokes_of(code), unknown) << char(code);
    EXPECT_FALSE(strokes_of(code).empty()) << char(code);
  }
  for (char32_t code = 0xc0; code <= 0xff; ++code) EXPECT_NE(strokes_of(code), unknown) << std::hex << unsigned(code);
  EXPECT_NE(strokes_of(U'É'), strokes_of(U'E'));
  EXPECT_NE(strokes_of(U'É'), strokes_of(U'È'));
  EXPECT_EQ(strokes_of(U' ').size(), 0u);
}

TEST(Font, CutsTextsToFit) {
  EXPECT_EQ(fit_text("short", 100, 12), "short");
  const std::string cut = fit_text("a title that is far too long for its place", 100, 12);
  EXPECT_LE(text_width(cut, 12), 100);
  EXPECT_GT(text_width(cut, 12), 80);
  EXPECT_TRUE(cut.starts_with("a title that"));
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_EQ(fit_text("anything", 1, 12), "…");
  EXPECT_EQ(fit_text("a\nb", 100, 12), "a b");

  const std::string name = fit_name("a group with a long name 27", 100, 12);
  EXPECT_LE(text_width(name, 12), 100);
  EXPECT_TRUE(name.starts_with("a group"));
  EXPECT_TRUE(name.ends_with("27"));
  EXPECT_EQ(fit_name("same", 100, 12), "same");
}

TEST(Font, LongTextsAreCutInGoodTime) {
  const std::string text(2'000'000, 'x');
  EXPECT_LE(text_width(fit_name(text, 100, 12), 12), 100);
  EXPECT_LE(text_width(fit_text(text, 100, 12), 12), 100);
}

}  // namespace
}  // namespace fewdim
