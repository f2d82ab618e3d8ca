#include "text/words/word_scanner.hpp"

#include <random>

#include "base/utf8.hpp"

namespace fewdim {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  WordScanner scanner(text);
  for (RawWord word; scanner.next(word);) found.emplace_back(text.substr(word.begin, word.end - word.begin));
  return found;
}

using Words = std::vector<std::string>;

struct Case {
  const char* rule;
  std::string text;
  Words expected;
};

// Made from the rules of UAX #29, each named by the rule it is about.
TEST(WordScanner, FollowsTheRulesOfTheStandard) {
  const std::vector<Case> cases{
      {"WB1", "", {}},
      {"WB1", "a", {"a"}},
      {"WB3", "a\r\nb", {"a", "b"}},
      {"WB3a", "a\nb\vc\fd", {"a", "b", "c", "d"}},
      {"WB3b", "a\u0085b\u2028c\u2029d", {"a", "b", "c", "d"}},
      {"WB4", "cafe\u0301 au", {"cafe\u0301", "au"}},
      {"WB4", "co\u00adop", {"co\u00adop"}},
      {"WB4", "a\u200db", {"a\u200db"}},
      {"WB4", "a\u200cb", {"a\u200cb"}},
      {"WB4", "a\u2060b", {"a\u2060b"}},
      {"WB4", "a\ufeff", {"a\ufeff"}},
      {"WB4", "\u0301a", {"a"}},
      {"WB4", "a \u0308b", {"a", "b"}},
      {"WB4", "a'\u0308b", {"a'\u0308b"}},
      {"WB4", "a\u0308'b", {"a\u0308'b"}},
      {"WB4", "1,\u00ad2", {"1,\u00ad2"}},
      {"zero-width space is Other", "a\u200bb", {"a", "b"}},
      {"WB5", "hello world", {"hello", "world"}},
      {"WB5", "straße Ærø", {"straße", "Ærø"}},
      {"WB5", "Привет мир", {"Привет", "мир"}},
      {"WB5", "aбγ", {"aбγ"}},
      {"WB5", "한국어 단어", {"한국어", "단어"}},
      {"WB5", "مرحبا بالعالم", {"مرحبا", "بالعالم"}},
      {"WB5", "हिन्दी भाषा", {"हिन्दी", "भाषा"}},
      {"WB5", "தமிழ் மொழி", {"தமிழ்", "மொழி"}},
      {"WB5 beyond the first plane", "\U00010400\U00010428 x", {"\U00010400\U00010428", "x"}},
      {"WB5 Roman numerals", "Ⅳ ⅷ", {"Ⅳ", "ⅷ"}},
      {"WB6 WB7", "can't", {"can't"}},
      {"WB6 WB7", "can’t", {"can’t"}},
      {"WB6 WB7", "e.g", {"e.g"}},
      {"WB6 WB7", "e.g. this", {"e.g", "this"}},
      {"WB6 WB7", "col·lecció", {"col·lecció"}},
      {"WB6 WB7", "EU:s", {"EU:s"}},
      {"WB6 WB7 two in a row", "can''t", {"can", "t"}},
      {"WB6 WB7 two in a row", "std::string", {"std", "string"}},
      {"WB6 WB7", "rock 'n' roll", {"rock", "n", "roll"}},
      {"WB6 WB7", "dogs' tails", {"dogs", "tails"}},
      {"WB6 WB7", "a'", {"a"}},
      {"WB6 WB7", "'a", {"a"}},
      {"WB6 WB7 not for commas", "a,b;c", {"a", "b", "c"}},
      {"WB6 WB7 not beside digits", "a.1", {"a", "1"}},
      {"WB6 WB7 not beside digits", "1'a", {"1", "a"}},
      {"hyphens separate", "state-of-the-art", {"state", "of", "the", "art"}},
      {"WB7a", "ג'", {"ג'"}},
      {"WB7a", "ג'x", {"ג'x"}},
      {"WB7b WB7c", "צה\"ל", {"צה\"ל"}},
      {"WB7b WB7c", "צה\" ל", {"צה", "ל"}},
      {"WB7b not for others", "a\"b", {"a", "b"}},
      {"WB8", "12345", {"12345"}},
      {"WB8", "٣٤ १२", {"٣٤", "१२"}},
      {"WB9 WB10", "A3 3A mp3player 1a2b", {"A3", "3A", "mp3player", "1a2b"}},
      {"WB11 WB12", "3.14 1,000.5 10;20", {"3.14", "1,000.5", "10;20"}},
      {"WB11 WB12", "1'000", {"1'000"}},
      {"WB11 WB12 two in a row", "3..4 1,,2", {"3", "4", "1", "2"}},
      {"WB11 WB12 at the end", "3. 4,", {"3", "4"}},
      {"WB11 WB12 not for colons", "12:30", {"12", "30"}},
      {"WB11 WB12", "-5 +6 7%", {"5", "6", "7"}},
      {"WB11 WB12", "v1.2.3", {"v1.2.3"}},
      {"WB13", "カタカナ ガ", {"カタカナ", "ガ"}},
      {"WB13", "スーパー", {"スーパー"}},
      {"WB13 not letters", "aカ", {"a", "カ"}},
      {"WB13a WB13b", "snake_case a_1 1_b", {"snake_case", "a_1", "1_b"}},
      {"WB13a WB13b", "ア_イ", {"ア_イ"}},
      {"WB13a WB13b", "a\u203fb", {"a\u203fb"}},
      {"WB13a WB13b narrow no-break space", "10\u202f000", {"10\u202f000"}},
      {"WB999 Han", "漢字", {"漢", "字"}},
      {"WB999 Hiragana", "ひら", {"ひ", "ら"}},
      {"WB999 mixed", "漢a字1", {"漢", "a", "字", "1"}},
      {"WB999 with marks", "か\u3099字\ufe00", {"か\u3099", "字\ufe00"}},
      {"WB999 Thai", "ไทย", {"ไ", "ท", "ย"}},
      {"WB999 Thai with marks", "ที่", {"ที่"}},
      {"WB15 flags are no words", "a🇩🇪b", {"a", "b"}},
      {"WB3c emoji are no words", "👩\u200d👧 x", {"x"}},
      {"symbols are no words", "© + = № $ ½", {}},
      {"ours: joiners go from both ends", "_em_ __init__ ___ a_", {"em", "init", "a"}},
      {"ours: joiners go from both ends", "« mot\u202f»", {"mot"}},
  };
  for (const Case& c : cases) EXPECT_EQ(words(c.text), c.expected) << c.rule << ": " << c.text;
}

