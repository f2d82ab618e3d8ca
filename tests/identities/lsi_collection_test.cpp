// Collections that change, are saved, and are fitted by several threads; and one that people have judged.

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "fewdim/collection.hpp"
#include "fewdim/error.hpp"
#include "fewdim/lsi.hpp"
#include "fewdim/retrieval.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "support/data.hpp"
#include "support/documents.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::Texts;

constexpr double kFloat = 1e-5;  // cosines of float32 places: 6e-8 an entry, and k of them
constexpr Index kWords = 16;

/// A folder that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fewdim-lsi-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Documents of a vocabulary that is given, so that no fit has other terms than another, and k is all of their rank.
class Changing : public ::testing::TestWithParam<Folding> {
 protected:
  Changing() {
    std::ofstream file(folder_.file("words.txt"));
    for (Index i = 0; i < kWords; ++i) file << test::made_word(i) << '\n';
    options_ = test::plain_counts(kWords);
    options_.words.vocabulary = folder_.file("words.txt");
    options_.folding = GetParam();
  }
  Model fit(const Texts& texts) const { return fit_lsi(texts.dataset(), options_); }
  Model add(const Model& model, const Texts& texts, Revision how) {
    test::GivenDocuments source = texts.source();
    return add_documents(model, source, how, report_);
  }
  Model remove(const Model& model, const std::vector<std::string>& ids, Revision how) {
    return remove_documents(model, ids, how, report_);
  }
  /// The same collection, and the same decomposition of it.
  void expect_same(const Model& found, const Model& expected) const {
    ASSERT_EQ(found.components(), expected.components());
    ASSERT_EQ(found.index().documents(), expected.index().documents());
    const Vector<double>& sigma = expected.linear().singular_values;
    // Σ of the fit is that of float32 directions nowhere; places that U is taken from are float32.
    EXPECT_LE((found.linear().singular_values - sigma).cwiseAbs().maxCoeff(), 1e-6 * sigma[0]);
    EXPECT_NEAR(found.linear().total_variance, expected.linear().total_variance,
                1e-6 * expected.linear().total_variance);
    const Matrix<double> a = test::places_of(found), b = test::places_of(expected);
    EXPECT_LE(test::distance(test::cosines_between(a, a), test::cosines_between(b, b)), kFloat);
    for (Index i = 0; i < found.index().documents(); ++i) {
      EXPECT_EQ(found.index().ids[i], expected.index().ids[i]);
      EXPECT_EQ(found.index().texts[i], expected.index().texts[i]);
    }
    const SearchOptions options{.count = 200, .match = 0.0};
    const SearchResult x = search(found, "babu dabu bebu", options), y = search(expected, "babu dabu bebu", options);
    ASSERT_FALSE(y.hits.empty());
    std::map<std::string, double> cosines;
    for (const Hit& hit : x.hits) cosines[hit.id] = hit.cosine;
    for (const Hit& hit : y.hits) EXPECT_NEAR(cosines[hit.id], hit.cosine, kFloat) << hit.id;
    EXPECT_EQ(bytes(found.index().posting_documents), bytes(expected.index().posting_documents));
    EXPECT_EQ(bytes(found.index().posting_counts), bytes(expected.index().posting_counts));
    EXPECT_EQ(bytes(found.index().lengths), bytes(expected.index().lengths));
  }
  template <class T>
  static std::vector<T> bytes(const SharedArray<T>& array) {
    return {array.begin(), array.end()};
  }

  Folder folder_;
  LsiOptions options_;
  RevisionReport report_;
  Texts all_ = test::made_texts(90, kWords, 3);
};

INSTANTIATE_TEST_SUITE_P(Foldings, Changing, ::testing::Values(Folding::projection, Folding::scaled));

TEST_P(Changing, AnUpdateIsAFitOfTheWhole) {
  const Model updated = add(fit(all_.part(0, 60)), all_.part(60, 90), Revision::update);
  EXPECT_EQ(report_.documents, 30);
  EXPECT_LE(report_.discarded, 1e-12);
  EXPECT_EQ(updated.index().folded, 0);
  EXPECT_EQ(updated.head().provenance.rows, 90);
  expect_same(updated, fit(all_));
}

