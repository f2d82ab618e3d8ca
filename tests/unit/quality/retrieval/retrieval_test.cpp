// Measures of rankings, judgments in their several forms, and the comparison of two systems.

#include "fewdim/retrieval.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fewdim/documents.hpp"
#include "fewdim/error.hpp"
#include "support/data.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::Folder;
using text_files::message_of;
using Texts = std::vector<std::string>;

constexpr double rounding = 1e-14;  // sums of some ten fractions

Judgments judge(const std::string& query, const std::vector<std::pair<std::string, double>>& documents) {
  JudgedQuery judged{query, {}};
  for (const auto& [document, grade] : documents) judged.documents.push_back({document, grade});
  return {{judged}};
}

// Ten documents, relevant ones at 1, 3, 6, 10; a fifth relevant one is not found. By hand:
//   precision there 1/1, 2/3, 3/6, 4/10; AP = (1 + 2/3 + 1/2 + 2/5)/5 = 77/150
//   R = 5: r(5) = 2, R-precision 2/5; interpolated: recall 0, .1, .2 -> 1; .3, .4 -> 2/3; .5, .6 -> 1/2; .7, .8 -> 2/5;
//   .9, 1 -> 0, as recall 1 is never reached.
TEST(Retrieval, IsTheTextbooks) {
  const Judgments judgments = judge("q", {{"a", 1}, {"c", 1}, {"f", 1}, {"j", 1}, {"z", 1}, {"b", 0}, {"d", -1}});
  const RetrievalReport report =
      judge_rankings({{"q", {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}}}, judgments, {1, 5, 20});
  ASSERT_EQ(report.queries.size(), 1u);
  EXPECT_EQ(report.queries[0].relevant, 5);
  EXPECT_EQ(report.queries[0].found, 4);
  const RetrievalMeasures& m = report.mean;
  EXPECT_NEAR(m.average_precision, 77.0 / 150.0, rounding);
  EXPECT_NEAR(m.r_precision, 0.4, rounding);
  EXPECT_NEAR(m.reciprocal_rank, 1.0, rounding);
  EXPECT_NEAR(m.precision[0], 1.0, rounding);
  EXPECT_NEAR(m.precision[1], 0.4, rounding);
  EXPECT_NEAR(m.precision[2], 4.0 / 20.0, rounding);  // 20, although 10 were found
  EXPECT_NEAR(m.recall[0], 0.2, rounding);
  EXPECT_NEAR(m.recall[2], 0.8, rounding);
  const double expected[] = {1, 1, 1, 2.0 / 3, 2.0 / 3, 0.5, 0.5, 0.4, 0.4, 0, 0};
  for (std::size_t i = 0; i < 11; ++i) EXPECT_NEAR(m.interpolated[i], expected[i], rounding) << i;
  EXPECT_NEAR(m.eleven_points, (3 + 4.0 / 3 + 1 + 0.8) / 11, rounding);
  EXPECT_NEAR(m.nine_points, (2 + 4.0 / 3 + 1 + 0.8) / 9, rounding);
  // DCG at 5: 1/log2(2) + 1/log2(4) = 1.5; the best has five relevant documents up to there.
  const double ideal = 1 + 1 / std::log2(3.0) + 0.5 + 1 / std::log2(5.0) + 1 / std::log2(6.0);
  EXPECT_NEAR(m.ndcg[1], 1.5 / ideal, rounding);
}

TEST(Retrieval, InterpolatesFromBehind) {
  // Relevant at 2, 3, 4 of R = 3: precisions 1/2, 2/3, 3/4, so that the largest is behind.
  const RetrievalReport report =
      judge_rankings({{"q", {"x", "a", "b", "c"}}}, judge("q", {{"a", 1}, {"b", 1}, {"c", 1}}));
  for (const double value : report.mean.interpolated) EXPECT_EQ(value, 0.75);
  EXPECT_NEAR(report.mean.average_precision, (1.0 / 2 + 2.0 / 3 + 3.0 / 4) / 3, rounding);
  EXPECT_EQ(report.mean.reciprocal_rank, 0.5);
}

