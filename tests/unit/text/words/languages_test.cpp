#include "text/words/languages.hpp"

#include <libstemmer.h>

#include <array>
#include <set>

#include "base/utf8.hpp"
#include "fewdim/error.hpp"
#include "fewdim/words.hpp"
#include "text/words/fold.hpp"
#include "text/words/word_scanner.hpp"

namespace fewdim {
namespace {

TEST(Languages, AreThoseOfLibstemmer) {
  std::set<std::string> stemmers;
  for (const char** name = sb_stemmer_list(); *name; ++name) stemmers.insert(*name);
  stemmers.erase("porter");  // an older one for English
  stemmers.erase("lovins");
  stemmers.erase("kraaij_pohlmann");
  stemmers.erase("german2");
  for (const std::string& language : word_languages()) EXPECT_TRUE(stemmers.contains(language)) << language;
  EXPECT_EQ(word_languages().size(), stemmers.size());
  EXPECT_TRUE(std::ranges::is_sorted(word_languages()));
}

TEST(Languages, StopListsAreFoldedSortedWords) {
  for (const std::string& language : word_languages()) {
    const std::vector<std::string>& list = stop_words_of(language);
    EXPECT_GE(list.size(), 60U) << language;
    EXPECT_LE(list.size(), language == "serbian" ? 600U : 280U) << language;  // Serbian in both scripts
    EXPECT_TRUE(std::ranges::is_sorted(list)) << language;
    EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size()) << language;
    for (const std::string& word : list) {
      ASSERT_EQ(first_not_utf8(word), std::string_view::npos) << language;
      std::string folded;
      fold(word, language == "turkish", folded);
      EXPECT_EQ(folded, word) << language;
      WordScanner scanner(word);
      RawWord found;
      ASSERT_TRUE(scanner.next(found)) << language << ' ' << word;
      EXPECT_EQ(found.end - found.begin, word.size()) << language << ": '" << word << "' is never met as one word";
    }
  }
}

TEST(Languages, UnknownOnesAreRefused) {
  EXPECT_THROW(stop_words_of("klingon"), InvalidOption);
  EXPECT_THROW(WordSplitter(WordRules{"klingon"}), InvalidOption);
  EXPECT_THROW(WordSplitter(WordRules{"porter"}), InvalidOption);
}

// Pairs of forms that the published algorithms (snowballstem.org) bring together.
TEST(Languages, StemsBringFormsTogether) {
  const std::vector<std::array<std::string, 3>> pairs{
      {"english", "connections", "connected"},
      {"german", "häuser", "hauses"},
      {"french", "continuellement", "continuelle"},
      {"spanish", "bibliotecas", "biblioteca"},
      {"italian", "bambini", "bambino"},
      {"portuguese", "meninas", "menina"},
      {"dutch", "lichamelijk", "lichamelijke"},
      {"swedish", "flickorna", "flicka"},
      {"norwegian", "havnedistriktene", "havnedistriktet"},
      {"danish", "undersøgelser", "undersøgelsen"},
      {"russian", "книгами", "книгах"},
      {"finnish", "taloissa", "talossa"},
      {"hungarian", "házakban", "házak"},
      {"turkish", "evlerde", "evler"},
      {"romanian", "abruptă", "abrupt"},
      {"greek", "άνθρωποι", "άνθρωπος"},
      {"indonesian", "membacakan", "bacaan"},
      {"catalan", "nenes", "nena"},
  };
  for (const auto& [language, a, b] : pairs) {
    const WordSplitter splitter(WordRules{language, true});
    EXPECT_EQ(splitter.split(a).at(0).term, splitter.split(b).at(0).term) << language << ' ' << a << ' ' << b;
  }
}

TEST(Languages, EveryStemmerTakesEveryScript) {
  for (const std::string& language : word_languages()) {
    const WordSplitter splitter(WordRules{language, true});
    for (const char* text :
         {"words", "слова", "λέξεις", "كلمات", "शब्द", "சொற்கள்", "ווערטער", "բառեր", "漢字", "ccc", "yyy"})
      EXPECT_FALSE(splitter.split(text).empty()) << language << ' ' << text;
  }
}

TEST(Languages, ArticlesTiedByApostrophesAreTakenOff) {
  EXPECT_EQ(elided_prefix("l'homme", "french"), 2U);
  EXPECT_EQ(elided_prefix("qu'il", "french"), 3U);
  EXPECT_EQ(elided_prefix("aujourd'hui", "french"), 0U);
  EXPECT_EQ(elided_prefix("dell'arte", "italian"), 5U);
  EXPECT_EQ(elided_prefix("l'home", "catalan"), 2U);
  EXPECT_EQ(elided_prefix("l'homme", "english"), 0U);
  EXPECT_EQ(elided_prefix("l'", "french"), 0U);
  EXPECT_EQ(elided_prefix("'l", "french"), 0U);
}

}  // namespace
}  // namespace fewdim