TEST_P(Changing, UpdatesOneByOneToo) {
  Model model = fit(all_.part(0, 80));
  for (Index i = 80; i < 90; ++i) model = add(model, all_.part(i, i + 1), Revision::update);
  expect_same(model, fit(all_));
}

TEST_P(Changing, ARemovalIsAFitOfTheRest) {
  std::vector<std::string> gone;
  Texts rest;
  for (Index i = 0; i < 90; ++i) {
    if (i % 4 == 1)
      gone.push_back(all_.ids[static_cast<std::size_t>(i)]);
    else
      rest = rest + all_.part(i, i + 1);
  }
  const Model left = remove(fit(all_), gone, Revision::update);
  EXPECT_EQ(report_.documents, std::ssize(gone));
  expect_same(left, fit(rest));
}

TEST_P(Changing, AddedAndRemovedIsAsBefore) {
  const Model before = fit(all_.part(0, 60));
  const Texts late = all_.part(60, 90);
  expect_same(remove(add(before, late, Revision::update), late.ids, Revision::update), before);
}

TEST_P(Changing, FoldingInIsTransform) {
  const Model before = fit(all_.part(0, 60));
  const Texts late = all_.part(60, 90);
  const Model folded = add(before, late, Revision::fold);
  EXPECT_EQ(folded.index().folded, 30);
  EXPECT_EQ(folded.linear().map, before.linear().map);
  const Matrix<double> places = test::places_of(folded);
  EXPECT_EQ(Matrix<double>(places.topRows(60)), test::places_of(before));
  const Matrix<double> placed = before.transform(late.dataset()).matrix<double>();
  EXPECT_LE(test::distance(places.bottomRows(30), placed), 1e-6 * placed.cwiseAbs().maxCoeff());
  // They are found like all others.
  const SearchResult found = similar(folded, 75, {.count = 89, .match = 0.0});
  EXPECT_GT(found.hits.size(), 20u);
  EXPECT_EQ(folded.index().texts[75], all_.texts[75]);
}

TEST_P(Changing, WhatAFoldMissesIsMeasured) {
  options_.components = 3;
  const Model before = fit(all_.part(0, 60));
  const Texts late = all_.part(60, 90);
  const Model folded = add(before, late, Revision::fold);
  const std::vector<std::string> terms = test::terms_of(before);
  const auto outside = [&](const std::vector<std::string>& texts) {
    const Matrix<double> a = test::counts_of(texts, terms), y = a * before.linear().map;
    double sum = 0.0;
    for (Index i = 0; i < a.rows(); ++i) sum += 1.0 - y.row(i).squaredNorm() / a.row(i).squaredNorm();
    return sum / static_cast<double>(a.rows());
  };
  EXPECT_NEAR(report_.outside, outside(late.texts), 1e-6);
  EXPECT_NEAR(report_.outside_of_fit, outside(all_.part(0, 60).texts), 1e-6);
  EXPECT_GT(report_.outside, report_.outside_of_fit);
  EXPECT_EQ(folded.index().drift, report_.outside);
  EXPECT_EQ(report_.unknown_words, 0.0);
  add(before, {{"new"}, {"babu entirely new words"}}, Revision::fold);
  EXPECT_NEAR(report_.unknown_words, 0.75, 1e-12);
  // Twice: the mean of all that were folded in.
  const Model twice = add(add(before, late.part(0, 10), Revision::fold), late.part(10, 30), Revision::fold);
  EXPECT_NEAR(twice.index().drift, folded.index().drift, 1e-12);
  EXPECT_EQ(twice.index().folded, 30);
}

TEST_P(Changing, AnUpdateTakesFoldedOnesIn) {
  const Model folded = add(fit(all_.part(0, 60)), all_.part(60, 75), Revision::fold);
  const Model updated = add(folded, all_.part(75, 90), Revision::update);
  EXPECT_EQ(updated.index().folded, 0);
  EXPECT_EQ(updated.index().drift, 0.0);
  expect_same(updated, fit(all_));
}

