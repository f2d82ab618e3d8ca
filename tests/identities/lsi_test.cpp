// Latent semantic indexing beside its formulas, computed densely.

#include "fewdim/lsi.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <fstream>
#include <set>

#include "fewdim/error.hpp"
#include "fewdim/retrieval.hpp"
#include "fewdim/search.hpp"
#include "support/data.hpp"
#include "support/documents.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::Texts;

constexpr double kFloat = 1e-5;  // cosines of float32 places: 6e-8 an entry, and k of them

const Texts collection = test::made_texts(150, 70);
const std::string question = "babu dabu fabu kebu libu";

struct Dense {
  Matrix<double> a, u, v;
  Vector<double> sigma;
};

/// A = U Σ Vᵀ, the first k of it, by Eigen.
Dense dense_svd(const Matrix<double>& a, Index k) {
  const Eigen::JacobiSVD<Matrix<double>> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {a, svd.matrixU().leftCols(k), svd.matrixV().leftCols(k), svd.singularValues().head(k)};
}

std::vector<double> cosines_by_id(const Model& model, const std::string& text, const std::vector<std::string>& ids) {
  const SearchResult found = search(model, text, {.count = model.index().documents(), .match = 0.0, .snippet = 0});
  std::vector<double> out(ids.size(), 0.0);
  for (const Hit& hit : found.hits)
    out[static_cast<std::size_t>(std::ranges::find(ids, hit.id) - ids.begin())] = hit.cosine;
  return out;
}

TEST(LsiIdentities, TheClassicTitlesHaveTwelveTerms) {
  const Model model = fit_lsi(test::titles().dataset(), test::title_options(9));
  EXPECT_EQ(test::terms_of(model), (std::vector<std::string>{"computer", "eps", "graph", "human", "interface", "minors",
                                                             "response", "survey", "system", "time", "trees", "user"}));
  // Deerwester et al. 1990, table 3, print two digits; these are NumPy's of their 12×9 table.
  const std::vector<double> published{3.340884, 2.541701, 2.353944, 1.644532, 1.504832,
                                      1.306382, 0.845903, 0.560134, 0.363677};
  ASSERT_EQ(model.components(), 9);
  for (Index c = 0; c < 9; ++c)
    EXPECT_NEAR(model.linear().singular_values[c], published[static_cast<std::size_t>(c)], 1e-6) << c;
}

TEST(LsiIdentities, TheRankTwoRowOfHuman) {
  const Model model = fit_lsi(test::titles().dataset(), test::title_options(2));
  const Matrix<double> rebuilt =
      model.inverse_transform(model.transform(test::titles().dataset())).matrix<double>();  // documents × terms
  const Index human = model.index().terms.find("human");
  ASSERT_GE(human, 0);
  const std::vector<double> published{0.16, 0.40, 0.38, 0.47, 0.18, -0.05, -0.12, -0.16, -0.09};
  for (Index i = 0; i < 9; ++i)
    EXPECT_NEAR(rebuilt(i, human), published[static_cast<std::size_t>(i)], 0.005) << i;  // as printed
}