TEST(WordScanner, SaysWhichWordsAreIdeographs) {
  WordScanner scanner("a漢カ");
  RawWord word;
  ASSERT_TRUE(scanner.next(word));
  EXPECT_FALSE(word.ideograph);
  ASSERT_TRUE(scanner.next(word));
  EXPECT_TRUE(word.ideograph);
  ASSERT_TRUE(scanner.next(word));
  EXPECT_FALSE(word.ideograph);
  EXPECT_FALSE(scanner.next(word));
}

TEST(WordScanner, BytesThatAreNotUtf8Separate) {
  EXPECT_EQ(words("a\xff"
                  "b"),
            (Words{"a", "b"}));
  EXPECT_EQ(words("caf\xe9 \xc3"), (Words{"caf"}));
  EXPECT_EQ(words("x\xed\xa0\x80y\xc0\xafz"), (Words{"x", "y", "z"}));
}

TEST(WordScanner, GivesWordsOfUtf8ThatAscendForAnyBytes) {
  std::mt19937 random(5);
  const std::string pieces[] = {"a",  "'", "_",  ".",    "1",    "\u0301", "\u200d", "漢",
                                "カ", "ג", "\"", "\xff", "\xe6", " ",      ":",      ","};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i)
      text += round % 2 ? pieces[random() % std::size(pieces)] : std::string(1, static_cast<char>(random()));
    WordScanner scanner(text);
    std::size_t last = 0;
    for (RawWord word; scanner.next(word);) {
      ASSERT_GE(word.begin, last);
      ASSERT_LT(word.begin, word.end);
      ASSERT_LE(word.end, text.size());
      ASSERT_EQ(first_not_utf8(std::string_view(text).substr(word.begin, word.end - word.begin)),
                std::string_view::npos);
      last = word.end;
    }
  }
}

// Looking ahead must not cost a second pass for each character.
TEST(WordScanner, TakesFloodsInLinearTime) {
  std::string flood = "a'";
  for (int i = 0; i < 1'000'000; ++i) flood += "\u200d";
  EXPECT_EQ(words(flood), (Words{"a"}));
  std::string quotes;
  for (int i = 0; i < 1'000'000; ++i) quotes += "a'";
  EXPECT_EQ(words(quotes).size(), 1U);
  EXPECT_EQ(words(std::string(10'000'000, 'x')).size(), 1U);
  EXPECT_EQ(words(std::string(3'000'000, '_')).size(), 0U);
}

}  // namespace
}  // namespace fewdim
