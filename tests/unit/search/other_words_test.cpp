// Words that have no place among the concepts, as names of products: they are found by matching.

#include "search/other_words.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/collection.hpp"
#include "fewdim/error.hpp"
#include "fewdim/model_bytes.hpp"
#include "fewdim/search.hpp"
#include "search/query.hpp"
#include "support/documents.hpp"

namespace fewdim {
namespace {

using Words = std::vector<std::string>;

Words other_words_of(const Model& model) {
  Words out;
  for (Index i = 0; i < model.index().other_words.size(); ++i) out.emplace_back(model.index().other_words[i]);
  return out;
}

/// Three kinds of tools; each document has a name of its own.
test::Texts tools() {
  return {{"p1", "p2", "p3", "d1", "d2", "d3", "x"},
          {"pump for garden water, model zylofix", "pump and hose for water", "garden hose and water pump aquadrom",
           "drill for steel and wood, model kraftix", "drill steel bits", "wood drill bits bohrmax", "onlyhere"}};
}

LsiOptions options() {
  LsiOptions o = test::plain_counts(3);
  o.words.language = "english";
  o.words.stems = false;
  o.words.min_documents = 2;
  return o;
}

TEST(OtherWords, AreKeptWithTheirCounts) {
  const Model model = fit_lsi(tools().dataset(), options());
  EXPECT_EQ(other_words_of(model), (Words{"aquadrom", "bohrmax", "kraftix", "onlyhere", "zylofix"}));
  EXPECT_TRUE(model.index().all_words);
  const Index word = model.index().find_word("zylofix");
  ASSERT_GE(word, model.index().terms.size());
  EXPECT_EQ(model.index().word(word), "zylofix");
  EXPECT_EQ(Words(1, std::string(model.index().ids[model.index().postings(word).documents[0]])), Words{"p1"});
  EXPECT_EQ(model.index().postings(word).counts[0], 1.0F);
  EXPECT_EQ(model.index().find_word("never"), -1);
}

TEST(OtherWords, ADocumentIsFoundByAWordThatItHasAlone) {
  const Model model = fit_lsi(tools().dataset(), options());
  const SearchResult found = search(model, "Zylofix", {.reasons = 3});
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_EQ(found.hits[0].id, "p1");
  EXPECT_FLOAT_EQ(static_cast<float>(found.hits[0].score), 1.0F);
  EXPECT_EQ(found.hits[0].cosine, 0.0);
  EXPECT_GT(found.hits[0].bm25, 0.0);
  EXPECT_EQ(found.known, Words{"Zylofix"});
  EXPECT_TRUE(found.unknown.empty());
  ASSERT_EQ(found.outside.size(), 1u);
  EXPECT_EQ(found.outside[0].word, "Zylofix");
  EXPECT_EQ(found.outside[0].documents, 1);
  EXPECT_EQ(found.match, 1.0);
  ASSERT_EQ(found.hits[0].matches.size(), 1u);
  EXPECT_EQ(found.hits[0].matches[0].name, "zylofix");
  EXPECT_NE(found.hits[0].snippet.text.find("zylofix"), std::string::npos);
  ASSERT_EQ(found.hits[0].snippet.marks.size(), 1u);
  const auto [begin, end] = found.hits[0].snippet.marks[0];
  EXPECT_EQ(found.hits[0].snippet.text.substr(begin, end - begin), "zylofix");
  // A document that has no term at all.
  EXPECT_EQ(search(model, "onlyhere").hits.at(0).id, "x");
}

TEST(OtherWords, TheNameDecidesAmongThoseOfItsKind) {
  const Model model = fit_lsi(tools().dataset(), options());
  for (const char* query : {"zylofix pump", "aquadrom pump", "kraftix drill", "bohrmax drill"}) {
    const SearchResult found = search(model, query);
    ASSERT_FALSE(found.hits.empty());
    EXPECT_NE(model.index().texts[found.hits[0].document].find(std::string(query).substr(0, 5)), std::string::npos)
        << query;
    EXPECT_GT(found.match, 0.2);
    EXPECT_LT(found.match, 1.0);
    EXPECT_GE(found.hits.size(), 3u) << "others of its kind follow";
  }
}

TEST(OtherWords, TheScoreIsItsFormula) {
  const Model model = fit_lsi(tools().dataset(), options());
  const double rare = std::log(1 + 6.5 / 1.5), common = std::log(1 + 4.5 / 3.5);  // in 1 and in 3 of 7 documents
  const SearchResult found = search(model, "zylofix pump", {.match = 0.3, .reasons = 9});
  EXPECT_NEAR(found.match, 0.3 + 0.7 * rare / (rare + common), 1e-12);
  double best = 0.0;
  for (const Hit& hit : found.hits) best = std::max(best, hit.bm25);
  for (const Hit& hit : found.hits) {
    double sum = (1 - found.match) * hit.cosine;
    EXPECT_NEAR(hit.score, sum + found.match * hit.bm25 / best, 1e-6) << hit.id;
    for (const ScorePart& reason : hit.matches) sum += reason.part;
    EXPECT_NEAR(hit.score, sum, 1e-6) << hit.id;
  }
}

TEST(OtherWords, MeaningAloneAndTermsAloneStayWhatTheyAre) {
  const Model model = fit_lsi(tools().dataset(), options());
  const SearchResult meaning = search(model, "zylofix", {.match = 0.0});
  EXPECT_TRUE(meaning.hits.empty());
  EXPECT_EQ(meaning.outside.size(), 1u);
  const auto ids = [](const SearchResult& found) {
    Words out;
    for (const Hit& hit : found.hits) out.push_back(hit.id);
    return out;
  };
  EXPECT_EQ(ids(search(model, "zylofix pump", {.match = 0.0})), ids(search(model, "pump", {.match = 0.0})));
  // Without such a word the share is what was asked for.
  EXPECT_EQ(search(model, "pump drill", {.match = 0.25}).match, 0.25);
  EXPECT_EQ(search(model, "zylofix", {.match = 1.0}).match, 1.0);
}

TEST(OtherWords, RankingsUseThemAsSearchDoes) {
  const Model model = fit_lsi(tools().dataset(), options());
  const Rankings rankings(model);
  EXPECT_EQ(rankings.by_bm25("bohrmax")[0], 5);
  EXPECT_EQ(rankings.by_meaning("bohrmax pump", 0, 0.2)[0], search(model, "bohrmax pump").hits[0].document);
  EXPECT_EQ(rankings.by_meaning("bohrmax", 0, 0.2), std::vector<Index>{5});  // the others are not found
  EXPECT_TRUE(rankings.by_meaning("bohrmax").empty());
}

TEST(OtherWords, AreSuggestedForNearSpellings) {
  const Model model = fit_lsi(tools().dataset(), options());
  const SearchResult found = search(model, "zilofix");
  ASSERT_EQ(found.suggestions.size(), 1u);
  EXPECT_EQ(found.suggestions[0].second, Words{"zylofix"});
}

TEST(OtherWords, HaveNoNeighborsAndThatIsSaid) {
  const Model model = fit_lsi(tools().dataset(), options());
  try {
    near_terms(model, "zylofix", 3);
    FAIL() << "no refusal";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("'zylofix' is in 1 document and has no place among the concepts"),
              std::string::npos)
        << error.what();
  }
}

TEST(OtherWords, ComeAndGoWithDocuments) {
  const Model model = fit_lsi(tools().dataset(), options());
  for (const Revision how : {Revision::fold, Revision::update}) {
    test::GivenDocuments more({"n1", "n2"}, {"pump zylofix turbomat turbomat", "aardvark drill turbomat"});
    RevisionReport report;
    const Model grown = add_documents(model, more, how, report);
    EXPECT_EQ(other_words_of(grown),
              (Words{"aardvark", "aquadrom", "bohrmax", "kraftix", "onlyhere", "turbomat", "zylofix"}));
    const SearchResult found = search(grown, "turbomat");
    ASSERT_EQ(found.hits.size(), 2u);
    EXPECT_EQ(found.hits[0].id, "n1");
    EXPECT_EQ(found.outside[0].documents, 2);
    EXPECT_EQ(search(grown, "zylofix").hits.size(), 2u);

    const Model less = remove_documents(grown, {"p1", "n2"}, how, report);
    EXPECT_EQ(other_words_of(less), (Words{"aquadrom", "bohrmax", "kraftix", "onlyhere", "turbomat", "zylofix"}));
    EXPECT_EQ(search(less, "zylofix").hits.at(0).id, "n1");
    EXPECT_EQ(search(less, "zylofix").hits.size(), 1u);
    EXPECT_EQ(search(less, "aardvark").unknown, Words{"aardvark"});
    EXPECT_EQ(search(less, "bohrmax").hits.at(0).id, "d3");
  }
}

TEST(OtherWords, AreWhatTheLimitsTakeAway) {
  LsiOptions o = options();
  o.words.max_terms = 3;
  const Model few = fit_lsi(tools().dataset(), o);
  EXPECT_EQ(few.index().terms.size(), 3);
  EXPECT_GE(few.index().find_word("steel"), 3);
  EXPECT_EQ(search(few, "steel").hits.size(), 2u);
  o = options();
  o.words.max_documents = 2;
  const Model rare = fit_lsi(tools().dataset(), o);
  EXPECT_GE(rare.index().find_word("pump"), rare.index().terms.size());
  // Runs are not among them: their words are known by themselves.
  o = options();
  o.words.ngrams = 2;
  const Model runs = fit_lsi(tools().dataset(), o);
  for (const std::string& word : other_words_of(runs)) EXPECT_EQ(word.find(' '), std::string::npos) << word;
  EXPECT_TRUE(search(runs, "zylofix pump").unknown.empty()) << "a run that nobody wrote is no unknown word";
}

TEST(OtherWords, DoNotChangeTheConcepts) {
  // The same numbers as from texts that never had them.
  test::Texts without = tools();
  for (std::string& text : without.texts)
    for (const char* name : {"zylofix", "aquadrom", "kraftix", "bohrmax", "onlyhere"})
      if (const auto at = text.find(name); at != std::string::npos) text.erase(at);
  const Model with = fit_lsi(tools().dataset(), options()), plain = fit_lsi(without.dataset(), options());
  EXPECT_EQ(test::places_of(with), test::places_of(plain));
  EXPECT_EQ(plain.index().other_words.size(), 0);
  const auto score = [](const Model& model) { return search(model, "water pump").hits.at(0).score; };
  EXPECT_EQ(score(with), score(plain));
}

}  // namespace
}  // namespace fewdim