TEST(LsiIdentities, HumanComputerFindsAllOfItsKind) {
  for (const Folding folding : {Folding::projection, Folding::scaled}) {
    LsiOptions options = test::title_options(2);
    options.folding = folding;
    const Model model = fit_lsi(test::titles().dataset(), options);
    const Rankings rankings(model);
    const std::vector<Index> by_meaning = rankings.by_meaning("human computer");
    ASSERT_EQ(by_meaning.size(), 9u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_LT(by_meaning[i], 5) << i;
    // Words alone find those that share one: not c3, not c5.
    for (const auto& by_words : {rankings.by_terms("human computer"), rankings.by_bm25("human computer")})
      EXPECT_EQ(std::set<Index>(by_words.begin(), by_words.end()), (std::set<Index>{0, 1, 3}));
    const SearchResult found = search(model, "human computer", {.count = 5, .match = 0.0});
    ASSERT_EQ(found.hits.size(), 5u);
    for (const Hit& hit : found.hits) EXPECT_EQ(hit.id[0], 'c') << hit.id;
    EXPECT_EQ(found.known, (std::vector<std::string>{"human", "computer"}));
  }
}

TEST(LsiIdentities, BothFoldingsAreTheirFormulas) {
  for (const Folding folding : {Folding::projection, Folding::scaled}) {
    LsiOptions options = test::plain_counts(6);
    options.folding = folding;
    const Model model = fit_lsi(collection.dataset(), options);
    const std::vector<std::string> terms = test::terms_of(model);
    const Dense dense = dense_svd(test::counts_of(collection.texts, terms), 6);
    for (Index c = 0; c < 6; ++c)
      EXPECT_NEAR(model.linear().singular_values[c], dense.sigma[c], 1e-6 * dense.sigma[0]) << c;
    const Matrix<double> q = test::counts_of({question}, terms);
    ASSERT_GT(q.sum(), 3.0);
    const bool scaled = folding == Folding::scaled;
    const Matrix<double> place =
        scaled ? Matrix<double>(q * dense.v * dense.sigma.cwiseInverse().asDiagonal()) : Matrix<double>(q * dense.v);
    const Matrix<double> documents = scaled ? dense.u : Matrix<double>(dense.u * dense.sigma.asDiagonal());
    const Matrix<double> expected = test::cosines_between(place, documents);
    const std::vector<double> found = cosines_by_id(model, question, collection.ids);
    Index positive = 0;
    for (Index i = 0; i < expected.cols(); ++i) {
      EXPECT_NEAR(found[static_cast<std::size_t>(i)], std::max(0.0, expected(0, i)), kFloat) << i;
      positive += expected(0, i) > 0.0 ? 1 : 0;
    }
    EXPECT_GT(positive, 30);
  }
}

TEST(LsiIdentities, TheWeightsAreThoseOfTheFormula) {
  LsiOptions options = test::plain_counts(5);
  options.weighting = Weighting::log_entropy;
  options.normalize = true;
  const Model model = fit_lsi(collection.dataset(), options);
  Matrix<double> a = test::counts_of(collection.texts, test::terms_of(model));
  const double log_n = std::log(static_cast<double>(a.rows()));
  for (Index t = 0; t < a.cols(); ++t) {
    double sum = 0.0;
    for (Index i = 0; i < a.rows(); ++i)
      if (const double p = a(i, t) / a.col(t).sum(); p > 0.0) sum += p * std::log(p);
    for (Index i = 0; i < a.rows(); ++i) a(i, t) = std::log1p(a(i, t)) * (1.0 + sum / log_n);
  }
  for (Index i = 0; i < a.rows(); ++i) a.row(i) /= a.row(i).norm();
  const Dense dense = dense_svd(a, 5);
  EXPECT_LE((model.linear().singular_values - dense.sigma).cwiseAbs().maxCoeff(), 1e-6 * dense.sigma[0]);
  EXPECT_NEAR(model.linear().total_variance, a.squaredNorm(), 1e-6 * a.squaredNorm());
  test::expect_same(test::places_of(model), dense.u * dense.sigma.asDiagonal(), kFloat);
}

TEST(LsiIdentities, TrainingDocumentsComeToTheirPlaces) {
  for (const Folding folding : {Folding::projection, Folding::scaled})
    for (const Weighting weighting : {Weighting::log_entropy, Weighting::bm25, Weighting::histogram}) {
      LsiOptions options;
      options.components = 8;
      options.weighting = weighting;
      options.folding = folding;
      const Model model = fit_lsi(collection.dataset(), options);
      const Matrix<double> places = test::places_of(model);
      const double tolerance = 1e-6 * places.cwiseAbs().maxCoeff();  // float32, twice
      const Dataset all = model.transform(collection.dataset());
      EXPECT_EQ(all.row_names, collection.ids);
      EXPECT_LE(test::distance(all.matrix<double>(), places), tolerance);
      // Few documents take another way to their counts.
      const Matrix<double> few = model.transform(collection.part(20, 30).dataset()).matrix<double>();
      EXPECT_LE(test::distance(few, places.middleRows(20, 10)), tolerance);
    }
}

TEST(LsiIdentities, PartsOfAHitSumToItsCosine) {
  for (const Folding folding : {Folding::projection, Folding::scaled}) {
    LsiOptions options;
    options.components = 7;
    options.folding = folding;
    const Model model = fit_lsi(collection.dataset(), options);
    const auto expect_sums = [](const SearchResult& found) {
      ASSERT_EQ(found.hits.size(), 12u);
      for (const Hit& hit : found.hits) {
        double terms = 0.0, concepts = 0.0, last = INFINITY;
        for (const ScorePart& reason : hit.terms) {
          terms += reason.part;
          EXPECT_LE(std::abs(reason.part), last);
          last = std::abs(reason.part);
        }
        for (const ScorePart& reason : hit.concepts) concepts += reason.part;
        EXPECT_EQ(hit.concepts.size(), 7u);
        EXPECT_NEAR(terms, hit.cosine, kFloat) << hit.id;
        EXPECT_NEAR(concepts, hit.cosine, kFloat) << hit.id;
      }
    };
    expect_sums(search(model, question, {.count = 12, .match = 0.3, .reasons = 1000}));
    expect_sums(similar(model, 17, {.count = 12, .match = 0.3, .reasons = 1000}));
    for (const Hit& hit : search(model, question, {.count = 3, .reasons = 2}).hits) {
      EXPECT_EQ(hit.terms.size(), 2u);
      EXPECT_EQ(hit.concepts.size(), 2u);
    }
  }
}

TEST(LsiIdentities, Bm25IsWorkedByHand) {
  // 9 titles, 29 counted words: mean length 29/9. "human" is in 2: idf = ln(1 + 7.5/2.5) = ln 4. In c1, with 3 words,
  // once: 2.2 / (1 + 1.2 (0.25 + 0.75 · 27/29)) = 1.029032; in c4, with 4: 0.910129.
  const Model model = fit_lsi(test::titles().dataset(), test::title_options(2));
  const SearchResult found = search(model, "human", {.count = 9, .match = 1.0});
  ASSERT_EQ(found.hits.size(), 2u);
  EXPECT_EQ(found.hits[0].id, "c1");
  EXPECT_EQ(found.hits[1].id, "c4");
  EXPECT_NEAR(found.hits[0].bm25, 1.426542, 2e-6);
  EXPECT_NEAR(found.hits[1].bm25, 1.261706, 2e-6);
  EXPECT_EQ(found.hits[0].score, 1.0);  // the best document's share of itself
  EXPECT_NEAR(found.hits[1].score, 1.261706 / 1.426542, 2e-6);
  // The mix of the two, as documented.
  for (const Hit& hit : search(model, "human", {.count = 9, .match = 0.25}).hits)
    EXPECT_NEAR(hit.score, 0.75 * hit.cosine + 0.25 * hit.bm25 / 1.426542, 2e-6);
  // A word twice counts twice.
  EXPECT_NEAR(search(model, "human human", {.count = 1, .match = 1.0}).hits.at(0).bm25, 2 * 1.426542, 4e-6);
}

TEST(LsiIdentities, NearTermsAreCosinesOfVSigma) {
  const Model model = fit_lsi(collection.dataset(), test::plain_counts(6));
  const std::vector<std::string> terms = test::terms_of(model);
  const Dense dense = dense_svd(test::counts_of(collection.texts, terms), 6);
  const Matrix<double> rows = dense.v * dense.sigma.asDiagonal();
  const Matrix<double> cosines = test::cosines_between(rows, rows);
  const Index chosen = model.index().terms.find("dabu");
  ASSERT_GE(chosen, 0);
  const std::vector<NearTerm> near = near_terms(model, "Dabu", std::ssize(terms));
  std::set<std::string> seen;
  for (const NearTerm& term : near) {
    const Index at = model.index().terms.find(term.term);
    ASSERT_GE(at, 0);
    EXPECT_NEAR(term.cosine, cosines(chosen, at), kFloat) << term.term;
    EXPECT_EQ(term.documents, (dense.a.col(at).array() > 0).count());
    seen.insert(term.term);
  }
  EXPECT_FALSE(seen.contains("dabu"));
  for (Index t = 0; t < std::ssize(terms); ++t)
    if (t != chosen && cosines(chosen, t) > kFloat) {
      EXPECT_TRUE(seen.contains(terms[static_cast<std::size_t>(t)]));
    }
  // Of two words: the middle of their directions.
  const Index other = model.index().terms.find("libu");
  ASSERT_GE(other, 0);
  const Matrix<double> middle = rows.row(chosen).normalized() + rows.row(other).normalized();
  const Matrix<double> expected = test::cosines_between(middle, rows);
  for (const NearTerm& term : near_terms(model, "dabu libu", 5))
    EXPECT_NEAR(term.cosine, expected(0, model.index().terms.find(term.term)), kFloat);
}

TEST(LsiIdentities, TopicsShowTheEndsOfTheDirections) {
  const Model model = fit_lsi(collection.dataset(), test::plain_counts(4));
  const Matrix<double>& v = model.linear().map;
  const std::vector<Topic> all = topics(model, 1, 2, 5);
  ASSERT_EQ(all.size(), 2u);
  for (const Topic& topic : all) {
    EXPECT_EQ(topic.singular_value, model.linear().singular_values[topic.component]);
    ASSERT_EQ(topic.plus.terms.size(), 5u);
    EXPECT_NEAR(topic.plus.terms[0].part, v.col(topic.component).maxCoeff(), 1e-7);
    EXPECT_NEAR(topic.minus.terms.at(0).part, v.col(topic.component).minCoeff(), 1e-7);
    EXPECT_EQ(topic.plus.documents.size(), 3u);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_GE(topic.plus.terms[i - 1].part, topic.plus.terms[i].part);
  }
  EXPECT_EQ(topics(model, 3, 100, 1).size(), 1u);
  EXPECT_THROW(topics(model, 4, 1, 1), InvalidOption);
  EXPECT_THROW(topics(model, 0, 1, 0), InvalidOption);
}

TEST(LsiIdentities, FewerConceptsAreAModelOfFewer) {
  const Model large = fit_lsi(collection.dataset(), test::plain_counts(12));
  for (const Index k : {1, 3, 7}) {
    const Model small = fit_lsi(collection.dataset(), test::plain_counts(k));
    const Rankings of_large(large), of_small(small);
    EXPECT_EQ(of_large.by_meaning(question, k), of_small.by_meaning(question)) << k;
    EXPECT_EQ(of_large.by_meaning(question, k, 0.3), of_small.by_meaning(question, 0, 0.3)) << k;
  }
  const Rankings rankings(large);
  EXPECT_EQ(rankings.by_meaning(question, 12), rankings.by_meaning(question));
  EXPECT_EQ(rankings.by_meaning(question, 999), rankings.by_meaning(question));
  EXPECT_NE(rankings.by_meaning(question, 1), rankings.by_meaning(question));
}

TEST(LsiIdentities, TheTermSystemIsTheCosineOfTheRows) {
  const Model model = fit_lsi(collection.dataset(), test::plain_counts(3));
  const std::vector<std::string> terms = test::terms_of(model);
  const Matrix<double> cosines =
      test::cosines_between(test::counts_of({question}, terms), test::counts_of(collection.texts, terms));
  double last = INFINITY;
  const std::vector<Index> ranked = Rankings(model).by_terms(question);
  for (const Index document : ranked) {
    EXPECT_LE(cosines(0, document), last + 1e-6);
    last = cosines(0, document);
    EXPECT_GT(last, 0.0);
  }
  EXPECT_EQ(std::ssize(ranked), (cosines.array() > 0).count());
}

TEST(LsiIdentities, TheOrderOfDocumentsDoesNotMatter) {
  LsiOptions options;
  options.components = 8;
  const Model model = fit_lsi(collection.dataset(), options);
  Texts turned;
  for (const Index i : draw_without_replacement(collection.size(), collection.size(), 5, 0))
    turned = turned + collection.part(i, i + 1);
  ASSERT_NE(turned.ids, collection.ids);
  const Model other = fit_lsi(turned.dataset(), options);
  const std::vector<double> a = cosines_by_id(model, question, collection.ids),
                            b = cosines_by_id(other, question, collection.ids);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], kFloat) << i;
}