TEST(Retrieval, GradesCountInNdcg) {
  // Grades 1, 3 in this order: (1 + 3/log2(3)) / (3 + 1/log2(3)).
  const RetrievalReport report = judge_rankings({{"q", {"a", "b"}}}, judge("q", {{"a", 1}, {"b", 3}}));
  EXPECT_NEAR(report.mean.ndcg[0], (1 + 3 / std::log2(3.0)) / (3 + 1 / std::log2(3.0)), rounding);
  EXPECT_EQ(report.mean.average_precision, 1.0);
}

TEST(Retrieval, AveragesOverQueriesWithRelevantDocuments) {
  Judgments judgments = judge("1", {{"a", 1}});
  judgments.queries.push_back({"2", {{"b", 1}}});
  judgments.queries.push_back({"3", {{"b", 0}}});
  judgments.queries.push_back({"4", {{"b", 1}}});
  const RetrievalReport report =
      judge_rankings({{"2", {"a", "b"}}, {"1", {}}, {"3", {"b"}}, {"unknown", {"b"}}}, judgments);
  ASSERT_EQ(report.queries.size(), 2u);
  EXPECT_EQ(report.queries[0].query, "2");
  EXPECT_EQ(report.mean.average_precision, 0.25);  // 1/2, and 0 for the one that found nothing
  EXPECT_EQ(report.without_relevant, 2);
  EXPECT_EQ(report.without_ranking, 1);
}

TEST(Retrieval, RefusesWhatCannotBeJudged) {
  const Judgments judgments = judge("q", {{"a", 1}});
  EXPECT_EQ(message_of<DataError>([&] {
              judge_rankings({{"q", {"a", "b", "a"}}}, judgments);
            }),
            "query q: the document \"a\" is ranked twice; list each once");
  EXPECT_THROW(judge_rankings({{"q", {}}, {"q", {}}}, judgments), DataError);
  EXPECT_THROW(judge_rankings({{"r", {"a"}}}, judgments), DataError);
  EXPECT_THROW(judge_rankings({}, judgments), DataError);
  EXPECT_THROW(judge_rankings({{"q", {"a"}}}, judgments, {0}), InvalidOption);
}

std::string shown(const Judgments& judgments) {
  std::string out;
  for (const JudgedQuery& query : judgments.queries) {
    out += query.query + ":";
    for (const Judgment& judgment : query.documents) {
      char grade[32];
      std::snprintf(grade, sizeof grade, "=%g", judgment.grade);
      out += " " + judgment.document + grade;
    }
    out += "; ";
  }
  return out;
}

TEST(Judgments, ComeInSeveralForms) {
  const Folder folder;
  const std::pair<std::string, std::string> cases[] = {
      {"1 0 13 1\n1 0 14 0\r\n2 Q0 FT-1 2\n", "1: 13=1 14=0; 2: FT-1=2; "},         // TREC
      {"1   17   0   0.000000   \n2   12   0   0.000000\n", "1: 17=1; 2: 12=1; "},  // ADI, CISI
      {"01 1410  0 0\n10 0046  0 0\n", "01: 1410=1; 10: 0046=1; "},                 // CACM
      {"1 759 0 4.177695\n1 1281 1 10.620731\n", "1: 759=0 1281=1; "},              // SMART's own output
      {"1 184 2\n1 29 -1\n2 12 3 \n", "1: 184=2 29=-1; 2: 12=3; "},                 // CRAN
      {"1 5\n1 6\n", "1: 5=1 6=1; "},
      {"query-id\tcorpus-id\tscore\nq\td\t2\n", "q: d=2; "},                                                  // BEIR
      {"46   1  20  23  32\n\n47  23\n", "46: 1=1 20=1 23=1 32=1; 47: 23=1; "},                               // TIME
      {"1\n  141   148\n 3708\n   /\n2\n 7 /\n", "1: 141=1 148=1 3708=1; 2: 7=1; "},                          // NPL
      {"  1  2  3392  3396\n 2  5  10 11 12 \n 13 14\n", "1: 3392=1 3396=1; 2: 10=1 11=1 12=1 13=1 14=1; "},  // LISA
      {"1 0 a 1\n1 0 a 0\n", "1: a=0; "}};
  for (const auto& [content, expected] : cases)
    EXPECT_EQ(shown(read_judgments(folder.write("x", content))), expected) << content;
}

