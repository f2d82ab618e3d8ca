#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "calls.hpp"
#include "documents.hpp"
#include "fewdim/retrieval.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "models.hpp"

namespace fewdim::python {

namespace {

/// (query, [(document, grade), ...]), as Python gives and gets judgments.
using JudgedPairs = std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>>;

Judgments judgments_of(const JudgedPairs& pairs) {
  Judgments out;
  for (const auto& [query, documents] : pairs) {
    JudgedQuery one{.query = query, .documents = {}};
    for (const auto& [document, grade] : documents) one.documents.push_back({document, grade});
    out.queries.push_back(std::move(one));
  }
  return out;
}

JudgedPairs pairs_of_judgments(const Judgments& judgments) {
  JudgedPairs out;
  for (const JudgedQuery& query : judgments.queries) {
    auto& documents = out.emplace_back(query.query, std::vector<std::pair<std::string, double>>{}).second;
    for (const Judgment& one : query.documents) documents.emplace_back(one.document, one.grade);
  }
  return out;
}

py::dict measures_dict(const RetrievalMeasures& m) {
  py::dict found;
  found["average_precision"] = m.average_precision;
  found["r_precision"] = m.r_precision;
  found["reciprocal_rank"] = m.reciprocal_rank;
  found["eleven_points"] = m.eleven_points;
  found["nine_points"] = m.nine_points;
  found["precision"] = m.precision;
  found["recall"] = m.recall;
  found["ndcg"] = m.ndcg;
  found["interpolated"] = m.interpolated;
  return found;
}

py::dict report_of_rankings(const RetrievalReport& report) {
  py::list queries;
  for (const QueryMeasures& query : report.queries)
    queries.append(py::make_tuple(query.query, query.relevant, query.found, measures_dict(query.measures)));
  py::dict found;
  found["cutoffs"] = report.cutoffs;
  found["queries"] = queries;
  found["mean"] = measures_dict(report.mean);
  found["without_relevant"] = report.without_relevant;
  found["without_ranking"] = report.without_ranking;
  return found;
}

py::dict comparison_dict(const PairedComparison& c) {
  py::dict found;
  found["queries"] = c.queries;
  found["difference"] = c.mean_difference;
  found["low"] = c.low;
  found["high"] = c.high;
  found["p_value"] = c.p_value;
  found["exact"] = c.exact;
  found["better"] = c.better;
  found["worse"] = c.worse;
  found["equal"] = c.equal;
  return found;
}

struct Judged {
  std::vector<std::pair<std::string, RetrievalReport>> systems;
  std::vector<PairedComparison> against_first;  ///< of the second system on
  MatchedJudgments matched;
};

struct Question {
  OpenDocuments queries;
  Judgments judgments;
  std::vector<Index> concepts{}, cutoffs{};
  double match = 0.2;
  JudgedBy judged_by = JudgedBy::automatic;
  Seed seed = 0;
};

std::vector<double> average_precisions(const RetrievalReport& report) {
  std::vector<double> out;
  for (const QueryMeasures& query : report.queries) out.push_back(query.measures.average_precision);
  return out;
}

/// "LSI 20 + 0.2 BM25", as the command line names its systems.
std::string mixed_name(Index components, double match) {
  std::string share = std::to_string(match);
  share.erase(share.find_last_not_of('0') + 1);
  if (share.back() == '.') share.pop_back();
  return "LSI " + std::to_string(components) + " + " + share + " BM25";
}

Judged judged(const Model& model, const Question& q, const Execution& exec) {
  std::vector<Document> texts;
  const auto source = q.queries(exec);
  for (Document query; source->next(query); query = {}) texts.push_back(std::move(query));
  std::vector<std::string> queries, documents;
  for (const Document& query : texts) queries.push_back(query.id);
  for (Index i = 0; i < model.index().documents(); ++i) documents.emplace_back(model.index().ids[i]);
  Judged out;
  out.matched = match_judgments(q.judgments, queries, documents, JudgedBy::automatic, q.judged_by);
  const Rankings rankings(model, exec);
  const auto add = [&](std::string name, const auto& rank) {
    std::vector<Ranking> ranked;
    for (const Document& query : texts) {
      Ranking one{.query = query.id, .documents = {}};
      for (const Index document : rank(query.text))
        one.documents.push_back(documents[static_cast<std::size_t>(document)]);
      ranked.push_back(std::move(one));
    }
    out.systems.emplace_back(std::move(name), judge_rankings(ranked, out.matched.judgments, q.cutoffs));
  };
  add("terms", [&](const std::string& text) { return rankings.by_terms(text); });
  add("BM25", [&](const std::string& text) { return rankings.by_bm25(text); });
  for (const Index k : q.concepts)
    if (k < model.components())
      add("LSI " + std::to_string(k), [&](const std::string& text) { return rankings.by_meaning(text, k); });
  add("LSI " + std::to_string(model.components()), [&](const std::string& text) { return rankings.by_meaning(text); });
  add(mixed_name(model.components(), q.match),
      [&](const std::string& text) { return rankings.by_meaning(text, 0, q.match); });
  const std::vector<double> first = average_precisions(out.systems.front().second);
  for (std::size_t i = 1; i < out.systems.size(); ++i)
    out.against_first.push_back(compare_paired(first, average_precisions(out.systems[i].second), q.seed));
  return out;
}

py::dict evaluated(const FittedModel& self, const py::dict& queries, const JudgedPairs& judgments,
                   std::vector<Index> concepts, std::vector<Index> cutoffs, double match, const std::string& judged_by,
                   Seed seed, int threads, py::object callback) {
  Question q{.queries = documents_of(queries), .judgments = judgments_of(judgments)};
  q.concepts = std::move(concepts), q.cutoffs = std::move(cutoffs);
  q.match = match;
  q.judged_by = judged_by == "id" ? JudgedBy::id : judged_by == "position" ? JudgedBy::position : JudgedBy::automatic;
  q.seed = seed;
  const Judged found = compute(Call{threads, 0, std::move(callback)},
                               [model = self.model, q](const Execution& exec) { return judged(*model, q, exec); });
  py::list systems;
  for (std::size_t i = 0; i < found.systems.size(); ++i)
    systems.append(
        py::make_tuple(found.systems[i].first, report_of_rankings(found.systems[i].second),
                       i == 0 ? py::object(py::none()) : py::object(comparison_dict(found.against_first[i - 1]))));
  py::dict out;
  out["systems"] = systems;
  out["relevant"] = found.matched.judgments.relevant();
  out["queries_by_position"] = found.matched.queries_by_position;
  out["documents_by_position"] = found.matched.documents_by_position;
  out["unknown_queries"] = found.matched.unknown_queries;
  out["unknown_documents"] = found.matched.unknown_documents;
  return out;
}

}  // namespace

void bind_evaluation(py::module_& module) {
  module.def("evaluate", &evaluated, py::arg("model"), py::arg("queries"), py::arg("judgments"), py::arg("concepts"),
             py::arg("cutoffs"), py::arg("match"), py::arg("judged_by"), py::arg("seed"), py::arg("threads") = 0,
             py::arg("callback") = py::none());
  module.def(
      "read_judgments",
      [](const std::string& path) {
        return pairs_of_judgments(compute({}, [path](const Execution& exec) { return read_judgments(path, exec); }));
      },
      py::arg("path"));
  module.def(
      "judge_rankings",
      [](const std::vector<std::pair<std::string, std::vector<std::string>>>& rankings, const JudgedPairs& judgments,
         std::vector<Index> cutoffs) {
        std::vector<Ranking> ranked;
        for (const auto& [query, documents] : rankings) ranked.push_back({query, documents});
        return report_of_rankings(judge_rankings(ranked, judgments_of(judgments), std::move(cutoffs)));
      },
      py::arg("rankings"), py::arg("judgments"), py::arg("cutoffs"));
  module.def(
      "compare_paired",
      [](const std::vector<double>& a, const std::vector<double>& b, Seed seed, Index draws) {
        if (a.size() != b.size()) throw py::value_error("as many numbers of both are needed");
        return comparison_dict(
            compute({}, [a, b, seed, draws](const Execution&) { return compare_paired(a, b, seed, draws); }));
      },
      py::arg("a"), py::arg("b"), py::arg("seed") = 0, py::arg("draws") = 100'000);
}

}  // namespace fewdim::python