TEST(LsiIdentities, AnyBatchesGiveTheSameModel) {
  test::GivenDocuments source = collection.source();
  const Model streamed = fit_lsi(source, test::plain_counts(4)),
              held = fit_lsi(collection.dataset(), test::plain_counts(4));
  EXPECT_EQ(streamed.linear().map, held.linear().map);
  EXPECT_EQ(streamed.head().provenance.input_hash, held.head().provenance.input_hash);
}

TEST(LsiIdentities, MoreConceptsThanTheRank) {
  // Two different documents, five times each: rank 2.
  Texts texts;
  for (int i = 0; i < 10; ++i)
    texts = texts + Texts{{std::to_string(i)}, {i % 2 == 0 ? "tree graph tree minor" : "human computer user"}};
  for (const Index k : {3, 10, 500}) {
    for (const Folding folding : {Folding::projection, Folding::scaled}) {
      LsiOptions options = test::plain_counts(k);
      options.folding = folding;
      const Model model = fit_lsi(texts.dataset(), options);
      EXPECT_EQ(model.components(), 2) << k;
      EXPECT_FALSE(model.certificate().warnings.empty());
      EXPECT_TRUE(test::places_of(model).allFinite());
      const SearchResult found = search(model, "graph", {.count = 10, .match = 0.0});
      EXPECT_EQ(found.hits.size(), 5u);
      for (const Hit& hit : found.hits) EXPECT_NEAR(hit.cosine, 1.0, kFloat);
    }
  }
}