TEST(Judgments, AreRefusedWithTheirPlace) {
  const Folder folder;
  const auto refusal = [&](const std::string& content) {
    const std::string path = folder.write("x", content);
    return message_of<DataError>([&] { read_judgments(path); }).substr(path.size());
  };
  EXPECT_EQ(refusal("1 0 13 1\n\n1 0 14\n"), ":3: 3 columns, the first line has 4");
  EXPECT_EQ(refusal("1 0 13 yes\n"), ":1: the grade \"yes\" is not a number");
  EXPECT_EQ(refusal("1 0 13 nan\n"), ":1: the grade \"nan\" is not a number");
  EXPECT_TRUE(refusal("one\n").starts_with(":1: 1 columns; judgments have"));
  EXPECT_TRUE(refusal("a b c d e\n").starts_with(":1: 5 columns; judgments have"));
  EXPECT_TRUE(refusal("").starts_with(": no judgment in it"));
  EXPECT_TRUE(refusal("1 0 \xe9 1\n").starts_with(":1: not UTF-8"));
  EXPECT_TRUE(refusal("1\n x\n /\n").starts_with(":2: \"x\" is not a number"));
  EXPECT_THROW(read_judgments(folder.path("absent")), IoError);
}

TEST(Judgments, ArePrefixSafe) {
  const Folder folder;
  const Texts contents{"1 0 13 1\n2 0 é 1\n", "1 17 0 0.000000\n", "1 2 3\n4 5 6 7 8 9\n", "1\n 2 3\n /\n4 5 /\n",
                       "a b c\n1 2 3\n"};
  for (const std::string& content : contents)
    for (std::size_t size = 0; size <= content.size(); ++size) {
      const std::string path = folder.write("x", content.substr(0, size));
      try {
        EXPECT_FALSE(read_judgments(path).queries.empty() && size == content.size());
      } catch (const DataError& error) {
        EXPECT_LT(size, content.size()) << error.what();
      }
    }
}

TEST(Judgments, AreMatchedWithIds) {
  const Texts queries{"1", "2"}, documents{"1", "46", "a"};
  Judgments judgments{{{"01", {{"0046", 1}, {"a", 1}}}, {"7", {{"1", 1}}}}};
  const MatchedJudgments matched = match_judgments(judgments, queries, documents);
  EXPECT_EQ(shown(matched.judgments), "1: 46=1 a=1; ");
  EXPECT_EQ(matched.unknown_queries, 1);
  EXPECT_EQ(matched.unknown_documents, 0);
  EXPECT_FALSE(matched.queries_by_position);
  // Of documents that are not there, the judgment stays: they count as never found.
  judgments = {{{"1", {{"99", 1}}}}};
  EXPECT_EQ(shown(match_judgments(judgments, queries, documents).judgments), "1: 99=1; ");
  EXPECT_EQ(match_judgments(judgments, queries, documents).unknown_documents, 1);
}

TEST(Judgments, CountWhereIdsDoNotFit) {
  // CRAN numbers its queries 001, 002, 004, ... and TIME its documents 017, 020, ...; their judgments count from 1.
  const Judgments judgments{{{"1", {{"1", 1}}}, {"3", {{"2", 1}}}}};
  const MatchedJudgments matched = match_judgments(judgments, {"001", "002", "004"}, {"017", "020"});
  EXPECT_EQ(shown(matched.judgments), "001: 017=1; 004: 020=1; ");
  EXPECT_TRUE(matched.queries_by_position);
  EXPECT_TRUE(matched.documents_by_position);
}

