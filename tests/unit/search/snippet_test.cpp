#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "fewdim/text_index.hpp"
#include "search/query.hpp"
#include "search/reasons.hpp"
#include "support/documents.hpp"

namespace fewdim {
namespace {

/// An index of these terms, sorted; nothing else is needed to cut a snippet.
TextIndex snippet_index(std::vector<std::string> terms, Index ngrams = 1) {
  std::ranges::sort(terms);
  TextIndex index;
  index.rules.ngrams = ngrams;
  index.terms = terms;
  return index;
}

/// The snippet of a text for a query of some terms.
Snippet cut(const TextIndex& index, const std::string& text, const std::vector<std::string>& words, Index width,
            const std::map<Index, double>& parts = {}) {
  Query query;
  for (const std::string& word : words) query.terms.push_back({index.terms.find(word), 1.0F});
  return snippet_of(index, text, parts, query, width);
}

std::vector<std::string> marked(const Snippet& snippet) {
  std::vector<std::string> out;
  for (const auto& [begin, end] : snippet.marks) out.push_back(snippet.text.substr(begin, end - begin));
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = utf8_character(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

Index characters(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

using Words = std::vector<std::string>;

TEST(Snippet, ShortTextsAreWhole) {
  const TextIndex index = snippet_index({"apple", "pear"});
  const Snippet snippet = cut(index, "An Apple, a pear; and a plum.", {"apple"}, 200);
  EXPECT_EQ(snippet.text, "An Apple, a pear; and a plum.");
  EXPECT_EQ(marked(snippet), Words{"Apple"});
}

TEST(Snippet, IsOnOneLine) {
  const TextIndex index = snippet_index({"apple"});
  EXPECT_EQ(cut(index, "\n\n  one\r\n\ttwo \v\f apple\n\n", {"apple"}, 200).text, "one two apple");
}

TEST(Snippet, IsCutAtBothEnds) {
  const TextIndex index = snippet_index({"apple"});
  std::string text;
  for (int i = 0; i < 100; ++i) text += "filler ";
  text += "the apple itself ";
  for (int i = 0; i < 100; ++i) text += "stuffing ";
  const Snippet snippet = cut(index, text, {"apple"}, 60);
  EXPECT_TRUE(snippet.text.starts_with("…")) << snippet.text;
  EXPECT_TRUE(snippet.text.ends_with(" …")) << snippet.text;
  EXPECT_EQ(marked(snippet), Words{"apple"});
  EXPECT_LE(characters(snippet.text), 60 + 3);
  EXPECT_NE(snippet.text.find("the apple itself"), std::string::npos) << snippet.text;
  // At the beginning and at the end nothing is cut there.
  EXPECT_TRUE(cut(index, "apple " + text, {}, 60).text.starts_with("apple"));
  const Snippet last = cut(index, std::string(3000, '.') + " apple", {"apple"}, 60);
  EXPECT_TRUE(last.text.starts_with("…") && last.text.ends_with("apple")) << last.text;
}

TEST(Snippet, TheWindowHoldsTheWordsThatAreWorthMost) {
  const TextIndex index = snippet_index({"apple", "pear", "plum"});
  const std::string gap(500, '-');
  const std::string text = "apple apple apple" + gap + "pear plum" + gap + "apple";
  // Two different words are worth more than one again and again.
  EXPECT_EQ(marked(cut(index, text, {"apple", "pear", "plum"}, 80)), (Words{"pear", "plum"}));
  // Without a query: the parts of the cosine, those that count for it.
  const Index plum = index.terms.find("plum"), apple = index.terms.find("apple");
  EXPECT_EQ(marked(cut(index, text, {}, 80, {{plum, 0.5}, {apple, 0.1}})), Words{"plum"});
  EXPECT_EQ(marked(cut(index, text, {}, 80, {{plum, -0.5}, {apple, 0.1}})), (Words{"apple", "apple", "apple"}));
}

TEST(Snippet, NoWordsNoMarks) {
  const TextIndex index = snippet_index({"apple"});
  for (const std::string& text :
       {std::string(), std::string("  \n "), std::string("nothing known here"), std::string(900, '!')}) {
    const Snippet snippet = cut(index, text, {"apple"}, 100);
    EXPECT_TRUE(snippet.marks.empty());
    EXPECT_LE(characters(snippet.text), 102);
  }
  EXPECT_EQ(cut(index, "", {"apple"}, 100).text, "");
  EXPECT_EQ(cut(index, "nothing known here", {"apple"}, 100).text, "nothing known here");
}

TEST(Snippet, AWordLongerThanTheWindow) {
  const std::string giant(200, 'x');
  const TextIndex index = snippet_index({giant, "apple"});
  const Snippet snippet = cut(index, "some words before " + giant + " and after", {giant}, 20);
  EXPECT_TRUE(is_utf8(snippet.text));
  for (const std::string& word : marked(snippet)) EXPECT_EQ(word, giant);
}

TEST(Snippet, RunsOfWordsAreMarkedOnce) {
  const TextIndex index = snippet_index({"apple", "apple pie", "pie"}, 2);
  const Snippet snippet = cut(index, "An apple pie, apple pie.", {"apple", "apple pie", "pie"}, 100);
  EXPECT_EQ(snippet.text, "An apple pie, apple pie.");
  std::size_t last = 0;
  for (const auto& [begin, end] : snippet.marks) {
    EXPECT_LE(last, begin);
    EXPECT_LT(begin, end);
    last = end;
  }
  EXPECT_EQ(marked(snippet), (Words{"apple", "pie", "apple", "pie"}));
}

TEST(Snippet, NeverCutsACharacterAndMarksOnlyWords) {
  const Words letters{"ä", "ß",  "東", "京",    "𝒳",    "é",       "a",       "z", " ",
                      " ", "\n", ".",  "apple", "pear", " apple ", " größe ", "…", "\u0301"};
  const TextIndex index = snippet_index({"apple", "pear", "grösse", "京", "東"});
  const WordSplitter splitter(index.rules);
  for (std::uint32_t round = 0; round < 400; ++round) {
    const Random random(11, round);
    std::string text;
    const std::uint64_t length = random.below(0, 120);
    for (std::uint64_t i = 1; i <= length; ++i) text += letters[random.below(i, letters.size())];
    const auto width = static_cast<Index>(1 + random.below(9999, 60));
    const Snippet snippet = cut(index, text, {"apple", "京"}, width, {{index.terms.find("pear"), 0.4}});
    ASSERT_TRUE(is_utf8(snippet.text)) << text;
    EXPECT_EQ(snippet.text.find('\n'), std::string::npos);
    std::size_t last = 0;
    for (const auto& [begin, end] : snippet.marks) {
      ASSERT_LE(last, begin);
      ASSERT_LT(begin, end);
      ASSERT_LE(end, snippet.text.size());
      last = end;
      const std::vector<Token> tokens = splitter.split(std::string_view(snippet.text).substr(begin, end - begin));
      ASSERT_EQ(tokens.size(), 1u) << snippet.text;
      EXPECT_GE(index.terms.find(tokens[0].term), 0) << tokens[0].term;
    }
    // About the width: a word that is on its edge, and the two signs of a cut.
    EXPECT_LE(characters(snippet.text), width + 3 + 10) << snippet.text;
  }
}

TEST(Snippet, BytesThatAreNoTextDoNoHarm) {
  const TextIndex index = snippet_index({"apple"});
  for (const std::string& bad :
       {std::string("\xff\xfe apple \x80\x80\x80"), std::string("\x80\x80"), std::string("apple\xe2\x82"),
        std::string(300, '\xbf') + "apple" + std::string(300, '\xf0')})
    for (const Index width : {1, 5, 200}) EXPECT_LE(cut(index, bad, {"apple"}, width).text.size(), bad.size() + 10);
}

TEST(Snippet, LongTextsTakeNoTime) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += i % 3 == 0 ? "apple " : "other words ";
  const TextIndex index = snippet_index({"apple", "other", "words"});
  EXPECT_FALSE(cut(index, text, {"apple"}, 200).marks.empty());
}

TEST(Parts, SnippetsOfASearchMarkWordsOfTheQuery) {
  const Model model = fit_lsi(test::titles().dataset(), test::title_options(2));
  const SearchResult found = search(model, "human computer", {.count = 3, .match = 0.5});
  ASSERT_EQ(found.hits[0].id, "c1");
  const Words words = marked(found.hits[0].snippet);
  EXPECT_NE(std::ranges::find(words, "Human"), words.end());
  EXPECT_NE(std::ranges::find(words, "computer"), words.end());
  EXPECT_TRUE(search(model, "human", {.snippet = 0}).hits[0].snippet.text.empty());
}

}  // namespace
}  // namespace fewdim