TEST(LsiIdentities, EmptyDocumentsAreKeptAndNeverFound) {
  Texts texts = test::made_texts(40, 30) + Texts{{"empty", "stop"}, {"", "the of and to in is"}};
  texts = Texts{{"first"}, {""}} + texts;
  for (const Weighting weighting :
       {Weighting::counts, Weighting::binary, Weighting::histogram, Weighting::tf_idf, Weighting::tf_idf_plain,
        Weighting::log_tf_idf, Weighting::log_entropy, Weighting::bm25})
    for (const Folding folding : {Folding::projection, Folding::scaled}) {
      LsiOptions options;
      options.components = 5;
      options.words.language = "english";
      options.weighting = weighting;
      options.folding = folding;
      const Model model = fit_lsi(texts.dataset(), options);
      ASSERT_EQ(model.index().documents(), 43);
      EXPECT_TRUE(test::places_of(model).allFinite());
      EXPECT_EQ(test::measure(model, "documents_without_terms"), 3.0);
      bool said = false;
      for (const std::string& warning : model.certificate().warnings)
        said = said || warning.find("3 of 43 documents have no term") != std::string::npos;
      EXPECT_TRUE(said);
      for (const double match : {0.0, 0.5, 1.0}) {
        const SearchResult found = search(model, question, {.count = 43, .match = match});
        EXPECT_FALSE(found.hits.empty());
        for (const Hit& hit : found.hits) {
          EXPECT_TRUE(std::isfinite(hit.score) && std::isfinite(hit.cosine));
          EXPECT_TRUE(hit.id.starts_with("d1-")) << hit.id;
        }
        EXPECT_TRUE(similar(model, find_document(model, "stop"), {.match = match}).hits.empty());
        for (const Hit& hit : similar(model, 4, {.count = 43, .match = match}).hits) {
          EXPECT_TRUE(hit.id.starts_with("d1-")) << hit.id;
          EXPECT_NE(hit.document, 4);
        }
      }
      for (const Index document : Rankings(model).by_meaning(question, 0, 0.2))
        EXPECT_TRUE(document > 0 && document < 41);
      EXPECT_TRUE(model.transform(Dataset::of_texts({"", "the", "never seen"})).matrix<double>().isZero(0.0));
    }
}