TEST_P(Changing, ARemovalTakesFoldedOnesIn) {
  const Model folded = add(fit(all_.part(0, 60)), all_.part(60, 90), Revision::fold);
  const Model left = remove(folded, {all_.ids[3], all_.ids[70]}, Revision::update);
  EXPECT_EQ(left.index().folded, 0);
  expect_same(left, fit(all_.part(0, 3) + all_.part(4, 70) + all_.part(71, 90)));
}

TEST_P(Changing, RemovalFromTheIndexAloneKeepsThePlaces) {
  const Model folded = add(fit(all_.part(0, 60)), all_.part(60, 63), Revision::fold);
  const Model left = remove(folded, {all_.ids[3], all_.ids[61], all_.ids[3]}, Revision::fold);
  EXPECT_EQ(report_.documents, 2);
  EXPECT_EQ(left.index().documents(), 61);
  EXPECT_EQ(left.index().folded, 2);
  EXPECT_EQ(left.linear().map, folded.linear().map);
  const Matrix<double> places = test::places_of(folded), rest = test::places_of(left);
  EXPECT_EQ(Matrix<double>(rest.topRows(3)), Matrix<double>(places.topRows(3)));
  EXPECT_EQ(rest.row(60), places.row(62));
  for (const Hit& hit : similar(left, 0, {.count = 61}).hits)
    EXPECT_TRUE(hit.id != all_.ids[3] && hit.id != all_.ids[61]);
  EXPECT_THROW(find_document(left, all_.ids[3]), DataError);
  // Without the last folded one there is nothing that drifts.
  const Model none = remove(left, {all_.ids[60], all_.ids[62]}, Revision::fold);
  EXPECT_EQ(none.index().folded, 0);
  EXPECT_EQ(none.index().drift, 0.0);
}

