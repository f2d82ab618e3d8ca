#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "documents.hpp"
#include "fewdim/retrieval.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

struct System {
  std::string name;
  std::vector<Ranking> rankings{};
  RetrievalReport report{};
};

class Evaluate {
 public:
  explicit Evaluate(CLI::App& app) : run_("evaluate") {
    app.add_option("MODEL", path_, "an index that `fewdim lsi` kept with -m")->required()->type_name("FILE");
    queries_.declare(app, "--queries");
    add_text(app, "--judgments", judgments_, "FILE",
             "which documents are relevant: qrels of TREC (query 0 document grade), or of the SMART collections",
             "Evaluation")
        ->required();
    add_text(app, "--judged-by", judged_by_, "auto|id|position",
             "what judgments give of a document: its id, or its place in the collection, from 1 [auto]", "Evaluation");
    add_list(app, "--concepts", concepts_, "N", "rank by the first N concepts, too; may be given several times",
             "Evaluation");
    add_text(app, "--match", match_, "X", "share of BM25 in the mixed ranking [0.2]", "Evaluation");
    add_list(app, "--at", cutoffs_, "N", "ranks at which precision, recall and nDCG are taken [5,10,20]", "Evaluation");
    add_text(app, "--per-query", per_query_, "FILE", "average precision of each query by each system", "Output");
    run_.declare(app);
  }

  int operator()() {
    Targets targets(run_);
    targets.add("--per-query", per_query_, Targets::Kind::table);
    targets.check();
    judged_by();  // a slip is told before anything is read
    const double match = match_.empty() ? 0.2 : parse_real(match_, "--match");
    if (!(match >= 0.0 && match <= 1.0)) throw usage_error(fmt::format("--match '{}' must be between 0 and 1", match_));
    const std::vector<Index> cutoffs = numbers_of(cutoffs_, "--at", {5, 10, 20});
    const Model model = run_.timed("load", [&] { return Model::load(path_); });
    model.index();
    read_queries();
    const Judgments judgments = matched(model);
    std::vector<System> systems = run_.timed("rank", [&] { return ranked(model, match); });
    for (System& system : systems) system.report = judge_rankings(system.rankings, judgments, cutoffs);
    if (!per_query_.empty()) targets.write(per_query_table(systems), per_query_);
    if (run_.json())
      run_.print_document(document(systems, judgments));
    else
      print(text(systems, judgments));
    return 0;
  }

 private:
  static std::vector<Index> numbers_of(const std::vector<std::string>& given, const char* flag,
                                       std::vector<Index> fallback) {
    std::vector<Index> out;
    for (const std::string& list : given)
      for (const std::string& number : split_list(list)) out.push_back(parse_whole(number, flag, 1));
    std::ranges::sort(out);
    return out.empty() ? fallback : out;
  }

  void read_queries() {
    const auto source = queries_.open(run_);
    for (Document query; source->next(query); query = {}) texts_.push_back(std::move(query));
    DocumentReading::tell(source->report(), run_);
  }

  Judgments matched(const Model& model) {
    std::vector<std::string> queries, documents;
    for (const Document& query : texts_) queries.push_back(query.id);
    for (Index i = 0; i < model.index().documents(); ++i) documents.emplace_back(model.index().ids[i]);
    MatchedJudgments found = match_judgments(read_judgments(judgments_, run_.execution()), queries, documents,
                                             JudgedBy::automatic, judged_by());
    by_position_ = found.documents_by_position;
    if (found.queries_by_position)
      run_.warn("the judgments give the places of the queries, from 1, instead of their ids; taken so");
    if (found.documents_by_position && judged_by_ != "position")
      run_.warn(
          "the judgments give the places of the documents, from 1, instead of their ids; taken so (--judged-by id "
          "if they are ids)");
    if (found.unknown_queries > 0)
      run_.warn(fmt::format("{} judged queries are not among the queries", found.unknown_queries));
    if (found.unknown_documents > 0)
      run_.warn(fmt::format("{} judged documents are not in the collection; they count as never found",
                            found.unknown_documents));
    return std::move(found.judgments);
  }

  JudgedBy judged_by() const {
    if (judged_by_.empty() || judged_by_ == "auto") return JudgedBy::automatic;
    if (judged_by_ == "id") return JudgedBy::id;
    if (judged_by_ == "position") return JudgedBy::position;
    throw usage_error(fmt::format("--judged-by '{}' must be auto, id or position", judged_by_));
  }

  std::vector<System> ranked(const Model& model, double match) {
    const Rankings rankings(model, run_.execution());
    std::vector<System> systems;
    const auto add = [&](std::string name, const auto& rank) {
      System system{.name = std::move(name)};
      for (const Document& query : texts_) {
        Ranking ranking{.query = query.id, .documents = {}};
        for (const Index document : rank(query.text)) ranking.documents.emplace_back(model.index().ids[document]);
        system.rankings.push_back(std::move(ranking));
      }
      systems.push_back(std::move(system));
    };
    add("terms", [&](const std::string& text) { return rankings.by_terms(text); });
    add("BM25", [&](const std::string& text) { return rankings.by_bm25(text); });
    for (const Index k : numbers_of(concepts_, "--concepts", {}))
      if (k < model.components())
        add(fmt::format("LSI {}", k), [&](const std::string& text) { return rankings.by_meaning(text, k); });
    add(fmt::format("LSI {}", model.components()), [&](const std::string& text) { return rankings.by_meaning(text); });
    add(fmt::format("LSI {} + {:g} BM25", model.components(), match),
        [&](const std::string& text) { return rankings.by_meaning(text, 0, match); });
    return systems;
  }