TEST(LsiIdentities, NothingToFindIsNoError) {
  const Model model = fit_lsi(collection.dataset(), test::plain_counts(3));
  for (const char* text : {"", "   ", "...", "unheard", "\xff\xfe"}) {
    const SearchResult found = search(model, text);
    EXPECT_TRUE(found.hits.empty() && found.known.empty()) << text;
    const Rankings rankings(model);
    EXPECT_TRUE(rankings.by_meaning(text).empty() && rankings.by_terms(text).empty() && rankings.by_bm25(text).empty());
  }
  EXPECT_THROW(near_terms(model, "unheard", 3), DataError);
  EXPECT_THROW(search(model, question, {.count = 0}), InvalidOption);
  EXPECT_THROW(search(model, question, {.match = 1.1}), InvalidOption);
  EXPECT_THROW(search(model, question, {.match = std::nan("")}), InvalidOption);
  EXPECT_THROW(similar(model, 150), InvalidOption);
  EXPECT_THROW(similar(model, -1), InvalidOption);
  const std::string said = test::refusal([&] { find_document(model, "d1-7O"); });
  EXPECT_NE(said.find("there is no document 'd1-7O'; did you mean 'd1-7"), std::string::npos) << said;
}

TEST(LsiIdentities, TermsThatAreEverywhereWeighNothing) {
  const Dataset same = Dataset::of_texts({"one word here", "here one word", "word here one", "one here word"});
  LsiOptions options;
  options.words.language = "none";
  const std::string said = test::refusal([&] { fit_lsi(same, options); });
  EXPECT_NE(said.find("lsi: every term weighs nothing"), std::string::npos) << said;
  EXPECT_NE(said.find("--weighting counts"), std::string::npos) << said;
  EXPECT_THROW(fit_lsi(same, options), DataError);
  options.weighting = Weighting::counts;
  EXPECT_EQ(search(fit_lsi(same, options), "word").hits.size(), 4u);
}