TEST_P(Changing, ATruncatedUpdateHoldsWhatItSays) {
  options_.components = 5;
  const Texts first = all_.part(0, 60), late = all_.part(60, 90);
  const Model before = fit(first), updated = add(before, late, Revision::update);
  ASSERT_EQ(updated.components(), 5);
  const Matrix<double>& v = updated.linear().map;
  EXPECT_LE((v.transpose() * v - Matrix<double>::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-6);
  // What was decomposed: the five concepts' share of the old documents, and the new ones whole.
  const std::vector<std::string> terms = test::terms_of(before);
  const Matrix<double> a = test::counts_of(first.texts, terms), b = test::counts_of(late.texts, terms);
  Matrix<double> stacked(90, a.cols());
  stacked << a * before.linear().map * before.linear().map.transpose(), b;
  const Vector<double> sigma = Eigen::JacobiSVD<Matrix<double>>(stacked).singularValues();
  EXPECT_LE((updated.linear().singular_values - sigma.head(5)).cwiseAbs().maxCoeff(), 1e-6 * sigma[0]);
  const double total = a.squaredNorm() + b.squaredNorm();
  EXPECT_NEAR(updated.linear().total_variance, total, 1e-6 * total);
  EXPECT_NEAR(report_.discarded, sigma.tail(sigma.size() - 5).squaredNorm() / total, 1e-6);
}

TEST_P(Changing, AChangedIndexIsSavedAndLoaded) {
  const Model folded = add(fit(all_.part(0, 60)), all_.part(60, 70), Revision::fold);
  const Model updated = add(folded, all_.part(70, 90), Revision::update);
  const Model left = remove(updated, {all_.ids[0]}, Revision::update);
  for (const Model* model : {&folded, &updated, &left}) {
    model->save(folder_.file("m"), true);
    const Model loaded = Model::load(folder_.file("m"));
    EXPECT_EQ(test::places_of(loaded), test::places_of(*model));
    EXPECT_EQ(loaded.index().folded, model->index().folded);
    EXPECT_EQ(loaded.index().drift, model->index().drift);
  }
}

TEST_P(Changing, BadChanges) {
  const Model model = fit(all_.part(0, 60));
  for (const Revision how : {Revision::fold, Revision::update}) {
    const std::string twice = test::refusal([&] { add(model, all_.part(59, 62), how); });
    EXPECT_NE(twice.find("the collection has a document '" + all_.ids[59] + "' already"), std::string::npos) << twice;
    EXPECT_NE(test::refusal([&] { add(model, {}, how); }).find("no documents to add"), std::string::npos);
    EXPECT_NE(test::refusal([&] { remove(model, {"nowhere"}, how); }).find("there is no document 'nowhere'"),
              std::string::npos);
    EXPECT_NE(test::refusal([&] { remove(model, all_.part(0, 60).ids, how); }).find("no document would be left"),
              std::string::npos);
    // Documents without a known word come, stay, and are never found.
    const Model more = add(model, {{"empty", "unknown"}, {"", "entirely other things"}}, how);
    EXPECT_EQ(more.index().documents(), 62);
    EXPECT_TRUE(test::places_of(more).allFinite());
    EXPECT_TRUE(test::places_of(more).bottomRows(2).isZero(0.0));
    for (const Hit& hit : search(more, "babu", {.count = 62}).hits) EXPECT_LT(hit.document, 60);
    // Only those would be left: nothing to decompose.
    if (how == Revision::update) {
      EXPECT_THROW(remove(more, all_.part(0, 60).ids, how), DataError);
    } else {
      EXPECT_EQ(remove(more, all_.part(0, 60).ids, how).index().documents(), 2);
    }
  }
}

/// What a person gets to see of an index.
std::string shown(const Model& model, const Execution& exec = {}) {
  std::string out;
  const auto number = [](double x) {
    char text[40];
    std::snprintf(text, sizeof text, " %a", x);
    return std::string(text);
  };
  const auto hits = [&](const SearchResult& found) {
    for (const Hit& hit : found.hits) {
      out += hit.id + number(hit.score) + number(hit.cosine) + number(hit.bm25) + hit.snippet.text + "\n";
      for (const auto& [begin, end] : hit.snippet.marks) out += number(static_cast<double>(begin + 1000 * end));
      for (const ScorePart& reason : hit.terms) out += reason.name + number(reason.part);
      for (const ScorePart& reason : hit.concepts) out += reason.name + number(reason.part);
    }
  };
  hits(search(model, "bubu dabu fabu kebu", {.count = 40, .reasons = 5}, exec));
  hits(similar(model, 11, {.count = 40, .reasons = 5}, exec));
  for (const NearTerm& term : near_terms(model, "dabu", 20, exec)) out += term.term + number(term.cosine);
  for (const Topic& topic : topics(model, 0, 6, 8, exec))
    for (const Pole* pole : {&topic.plus, &topic.minus}) {
      for (const ScorePart& reason : pole->terms) out += reason.name + number(reason.part);
      for (const ScorePart& reason : pole->documents) out += reason.name + number(reason.part);
    }
  const Rankings rankings(model, exec);
  for (const auto& ranked :
       {rankings.by_meaning("bubu dabu", 3, 0.2), rankings.by_terms("bubu"), rankings.by_bm25("bubu")})
    for (const Index i : ranked) out += " " + std::to_string(i);
  return out;
}

TEST(LsiFiles, SavedAndLoadedFindsTheSameToTheBit) {
  const Folder folder;
  const Texts texts = test::made_texts(200, 80) + Texts{{"empty", "ünï"}, {"", "bubu dabu — ünïcode"}};
  for (const bool keep_texts : {true, false})
    for (const Folding folding : {Folding::projection, Folding::scaled}) {
      LsiOptions options;
      options.components = 10;
      options.folding = folding;
      options.keep_texts = keep_texts;
      options.words.ngrams = 2;
      const Model model = fit_lsi(texts.dataset(), options);
      model.save(folder.file("m"), true);
      const Model loaded = Model::load(folder.file("m"));
      const std::string found = shown(model);
      EXPECT_GT(found.size(), 2000u);
      EXPECT_EQ(found, shown(loaded));
      EXPECT_EQ(loaded.index().texts.size(), keep_texts ? 202 : 0);
      loaded.save(folder.file("again"), true);
      EXPECT_EQ(bytes_of(folder.file("m")), bytes_of(folder.file("again")));
      const Dataset fresh = Dataset::of_texts({"bubu dabu", "", "fabu"});
      EXPECT_EQ(model.transform(fresh).matrix<double>(), loaded.transform(fresh).matrix<double>());
    }
}

/// The time of a model is this one while it lives.
class FixedDate {
 public:
  FixedDate() { ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1); }
  ~FixedDate() { ::unsetenv("SOURCE_DATE_EPOCH"); }
  FixedDate(const FixedDate&) = delete;
  FixedDate& operator=(const FixedDate&) = delete;
};