/// "1" to "count", each with leading zeros up to three digits.
std::vector<std::string> numbered(int first, int count, int step = 1) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) {
    const std::string digits = std::to_string(first + i * step);
    out.push_back(std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits);
  }
  return out;
}

Judgments judged(const std::vector<int>& documents) {
  Judgments out{{{"1", {}}}};
  for (const int document : documents) out.queries[0].documents.push_back({std::to_string(document), 1});
  return out;
}

TEST(Judgments, CountWhereAFewNumbersAreBeyondTheCollection) {
  // TIME numbers 423 documents from 017 to 563. A judged number too many must not turn all the others into ids.
  const std::vector<std::string> documents = numbered(17, 100, 2);  // 17, 19, ... 215
  std::vector<int> numbers;
  for (int i = 1; i <= 100; i += 2) numbers.push_back(i);
  numbers.push_back(101);
  const MatchedJudgments matched = match_judgments(judged(numbers), {"1"}, documents);
  EXPECT_TRUE(matched.documents_by_position);
  EXPECT_EQ(matched.unknown_documents, 1);
  EXPECT_EQ(matched.judgments.queries[0].documents[0].document, "017");
  EXPECT_EQ(matched.judgments.queries[0].documents[1].document, "021");
}

TEST(Judgments, NameWhereTheCollectionIsAPart) {
  // Every third document of 300: as many judged numbers are beyond its size as are unknown.
  std::vector<int> numbers;
  for (int i = 1; i <= 300; i += 5) numbers.push_back(i);
  const MatchedJudgments part = match_judgments(judged(numbers), {"1"}, numbered(1, 100, 3));
  EXPECT_FALSE(part.documents_by_position);
  EXPECT_EQ(part.unknown_documents, 40);  // of 1, 6, 11, ... 296 those that are not 1 modulo 3
  // One document was removed: every id behind it would move.
  std::vector<std::string> without = numbered(1, 100);
  without.erase(without.begin() + 4);
  numbers.assign({1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95});
  const MatchedJudgments removed = match_judgments(judged(numbers), {"1"}, without);
  EXPECT_FALSE(removed.documents_by_position);
  EXPECT_EQ(removed.unknown_documents, 1);
  EXPECT_EQ(removed.judgments.queries[0].documents[2].document, "010");
}

TEST(Judgments, ReferToWhatTheCallerSays) {
  const std::vector<std::string> documents = numbered(1, 20);
  const std::vector<std::string> turned(documents.rbegin(), documents.rend());
  const auto first = [&](JudgedBy by) {
    return match_judgments(judged({1, 2}), {"1"}, turned, JudgedBy::automatic, by).judgments.queries[0].documents[0];
  };
  EXPECT_EQ(first(JudgedBy::automatic).document, "001");
  EXPECT_EQ(first(JudgedBy::id).document, "001");
  EXPECT_EQ(first(JudgedBy::position).document, "020");
}

TEST(Judgments, OfTheRealCollections) {
  const std::string med = test::shared_data("ir_med"), adi = test::shared_data("ir_adi");
  if (med.empty() || adi.empty()) GTEST_SKIP() << "needs ir_med and ir_adi of the shared data";
  const Judgments judgments = read_judgments(med + "/MED.REL");
  EXPECT_EQ(judgments.queries.size(), 30u);
  EXPECT_EQ(judgments.relevant(), 696);  // SOURCE.txt
  const Dataset queries = read_documents({med + "/MED.QRY"}), documents = read_documents({med + "/MED.ALL"});
  const MatchedJudgments matched = match_judgments(judgments, queries.row_names, documents.row_names);
  EXPECT_EQ(matched.judgments.relevant(), 696);
  EXPECT_EQ(matched.unknown_queries + matched.unknown_documents, 0);
  EXPECT_FALSE(matched.queries_by_position || matched.documents_by_position);
  const Judgments small = read_judgments(adi + "/ADI.REL");
  EXPECT_EQ(small.queries.size(), 35u);
  EXPECT_EQ(small.queries[0].documents[0].document, "17");
}