TEST(LsiIdentities, BadInput) {
  EXPECT_NE(
      test::refusal([] { fit_lsi(Dataset(test::sample(20, 3))); }).find("takes documents, and the data are numbers"),
      std::string::npos);
  EXPECT_THROW(fit_lsi(Dataset::of_texts({"", ""})), DataError);
  EXPECT_THROW(fit_lsi(Dataset::of_texts({"every word once", "nothing is shared"})), DataError);
  test::GivenDocuments none({}, {});
  EXPECT_NE(test::refusal([&] { fit_lsi(none); }).find("there are no documents"), std::string::npos);
  LsiOptions options;
  options.components = "auto:scree";
  EXPECT_THROW(fit_lsi(collection.dataset(), options), InvalidOption);
  options = {};
  options.words.language = "klingon";
  EXPECT_THROW(fit_lsi(collection.dataset(), options), Error);
  const Model numbers = fit_lsi(collection.dataset(), test::plain_counts(2));
  EXPECT_THROW(numbers.transform(Dataset(test::sample(4, 70))), DataError);
}

TEST(LsiIdentities, AutoGrowsWithTheCollection) {
  EXPECT_EQ(choose_concepts(1000, 20'000), 100);
  EXPECT_NEAR(static_cast<double>(choose_concepts(100'000, 50'000)), 300.0, 10.0);
  EXPECT_NEAR(static_cast<double>(choose_concepts(1'000'000, 100'000)), 520.0, 30.0);
  EXPECT_EQ(choose_concepts(150, 70), 14);  // a fifth of the terms
  EXPECT_EQ(choose_concepts(1, 1), 1);
  EXPECT_EQ(choose_concepts(3, 2), 2);
  EXPECT_EQ(fit_lsi(collection.dataset()).components(),
            choose_concepts(150, fit_lsi(collection.dataset()).index().terms.size()));
}

}  // namespace
}  // namespace fewdim
