#include "search/query.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/error.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "support/documents.hpp"

namespace fewdim {
namespace {

using Words = std::vector<std::string>;

/// Terms with the number of documents that hold each.
TextIndex index_of(const std::vector<std::pair<std::string, Index>>& terms) {
  TextIndex index;
  Words words;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> documents;
  for (const auto& [term, count] : terms) {
    words.push_back(term);
    for (Index i = 0; i < count; ++i) documents.push_back(static_cast<std::int32_t>(i));
    offsets.push_back(std::ssize(documents));
  }
  index.terms = words;
  index.posting_offsets = offsets;
  index.posting_documents = documents;
  return index;
}

TEST(NearSpellings, OneStepOfEachKind) {
  const TextIndex index =
      index_of({{"aple", 1}, {"appel", 1}, {"apple", 1}, {"apples", 1}, {"apply", 1}, {"zebra", 9}});
  EXPECT_EQ(near_spellings(index, "applee", 1), Words{"apple"});  // one too many
  EXPECT_EQ(near_spellings(index, "zebr", 1), Words{"zebra"});    // one left out
  EXPECT_EQ(near_spellings(index, "zabra", 1), Words{"zebra"});   // another
  EXPECT_EQ(near_spellings(index, "zerba", 1), Words{"zebra"});   // two swapped: a step
  EXPECT_EQ(near_spellings(index, "ezbra", 1), Words{"zebra"});   // at the beginning, too
  EXPECT_EQ(near_spellings(index, "ZEBRR", 1), Words{"zebra"});   // whatever its case
  EXPECT_EQ(near_spellings(index, "zzbrr", 1), Words{"zebra"});   // two steps of five letters
  EXPECT_EQ(near_spellings(index, "zzzrr", 1), Words{});          // three
  EXPECT_EQ(near_spellings(index, "horse", 3), Words{});
}

TEST(NearSpellings, ShortWordsMayDifferByOneStepOnly) {
  const TextIndex index = index_of({{"cat", 1}, {"dog", 1}});
  EXPECT_EQ(near_spellings(index, "cot", 3), Words{"cat"});
  EXPECT_EQ(near_spellings(index, "cow", 3), Words{});
}

TEST(NearSpellings, NearestFirstThenMostFrequent) {
  const TextIndex index = index_of({{"hand", 2}, {"hands", 1}, {"land", 7}, {"sand", 7}, {"wand", 9}, {"window", 99}});
  EXPECT_EQ(near_spellings(index, "and", 9), (Words{"wand", "land", "sand", "hand"}));
  EXPECT_EQ(near_spellings(index, "hand", 3), (Words{"hand", "wand", "land"}));
  EXPECT_EQ(near_spellings(index, "handz", 2), (Words{"hand", "hands"}));
  EXPECT_EQ(near_spellings(index, "and", 0), Words{});
}

TEST(NearSpellings, StepsAreLettersNotBytes) {
  const TextIndex index = index_of({{"größe", 1}, {"東京都", 1}});
  EXPECT_EQ(near_spellings(index, "grüße", 1), Words{});  // folded: grüsse has six letters, größe as given five
  EXPECT_EQ(near_spellings(index, "gröse", 1), Words{"größe"});
  EXPECT_EQ(near_spellings(index_of({{"мама", 1}}), "пама", 1), Words{"мама"});
}

TEST(NearSpellings, StrangeWordsDoNoHarm) {
  const TextIndex index = index_of({{"apple", 1}});
  for (const std::string& word :
       {std::string(), std::string("\xff\xfe"), std::string("..."), std::string(100'000, 'a'), std::string("\x1b[31m")})
    EXPECT_EQ(near_spellings(index, word, 3), Words{}) << word.substr(0, 20);
}

TEST(Suggestions, AreForUnknownWords) {
  const Model model = fit_lsi(test::titles().dataset(), test::title_options(2));
  const SearchResult found = search(model, "humam computer Grahp zzzzz");
  EXPECT_EQ(found.known, Words{"computer"});
  EXPECT_EQ(found.unknown, (Words{"humam", "Grahp", "zzzzz"}));
  ASSERT_EQ(found.suggestions.size(), 2u);
  EXPECT_EQ(found.suggestions[0], (std::pair<std::string, Words>{"humam", {"human"}}));
  EXPECT_EQ(found.suggestions[1], (std::pair<std::string, Words>{"Grahp", {"graph"}}));
  EXPECT_FALSE(found.hits.empty());
}

TEST(Suggestions, AreWordsNotStems) {
  test::Texts texts;
  for (int i = 0; i < 6; ++i)
    texts =
        texts + test::Texts{{std::to_string(i)},
                            {i % 2 == 0 ? "happiness matters to engineers" : "engineers know the matter of libraries"}};
  LsiOptions options = test::plain_counts(2);
  options.words.language = "english";
  const Model model = fit_lsi(texts.dataset(), options);
  ASSERT_EQ(model.index().terms.find("happiness"), -1);  // its stem is there
  const SearchResult found = search(model, "hapiness");
  ASSERT_EQ(found.suggestions.size(), 1u);
  EXPECT_EQ(found.suggestions[0].second, Words{"happiness"});
  for (const NearTerm& term : near_terms(model, "library", 10)) EXPECT_NE(term.term, "happi");
}

TEST(Query, IsCountedWeighedAndPlaced) {
  const Model model = fit_lsi(test::titles().dataset(), test::title_options(3));
  const Query query = query_of(model, "trees, trees & graph; the unknown trees", {});
  ASSERT_EQ(query.terms.size(), 2u);
  EXPECT_LT(query.terms[0].term, query.terms[1].term);
  EXPECT_EQ(query.terms[0].count, 1.0F);
  EXPECT_EQ(query.terms[1].count, 3.0F);
  EXPECT_EQ(query.known, (Words{"trees", "graph"}));
  EXPECT_EQ(query.unknown, Words{"unknown"});
  double square = 0.0;
  for (const float x : query.place) square += static_cast<double>(x) * static_cast<double>(x);
  EXPECT_NEAR(square, 1.0, 1e-6);
  EXPECT_TRUE(query_of(model, "of the", {}).place.empty());
}

}  // namespace
}  // namespace fewdim
