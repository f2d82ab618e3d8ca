#include "text/words/fold.hpp"

#include <utf8proc.h>

#include "base/utf8.hpp"

namespace fewdim {
namespace {

std::string folded(std::string_view word, bool turkish = false) {
  std::string out;
  fold(word, turkish, out);
  return out;
}

TEST(Fold, Case) {
  EXPECT_EQ(folded("HeLLo"), "hello");
  EXPECT_EQ(folded("STRASSE"), folded("straße"));
  EXPECT_EQ(folded("STRAẞE"), "strasse");
  EXPECT_EQ(folded("ΟΔΟΣ"), folded("οδος"));  // final sigma
  EXPECT_EQ(folded("οδός"), folded("ΟΔΌΣ"));
  EXPECT_EQ(folded("ПРИВЕТ"), "привет");
}

TEST(Fold, ComposedAndDecomposedAreTheSame) {
  EXPECT_EQ(folded("café"), folded("cafe\u0301"));
  EXPECT_EQ(folded("CAFE\u0301"), "caf\u00e9");
  EXPECT_EQ(folded("a\u0323\u0307"), folded("a\u0307\u0323"));  // marks in either order
  EXPECT_EQ(folded("각"), folded("\u1100\u1161\u11a8"));
}

TEST(Fold, KeepsAccents) { EXPECT_NE(folded("résumé"), folded("resume")); }

TEST(Fold, CompatibleFormsArePlain) {
  EXPECT_EQ(folded("eﬃcient"), "efficient");
  EXPECT_EQ(folded("ＡＢＣ１２"), "abc12");
  EXPECT_EQ(folded("ｶﾞ"), "ガ");
  EXPECT_EQ(folded("10\u202f000"), "10000");  // no blank in a word: it would look like an n-gram
  EXPECT_EQ(folded("\ufdfa").find(' '), std::string::npos);
}

TEST(Fold, DropsWhatCannotBeSeen) {
  EXPECT_EQ(folded("co\u00adoperate"), "cooperate");
  EXPECT_EQ(folded("z\u200de\u200cb\u2060r\ufeffa"), "zebra");
  EXPECT_EQ(folded("\u00ad\u200d"), "");
}

TEST(Fold, ApostrophesAreOne) {
  EXPECT_EQ(folded("don’t"), "don't");
  EXPECT_EQ(folded("don‘t"), "don't");
  EXPECT_EQ(folded("donʼt"), "don't");
}

TEST(Fold, DottedAndDotlessI) {
  EXPECT_EQ(folded("İstanbul"), "istanbul");
  EXPECT_EQ(folded("ISPARTA"), "isparta");
  EXPECT_EQ(folded("İstanbul", true), "istanbul");
  EXPECT_EQ(folded("ISPARTA", true), "ısparta");
  EXPECT_EQ(folded("KIŞ", true), folded("kış", true));
}

// Saved stop words and terms are folded again when they are used.
TEST(Fold, IsUtf8AndDoesNotChangeWhatIsFolded) {
  for (utf8proc_int32_t c = 1; c < 0x110000; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    utf8proc_uint8_t bytes[4];
    const auto size = static_cast<std::size_t>(utf8proc_encode_char(c, bytes));
    const std::string once = folded({reinterpret_cast<const char*>(bytes), size});
    ASSERT_EQ(first_not_utf8(once), std::string_view::npos) << c;
    ASSERT_EQ(folded(once), once) << c;
  }
}

}  // namespace
}  // namespace fewdim
