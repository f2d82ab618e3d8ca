#include "fewdim/retrieval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "fewdim/error.hpp"

namespace fewdim {

namespace {

/// Grades in the order of a ranking, 0 for what is not relevant, and the grades of all that is.
struct GradedRanking {
  std::vector<double> grades;
  std::vector<double> relevant;  ///< best first
};

double discounted_gain(const std::vector<double>& grades, Index cutoff) {
  double sum = 0.0;
  for (Index i = 0; i < std::min(cutoff, std::ssize(grades)); ++i)
    sum += grades[static_cast<std::size_t>(i)] / std::log2(static_cast<double>(i + 2));
  return sum;
}

/// precision[i]: the largest precision at any place with more than i relevant documents up to it.
std::vector<double> best_precisions(const std::vector<double>& grades) {
  std::vector<double> precisions;
  for (std::size_t i = 0; i < grades.size(); ++i)
    if (grades[i] > 0.0) precisions.push_back(static_cast<double>(precisions.size() + 1) / static_cast<double>(i + 1));
  for (std::size_t i = precisions.size(); i-- > 1;) precisions[i - 1] = std::max(precisions[i - 1], precisions[i]);
  return precisions;
}

void interpolate(const GradedRanking& ranking, RetrievalMeasures& out) {
  const std::vector<double> best = best_precisions(ranking.grades);
  const auto relevant = static_cast<double>(ranking.relevant.size());
  for (std::size_t level = 0; level <= 10; ++level) {
    // trec_eval's rounding of level · R: up, but for tenths of a document.
    const auto needed = static_cast<std::size_t>(static_cast<double>(level) / 10.0 * relevant + 0.9);
    const std::size_t at = needed > 0 ? needed - 1 : 0;
    out.interpolated[level] = at < best.size() ? best[at] : 0.0;
    out.eleven_points += out.interpolated[level] / 11.0;
    if (level > 0 && level < 10) out.nine_points += out.interpolated[level] / 9.0;
  }
}

RetrievalMeasures measures_of(const GradedRanking& ranking, const std::vector<Index>& cutoffs) {
  RetrievalMeasures out;
  const auto relevant = static_cast<double>(ranking.relevant.size());
  std::vector<Index> found(ranking.grades.size() + 1, 0);  // r(n)
  for (std::size_t i = 0; i < ranking.grades.size(); ++i) {
    found[i + 1] = found[i] + (ranking.grades[i] > 0.0 ? 1 : 0);
    if (ranking.grades[i] <= 0.0) continue;
    const auto place = static_cast<double>(i + 1);
    out.average_precision += static_cast<double>(found[i + 1]) / place;
    if (found[i] == 0) out.reciprocal_rank = 1.0 / place;
  }
  out.average_precision /= relevant;
  const auto found_up_to = [&](Index n) {
    return static_cast<double>(found[static_cast<std::size_t>(std::min(n, std::ssize(ranking.grades)))]);
  };
  out.r_precision = found_up_to(std::ssize(ranking.relevant)) / relevant;
  for (const Index n : cutoffs) {
    out.precision.push_back(found_up_to(n) / static_cast<double>(n));
    out.recall.push_back(found_up_to(n) / relevant);
    out.ndcg.push_back(discounted_gain(ranking.grades, n) / discounted_gain(ranking.relevant, n));
  }
  interpolate(ranking, out);
  return out;
}

void add_share(RetrievalMeasures& sum, const RetrievalMeasures& one, double share) {
  sum.average_precision += share * one.average_precision;
  sum.r_precision += share * one.r_precision;
  sum.reciprocal_rank += share * one.reciprocal_rank;
  for (std::size_t i = 0; i < one.precision.size(); ++i) {
    sum.precision[i] += share * one.precision[i];
    sum.recall[i] += share * one.recall[i];
    sum.ndcg[i] += share * one.ndcg[i];
  }
  for (std::size_t i = 0; i < one.interpolated.size(); ++i) sum.interpolated[i] += share * one.interpolated[i];
  sum.eleven_points += share * one.eleven_points;
  sum.nine_points += share * one.nine_points;
}

using Grades = std::unordered_map<std::string_view, double>;

GradedRanking grade(const Ranking& ranking, const Grades& grades) {
  GradedRanking out;
  std::unordered_set<std::string_view> seen;
  for (const std::string& document : ranking.documents) {
    if (!seen.insert(document).second)
      throw DataError(
          fmt::format("query {}: the document \"{}\" is ranked twice; list each once", ranking.query, document));
    const auto found = grades.find(document);
    out.grades.push_back(found == grades.end() ? 0.0 : std::max(found->second, 0.0));
  }
  for (const auto& [document, value] : grades)
    if (value > 0.0) out.relevant.push_back(value);
  std::ranges::sort(out.relevant, std::greater());
  return out;
}

}  // namespace

Index Judgments::relevant() const {
  Index count = 0;
  for (const JudgedQuery& query : queries)
    count += std::ranges::count_if(query.documents, [](const Judgment& judgment) { return judgment.grade > 0.0; });
  return count;
}

RetrievalReport judge_rankings(const std::vector<Ranking>& rankings, const Judgments& judgments,
                               std::vector<Index> cutoffs) {
  for (const Index n : cutoffs)
    if (n < 1) throw InvalidOption("evaluate", "cutoffs", std::to_string(n), "at least 1", "give numbers of documents");
  std::unordered_map<std::string_view, Grades> judged;
  for (const JudgedQuery& query : judgments.queries)
    for (const Judgment& judgment : query.documents) judged[query.query][judgment.document] = judgment.grade;

  RetrievalReport report{.cutoffs = std::move(cutoffs)};
  std::unordered_set<std::string_view> ranked;
  for (const Ranking& ranking : rankings) {
    if (!ranked.insert(ranking.query).second)
      throw DataError(fmt::format("query {}: there are two rankings for it; give one", ranking.query));
    const auto found = judged.find(ranking.query);
    const GradedRanking graded = found == judged.end() ? GradedRanking{} : grade(ranking, found->second);
    if (graded.relevant.empty()) {
      ++report.without_relevant;
      continue;
    }
    const Index found_count = std::ranges::count_if(graded.grades, [](double value) { return value > 0.0; });
    report.queries.push_back(
        {ranking.query, std::ssize(graded.relevant), found_count, measures_of(graded, report.cutoffs)});
  }
  for (const auto& [query, grades] : judged)
    if (!ranked.contains(query) && std::ranges::any_of(grades, [](const auto& one) { return one.second > 0.0; }))
      ++report.without_ranking;
  if (report.queries.empty())
    throw DataError(
        fmt::format("evaluate: none of the {} queries has a relevant document among the judgments; compare "
                    "the ids of both",
                    rankings.size()));
  for (std::vector<double>* list : {&report.mean.precision, &report.mean.recall, &report.mean.ndcg})
    list->assign(report.cutoffs.size(), 0.0);
  for (const QueryMeasures& query : report.queries)
    add_share(report.mean, query.measures, 1.0 / static_cast<double>(report.queries.size()));
  return report;
}

}  // namespace fewdim