TEST(PairedComparison, CountsAllFlipsOfFewQueries) {
  // Differences 1, 2, 3: of eight flips only +++ and --- have |sum| >= 6. t(.975, 2) = 4.302653 (tables), s = 1.
  const std::vector<double> a{0, 0, 0}, b{1, 2, 3};
  const PairedComparison out = compare_paired(a, b);
  EXPECT_TRUE(out.exact);
  EXPECT_EQ(out.p_value, 0.25);
  EXPECT_EQ(out.mean_difference, 2.0);
  EXPECT_NEAR(out.high - 2.0, 4.302653 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(2.0 - out.low, 4.302653 / std::sqrt(3.0), 1e-6);
  EXPECT_EQ(out.better, 3);
  EXPECT_EQ(compare_paired(b, a).p_value, 0.25);
  // Ties that differ by rounding count as ties: 0.1 + 0.2 and 0.3.
  const std::vector<double> zero(3, 0.0), tied{0.1, 0.2, -0.3};
  EXPECT_EQ(compare_paired(zero, tied).p_value, 1.0);
}

TEST(PairedComparison, DrawsFlipsOfMany) {
  // 20 differences of 1, 15 up and 5 down: |sum| >= 10 means at least 15 or at most 5 up, 2 · 21700/2^20 of the flips
  // (binomials 20 over 0 ... 5: 1 + 20 + 190 + 1140 + 4845 + 15504 = 21700).
  std::vector<double> a(20, 0.0), b(20, 1.0);
  for (std::size_t i = 0; i < 5; ++i) b[i] = -1.0;
  const double expected = 2 * 21700 / 1048576.0;
  const PairedComparison out = compare_paired(a, b, 1);
  EXPECT_FALSE(out.exact);
  // Five standard errors of 100,000 draws.
  EXPECT_NEAR(out.p_value, expected, 5 * std::sqrt(expected * (1 - expected) / 100'000));
  EXPECT_EQ(compare_paired(a, b, 1).p_value, out.p_value);
  EXPECT_NE(compare_paired(a, b, 2).p_value, out.p_value);
  EXPECT_EQ(out.worse, 5);
  // The other way to the same: all flips of 16 against draws, on uneven differences.
  std::vector<double> uneven{.1, .3, -.2, .05, .4, -.1, .2, .15, -.3, .25, .35, .02, -.07, .12, .09, .03},
      none(16, 0.0);
  const double exact = compare_paired(none, uneven).p_value;
  uneven.push_back(0.0), none.push_back(0.0);  // a 17th that changes nothing
  EXPECT_NEAR(compare_paired(none, uneven).p_value, exact, 5 * std::sqrt(exact * (1 - exact) / 100'000) + 1e-5);
}

TEST(PairedComparison, MeetsItsEdges) {
  const std::vector<double> one{0.5}, other{0.25}, two{1, 2}, bad{std::nan("")};
  const PairedComparison out = compare_paired(one, other);
  EXPECT_EQ(out.p_value, 1.0);
  EXPECT_TRUE(std::isnan(out.low));
  EXPECT_EQ(compare_paired(two, two).p_value, 1.0);
  EXPECT_EQ(compare_paired(two, two).low, 0.0);
  EXPECT_THROW(compare_paired(one, two), DataError);
  EXPECT_THROW(compare_paired({}, {}), DataError);
  EXPECT_THROW(compare_paired(one, bad), DataError);
  EXPECT_THROW(compare_paired(one, one, 0, 0), InvalidOption);
}

}  // namespace
}  // namespace fewdim