TEST(LsiFiles, SameBytesAtAnyThreadCount) {
  const Folder folder;
  const FixedDate date;
  const Texts texts = test::made_texts(4200, 200), late = test::made_texts(100, 200, 2);  // several tasks of each kind
  std::vector<std::string> files, seen;
  for (const int threads : {1, 2, 3}) {
    const Execution exec{.threads = threads};
    LsiOptions options;
    options.components = 6;
    const Model model = fit_lsi(texts.dataset(), options, exec);
    std::string all;
    const auto keep = [&](const Model& kept) {
      kept.save(folder.file("m"), true);
      all += bytes_of(folder.file("m"));
    };
    keep(model);
    for (const Revision how : {Revision::fold, Revision::update}) {
      test::GivenDocuments source = late.source();
      RevisionReport report;
      const Model changed = add_documents(model, source, how, report, exec);
      keep(changed);
      keep(remove_documents(changed, {texts.ids[5], late.ids[9]}, how, report, exec));
    }
    files.push_back(all);
    seen.push_back(shown(model, exec));
  }
  for (std::size_t i = 1; i < files.size(); ++i) {
    EXPECT_TRUE(files[0] == files[i]) << i;
    EXPECT_EQ(seen[0], seen[i]);
  }
}

/// MED as the literature has it: 1,033 abstracts, 30 queries. Published (Deerwester et al. 1990, Dumais 1991): mean
/// precision at recall .1 to .9 of .45 by terms and .51 by LSI with 100 factors, of raw counts.
class Med : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::shared_data("ir_med/MED.ALL").empty() || test::shared_data("ir_stoplist/smart_571.txt").empty())
      GTEST_SKIP() << "MED is not there: set FEWDIM_DATA";
  }
  static double nine_points(const Model& model, bool by_meaning) {
    const Rankings rankings(model);
    std::vector<Ranking> ranked;
    std::vector<std::string> queries, documents;
    for (Index i = 0; i < model.index().documents(); ++i) documents.emplace_back(model.index().ids[i]);
    const auto source = open_documents({test::shared_data("ir_med/MED.QRY")});
    for (Document query; source->next(query); query = {}) {
      Ranking ranking{.query = query.id, .documents = {}};
      for (const Index i : by_meaning ? rankings.by_meaning(query.text) : rankings.by_terms(query.text))
        ranking.documents.push_back(documents[static_cast<std::size_t>(i)]);
      queries.push_back(query.id);
      ranked.push_back(std::move(ranking));
    }
    const MatchedJudgments judged =
        match_judgments(read_judgments(test::shared_data("ir_med/MED.REL")), queries, documents);
    EXPECT_EQ(judged.unknown_documents + judged.unknown_queries, 0);
    const RetrievalReport report = judge_rankings(ranked, judged.judgments);
    EXPECT_EQ(report.queries.size(), 30u);
    return report.mean.nine_points;
  }
  static Model fit(const LsiOptions& options) {
    const auto source = open_documents({test::shared_data("ir_med/MED.ALL")});
    return fit_lsi(*source, options);
  }
};

TEST_F(Med, RawCountsAreAsPublished) {
  LsiOptions options = test::plain_counts(100);
  options.words.language = "english";
  options.words.stop_words = test::shared_data("ir_stoplist/smart_571.txt");
  options.words.stems = false;
  options.words.min_documents = 2;
  const Model model = fit(options);
  EXPECT_EQ(model.index().documents(), 1033);
  const double terms = nine_points(model, false), meaning = nine_points(model, true);
  EXPECT_NEAR(terms, 0.45, 0.03);
  EXPECT_NEAR(meaning, 0.51, 0.03);
  EXPECT_GT(meaning, terms);
}

TEST_F(Med, TheDefaultsAreMuchBetter) { EXPECT_GT(nine_points(fit({}), true), 0.70); }

}  // namespace
}  // namespace fewdim