  static std::vector<double> precisions(const System& system) {
    std::vector<double> out;
    for (const QueryMeasures& query : system.report.queries) out.push_back(query.measures.average_precision);
    return out;
  }

  PairedComparison against(const System& base, const System& system) const {
    const std::uint64_t seed = run_.seed().empty() ? 0 : parse_seed(run_.seed());
    return compare_paired(precisions(base), precisions(system), seed);
  }

  std::string text(const std::vector<System>& systems, const Judgments& judgments) {
    const RetrievalReport& first = systems.front().report;
    std::string out = fmt::format("{} queries, {} relevant documents", first.queries.size(), judgments.relevant());
    if (first.without_relevant > 0)
      out += fmt::format("; {} queries without a relevant one left out", first.without_relevant);
    if (first.without_ranking > 0) out += fmt::format("; {} judged queries were not asked", first.without_ranking);
    std::vector<std::vector<std::string>> rows{{"system", "MAP", "9 points", "11 points", "R-prec", "MRR"}};
    for (const Index n : first.cutoffs)
      rows[0].insert(rows[0].end(), {fmt::format("P@{}", n), fmt::format("nDCG@{}", n)});
    for (const System& system : systems) {
      const RetrievalMeasures& m = system.report.mean;
      std::vector<std::string> row{system.name};
      for (const double value : {m.average_precision, m.nine_points, m.eleven_points, m.r_precision, m.reciprocal_rank})
        row.push_back(fmt::format("{:.3f}", value));
      for (std::size_t i = 0; i < first.cutoffs.size(); ++i)
        row.insert(row.end(), {fmt::format("{:.3f}", m.precision[i]), fmt::format("{:.3f}", m.ndcg[i])});
      rows.push_back(std::move(row));
    }
    out += "\n\n" + table(rows, 200) + "\naverage precision beside that of terms, query by query:\n";
    std::vector<std::vector<std::string>> pairs{{"system", "difference", "95 % interval", "better", "worse", "p"}};
    for (std::size_t i = 1; i < systems.size(); ++i) {
      const PairedComparison c = against(systems.front(), systems[i]);
      pairs.push_back({systems[i].name, fmt::format("{:+.3f}", c.mean_difference),
                       fmt::format("{:+.3f} to {:+.3f}", c.low, c.high), std::to_string(c.better),
                       std::to_string(c.worse), fmt::format("{:.2g}", c.p_value)});
    }
    return out + table(pairs, 200);
  }

  Json document(const std::vector<System>& systems, const Judgments& judgments) {
    Json list = Json::array();
    for (const System& system : systems) {
      const RetrievalMeasures& m = system.report.mean;
      Json entry{{"system", system.name},
                 {"average_precision", m.average_precision},
                 {"nine_points", m.nine_points},
                 {"eleven_points", m.eleven_points},
                 {"interpolated", numbers(m.interpolated)},
                 {"r_precision", m.r_precision},
                 {"reciprocal_rank", m.reciprocal_rank},
                 {"precision", numbers(m.precision)},
                 {"recall", numbers(m.recall)},
                 {"ndcg", numbers(m.ndcg)}};
      if (&system != &systems.front()) {
        const PairedComparison c = against(systems.front(), system);
        entry["against_terms"] = {{"difference", c.mean_difference},
                                  {"low", c.low},
                                  {"high", c.high},
                                  {"p", c.p_value},
                                  {"better", c.better},
                                  {"worse", c.worse}};
      }
      list.push_back(std::move(entry));
    }
    const RetrievalReport& first = systems.front().report;
    return {{"queries", first.queries.size()},
            {"relevant", judgments.relevant()},
            {"judged_by", by_position_ ? "position" : "id"},
            {"queries_without_relevant", first.without_relevant},
            {"at", numbers(first.cutoffs)},
            {"systems", list}};
  }

  static Dataset per_query_table(const std::vector<System>& systems) {
    const auto& queries = systems.front().report.queries;
    Matrix<double> values(std::ssize(queries), std::ssize(systems));
    Dataset out;
    for (Index s = 0; s < values.cols(); ++s) {
      const std::vector<double> column = precisions(systems[static_cast<std::size_t>(s)]);
      for (Index q = 0; q < values.rows(); ++q) values(q, s) = column[static_cast<std::size_t>(q)];
    }
    out = Dataset(std::move(values));
    for (const QueryMeasures& query : queries) out.row_names.push_back(query.query);
    for (const System& system : systems) out.column_names.push_back(system.name);
    out.row_names_header = "query";
    return out;
  }

  Run run_;
  DocumentsInput queries_;
  std::string path_, judgments_, judged_by_, match_, per_query_;
  bool by_position_ = false;
  std::vector<std::string> concepts_, cutoffs_;
  std::vector<Document> texts_;
};

}  // namespace

Verb evaluate_verb() {
  return {.name = "evaluate",
          .group = "Documents",
          .title = "How good an index is, by queries with known answers",
          .text =
              "Ranks documents for each query by plain term matching (the cosine of the weighted terms), BM25, LSI, "
              "and LSI "
              "mixed with BM25. LSI ranks all that have a term; term matching and BM25 find those that share a word "
              "with the "
              "query, and what is not found counts as in trec_eval: a relevant document adds nothing. Average "
              "precision and "
              "its friends as trec_eval computes them, and a paired test over the queries.",
          .examples = {{"fewdim evaluate med.fewdim --queries MED.QRY --judgments MED.REL --concepts 20,50",
                        "four systems side by side, and LSI with fewer concepts"}},
          .declare = [](CLI::App& app) -> Action {
            const auto work = std::make_shared<Evaluate>(app);
            return [work] { return (*work)(); };
          }};
}

}  // namespace fewdim::cli
