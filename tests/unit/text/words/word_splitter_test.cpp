#include "fewdim/error.hpp"
#include "fewdim/words.hpp"

namespace fewdim {
namespace {

std::vector<std::string> terms(const WordRules& rules, std::string_view text) {
  std::vector<std::string> found;
  for (const Token& token : WordSplitter(rules).split(text)) found.push_back(token.term);
  return found;
}

using Terms = std::vector<std::string>;

TEST(WordSplitter, FoldsStopsAndStems) {
  const WordRules english{"english", true, stop_words_of("english")};
  EXPECT_EQ(terms(english, "The DOGS were running; it's the dog’s house."), (Terms{"dog", "run", "dog", "hous"}));
  EXPECT_EQ(terms(english, "Don't, won’t!"), Terms{});
}

// Snowball's stop words would be stems of other words: "being" is a stop word, but "beings" is not.
TEST(WordSplitter, ComparesStopWordsBeforeStemming) {
  const WordRules english{"english", true, {"being"}};
  EXPECT_EQ(terms(english, "being beings"), (Terms{"be"}));
}

TEST(WordSplitter, DropsPossessivesWithoutStemsToo) {
  EXPECT_EQ(terms({"english", false}, "dog's dogs’ O'Neil"), (Terms{"dog", "dogs", "o'neil"}));
  EXPECT_EQ(terms({"none", false}, "dog's"), (Terms{"dog's"}));
}

TEST(WordSplitter, TakesArticlesOff) {
  EXPECT_EQ(terms({"french", false}, "l’homme d'abord"), (Terms{"homme", "abord"}));
}

TEST(WordSplitter, CountsCharactersNotBytes) {
  EXPECT_EQ(terms({"none"}, "a é ab éa 漢 x1"), (Terms{"ab", "éa", "漢", "x1"}));
  EXPECT_EQ(terms({"none", false, {}, 1, 3}, "ab éab 漢字 abc"), (Terms{"éab", "漢", "字", "abc"}));
}

TEST(WordSplitter, LeavesNumbersOutOnRequest) {
  WordRules rules{"none"};
  EXPECT_EQ(terms(rules, "12 3.14 mp3"), (Terms{"12", "3.14", "mp3"}));
  rules.numbers = false;
  EXPECT_EQ(terms(rules, "12 3.14 ١٢٣ １２ mp3"), (Terms{"mp3"}));
}

TEST(WordSplitter, RunsGoOverStopWords) {
  const WordRules rules{"none", false, {"of"}, 3};
  EXPECT_EQ(terms(rules, "end of days come"), (Terms{"end", "end days", "end days come", "days", "days come", "come"}));
}

TEST(WordSplitter, SaysWhereTermsAre) {
  const std::string text = "Die Häuser, dort";
  const std::vector<Token> tokens = WordSplitter(WordRules{"german", true, {"die"}, 2}).split(text);
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(text.substr(tokens[0].begin, tokens[0].end - tokens[0].begin), "Häuser");
  EXPECT_EQ(tokens[1].term, "haus dort");
  EXPECT_EQ(text.substr(tokens[1].begin, tokens[1].end - tokens[1].begin), "Häuser, dort");
}

TEST(WordSplitter, LeavesOutWhatIsTooLongForWord) {
  EXPECT_EQ(terms({"none"}, std::string(10'000'000, 'x') + " ab"), (Terms{"ab"}));
  EXPECT_EQ(terms({"english", true}, std::string(256, 'x')).size(), 1U);
  EXPECT_EQ(terms({"none"}, std::string(257, 'x')), Terms{});
  std::string flood = "ze";
  for (int i = 0; i < 1000; ++i) flood += "\u200d";
  EXPECT_EQ(terms({"none"}, flood + "bra"), (Terms{"zebra"}));
}

TEST(WordSplitter, IsEmptyForNothing) {
  EXPECT_EQ(terms({"none"}, ""), Terms{});
  EXPECT_EQ(terms({"none"}, " \n\xff\u200b"), Terms{});
}

}  // namespace
}  // namespace fewdim
