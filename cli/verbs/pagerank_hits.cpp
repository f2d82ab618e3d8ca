#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "fewdim/ranking.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

std::vector<std::string> link_format_names() {
  std::vector<std::string> names;
  for (const LinkFormatCard& card : link_formats()) names.push_back(card.name);
  return names;
}

[[noreturn]] void refuse_choice(const std::string& text, const char* flag, const std::vector<std::string>& names) {
  const std::string near = nearest(text, names);
  throw usage_error(fmt::format("{} '{}' must be {}{}", flag, text, one_of(names),
                                near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

std::string chosen_word(const std::string& text, const char* flag, const std::vector<std::string>& names) {
  if (std::ranges::find(names, text) == names.end()) refuse_choice(text, flag, names);
  return text;
}

/// The value of a choice among names; the usage error lists them.
template <class Value>
Value chosen(const std::string& text, const char* flag, const std::vector<std::pair<std::string, Value>>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (name == text) return value;
    names.push_back(name);
  }
  refuse_choice(text, flag, names);
}

/// Two digits, rounded up: a bound stays one.
std::string show_bound(double x) {
  if (!(x > 0.0)) return fmt::format("{:.1e}", x);
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 1.0);
  return fmt::format("{:.1e}", std::ceil(x / unit * (1.0 - 1e-12)) * unit);
}

std::string show_score(double score) { return fmt::format("{:.6f}", score); }

/// What pagerank and hits have in common: a graph comes in, a list and a file go out.
class Ranker {
 public:
  Ranker(std::string verb, CLI::App& app) : run_(std::move(verb)) {
    app.add_option("FILE", path_,
                   "links: a list of edges (from, to and perhaps a weight a line), Matrix Market, GML, or an adjacency "
                   "matrix in CSV; - for standard input")
        ->required()
        ->type_name("FILE");
    add_text(app, "-n,--count", count_, "N", "vertices to show [20]", "Output");
    add_text(app, "-o,--output", output_, "FILE", "all scores, in the order of the vertices; - for standard output",
             "Output");
    add_text(app, "--format", format_, fmt::format("{}", fmt::join(link_format_names(), "|")),
             "how the links are written; found out if not given", "Reading");
    add_switch(app, "--undirected", undirected_, "every link goes both ways", "Reading");
    add_text(app, "--repeats", repeats_, "sum|first|error",
             "links that are listed twice: their weights (or 1 each) add up, the first counts, or an error [sum]",
             "Reading");
    add_text(app, "--header", header_, "yes|no", "the first line of an edge list is a header [by its words]",
             "Reading");
  }
  virtual ~Ranker() = default;

  int operator()() {
    prepare();
    const Index count = count_.empty() ? 20 : parse_whole(count_, "--count", 0);
    Targets targets(run_);
    targets.add("--output", output_, Targets::Kind::table);
    targets.add_input(path_);
    targets.check();
    const LinkOptions options = link_options();
    graph_ = run_.timed("read", [&] { return read_links(path_, options, run_.execution()); });
    rank();
    summary_ = run_.timed("components", [&] { return summarize(graph_, run_.execution()); });
    const Dataset scores = table_of_scores();
    if (!output_.empty()) targets.write(scores, output_);
    const std::vector<Index> best = top_vertices(scores.matrix<double>().col(0), count);
    if (run_.json()) {
      Json found{{"graph", graph_document()}};
      found.update(document());
      found["top"] = Json::array();
      for (const Index v : best) {
        Json entry{{"vertex", graph_.name(v)}};
        for (Index c = 0; c < scores.cols(); ++c)
          entry[scores.column_names[static_cast<std::size_t>(c)]] = (*scores.dense<double>())(v, c);
        found["top"].push_back(std::move(entry));
      }
      if (!targets.empty()) found["files"] = targets.document();
      run_.print_document(std::move(found));
      return 0;
    }
    if (output_ == "-") return 0;
    std::string text = graph_text() + words();
    if (!best.empty()) text += "\n" + top_text(scores, best);
    print(text);
    return 0;
  }

 protected:
  virtual void prepare() = 0;  ///< options, before anything is read
  virtual void rank() = 0;
  virtual Dataset table_of_scores() const = 0;  ///< the first column gives the order
  virtual std::string words() const = 0;
  virtual Json document() const = 0;

  void declare_common(CLI::App& app, const char* bounded, const char* group) {
    add_text(app, "--tolerance", tolerance_, "X", fmt::format("{} [1e-10]", bounded), group);
    run_.declare(app, {"--tolerance"});
  }

  double tolerance() const {
    const double value = tolerance_.empty() ? 1e-10 : parse_real(tolerance_, "--tolerance");
    if (!(value > 0.0)) throw usage_error(fmt::format("--tolerance '{}' must be above 0", tolerance_));
    return value;
  }

  Dataset named(Matrix<double> values, std::vector<std::string> columns) const {
    Dataset out(std::move(values));
    out.row_names.reserve(static_cast<std::size_t>(graph_.vertices()));
    for (Index v = 0; v < graph_.vertices(); ++v) out.row_names.push_back(graph_.name(v));
    out.row_names_header = "vertex";
    out.column_names = std::move(columns);
    return out;
  }

  Run run_;
  LinkGraph graph_;

 private:
  LinkOptions link_options() const {
    LinkOptions options;
    options.undirected = undirected_;
    if (!format_.empty()) options.format = chosen_word(format_, "--format", link_format_names());
    if (!repeats_.empty())
      options.repeats = chosen<RepeatedLinks>(
          repeats_, "--repeats",
          {{"sum", RepeatedLinks::sum}, {"first", RepeatedLinks::first}, {"error", RepeatedLinks::error}});
    if (!header_.empty()) options.header = chosen<bool>(header_, "--header", {{"yes", true}, {"no", false}});
    return options;
  }

  std::string graph_text() const {
    std::string text = fmt::format("{} vertices, {} {}links", show_count(summary_.vertices), show_count(summary_.links),
                                   graph_.weighted() ? "weighted " : "");
    if (graph_.undirected()) text += ", both ways";
    text += fmt::format("; {} dangling", show_count(summary_.dangling));
    if (summary_.self_loops > 0) text += fmt::format(", {} self loops", show_count(summary_.self_loops));
    if (summary_.repeated > 0) text += fmt::format(", {} repeats", show_count(summary_.repeated));
    text += fmt::format("\nparts: {} strong, the largest of {}; {} weak, the largest of {}\n",
                        show_count(summary_.strong_components), show_count(summary_.largest_strong),
                        show_count(summary_.weak_components), show_count(summary_.largest_weak));
    return text;
  }

  Json graph_document() const {
    return {{"vertices", summary_.vertices},
            {"links", summary_.links},
            {"weighted", graph_.weighted()},
            {"undirected", graph_.undirected()},
            {"dangling", summary_.dangling},
            {"unlinked", summary_.unlinked},
            {"self_loops", summary_.self_loops},
            {"repeated", summary_.repeated},
            {"strong_components", summary_.strong_components},
            {"largest_strong", summary_.largest_strong},
            {"weak_components", summary_.weak_components},
            {"largest_weak", summary_.largest_weak}};
  }

  /// One list a column of scores, side by side.
  std::string top_text(const Dataset& scores, const std::vector<Index>& best) const {
    const Matrix<double> values = scores.matrix<double>();
    std::vector<std::vector<std::string>> rows{{"rank"}};
    for (std::size_t i = 0; i < best.size(); ++i) rows.push_back({std::to_string(i + 1)});
    for (Index c = 0; c < values.cols(); ++c) {
      rows[0].insert(rows[0].end(), {scores.column_names[static_cast<std::size_t>(c)], "vertex"});
      const std::vector<Index> order = top_vertices(values.col(c), std::ssize(best));
      for (std::size_t i = 0; i < order.size(); ++i)
        rows[i + 1].insert(rows[i + 1].end(), {show_score(values(order[i], c)), printable(graph_.name(order[i]))});
    }
    return table(rows, 200);
  }

  std::string path_, count_, output_, format_, repeats_, header_, tolerance_;
  bool undirected_ = false;
  LinkSummary summary_;
};

class Pagerank final : public Ranker {
 public:
  explicit Pagerank(CLI::App& app) : Ranker("pagerank", app) {
    add_text(app, "--damping", damping_, "X",
             "chance to follow a link instead of restarting, at least 0 and below 1 [0.85]", "PageRank");
    add_text(app, "--dangling", dangling_, "uniform|teleport|self|error",
             "from a vertex that no link leaves the walk goes to any vertex, to where it restarts, or stays; or such a "
             "graph is refused [uniform]",
             "PageRank");
    add_list(app, "--restart", restart_, "NAME",
             "vertices where the walk restarts, all alike; may be given several times [all]", "PageRank");
    add_text(app, "--solver", solver_, "auto|power|gauss-seidel",
             "auto takes Gauss-Seidel where power iteration turns out slow [auto]", "PageRank");
    declare_common(
        app,
        "largest error of the scores x, the sum of |x - exact| over all vertices: what the residual, the sum of "
        "|Gx - x|, over 1 - damping must not exceed",
        "PageRank");
  }

 protected:
  void prepare() override {
    if (!damping_.empty()) options_.damping = parse_real(damping_, "--damping");
    if (!(options_.damping >= 0.0 && options_.damping < 1.0))
      throw usage_error(fmt::format("--damping '{}' must be at least 0 and below 1; 0.85 is usual", damping_));
    if (!dangling_.empty())
      options_.dangling = chosen<Dangling>(dangling_, "--dangling",
                                           {{"uniform", Dangling::uniform},
                                            {"teleport", Dangling::teleport},
                                            {"self", Dangling::self},
                                            {"error", Dangling::error}});
    if (!solver_.empty())
      options_.solver = chosen<RankSolver>(
          solver_, "--solver",
          {{"auto", RankSolver::automatic}, {"power", RankSolver::power}, {"gauss-seidel", RankSolver::gauss_seidel}});
    options_.tolerance = tolerance();
  }

  void rank() override {
    for (const std::string& list : restart_) {
      // A name may hold commas; the whole is tried first.
      if (graph_.find(list) >= 0) {
        options_.restart.push_back({graph_.find(list), 1.0});
        continue;
      }
      for (const std::string& name : split_list(list)) options_.restart.push_back({graph_.require(name), 1.0});
    }
    result_ = run_.timed("rank", [&] { return pagerank(graph_, options_, run_.execution()); });
    if (!result_.converged)
      run_.warn(fmt::format(
          "the error may be {:.1e}, above the tolerance of {:.1e}: rounding is in the way; lower --damping or "
          "raise --tolerance",
          result_.error_bound, options_.tolerance));
  }

  Dataset table_of_scores() const override { return named(result_.scores, {"pagerank"}); }

  std::string words() const override {
    std::string text = fmt::format("damping {:g}: {} sweeps ({}), error at most {}", options_.damping,
                                   show_count(result_.sweeps), solver_name(), show_bound(result_.error_bound));
    if (!std::isnan(result_.second_eigenvalue))
      text += fmt::format(", second eigenvalue about {:.2f}", result_.second_eigenvalue);
    return text + "\n";
  }

  Json document() const override {
    Json restart = Json::array();
    for (const Restart& place : options_.restart) restart.push_back(graph_.name(place.vertex));
    Json second;
    if (!std::isnan(result_.second_eigenvalue)) second = result_.second_eigenvalue;
    return {{"damping", options_.damping},
            {"restart", restart},
            {"sweeps", result_.sweeps},
            {"solver", solver_name()},
            {"tolerance", options_.tolerance},
            {"residual", result_.residual},
            {"error_bound", result_.error_bound},
            {"converged", result_.converged},
            {"rate", result_.rate},
            {"second_eigenvalue", second}};
  }

 private:
  std::string solver_name() const { return result_.solver == RankSolver::power ? "power" : "gauss-seidel"; }

  std::string damping_, dangling_, solver_;
  std::vector<std::string> restart_;
  PagerankOptions options_;
  PagerankResult result_;
};

class Hits final : public Ranker {
 public:
  explicit Hits(CLI::App& app) : Ranker("hits", app) {
    add_text(app, "--normalization", normalization_, "sum|unit", "scores of sum 1, or of Euclidean norm 1 [sum]",
             "HITS");
    declare_common(
        app,
        "largest residual |A'A a - s^2 a| / s^2, with a the authorities at norm 1 and s the largest singular "
        "value",
        "HITS");
  }

 protected:
  void prepare() override {
    if (!normalization_.empty())
      options_.normalization =
          chosen<ScoreNorm>(normalization_, "--normalization", {{"sum", ScoreNorm::sum}, {"unit", ScoreNorm::unit}});
    options_.tolerance = tolerance();
  }

  void rank() override {
    result_ = run_.timed("rank", [&] { return hits(graph_, options_, run_.execution()); });
    if (result_.multiplicity > 1)
      run_.warn(
          fmt::format("the largest singular value is there {} times: many vectors are as good; shown is the projection "
                      "of equal scores, where power iteration from them ends",
                      result_.multiplicity));
    if (!result_.converged)
      run_.warn(fmt::format(
          "the residual is {:.1e}, above the tolerance of {:.1e}: rounding is in the way; raise --tolerance",
          result_.residual, options_.tolerance));
  }

  Dataset table_of_scores() const override {
    Matrix<double> both(graph_.vertices(), 2);
    both << result_.authorities, result_.hubs;
    return named(std::move(both), {"authority", "hub"});
  }

  std::string words() const override {
    return fmt::format("largest singular value {:.6g}, gap to the next {:.1e}: {} products, residual {:.1e}\n",
                       result_.singular_value, result_.gap, show_count(result_.products), result_.residual);
  }

  Json document() const override {
    return {{"singular_value", result_.singular_value},
            {"multiplicity", result_.multiplicity},
            {"gap", result_.gap},
            {"tolerance", options_.tolerance},
            {"residual", result_.residual},
            {"converged", result_.converged},
            {"products", result_.products}};
  }

 private:
  std::string normalization_;
  HitsOptions options_;
  HitsResult result_;
};

}  // namespace

Verb pagerank_verb() {
  return {.name = "pagerank",
          .group = "Ranking",
          .title = "Rank the vertices of a graph by PageRank",
          .text =
              "The share of time a walk spends at each vertex that follows links and now and then restarts. With "
              "--restart it starts again from given vertices: what is near them. The error is bounded, not guessed.",
          .examples = {{"fewdim pagerank links.tsv", "the twenty highest"},
                       {"fewdim pagerank links.tsv.gz --restart Cosette -o near.csv", "near a vertex; all scores"},
                       {"fewdim pagerank web.mtx --damping 0.9 --dangling teleport --json", "for a program"}},
          .declare = [](CLI::App& app) -> Action {
            const auto work = std::make_shared<Pagerank>(app);
            return [work] { return (*work)(); };
          }};
}

Verb hits_verb() {
  return {.name = "hits",
          .group = "Ranking",
          .title = "Find hubs and authorities of a graph",
          .text =
              "Hubs point to good authorities, authorities are pointed to by good hubs: the leading singular vectors "
              "of the adjacency matrix.",
          .examples = {{"fewdim hits blogs.gml -n 10", "ten of each"},
                       {"fewdim hits links.tsv --normalization unit -o scores.csv", "scores of norm 1"}},
          .declare = [](CLI::App& app) -> Action {
            const auto work = std::make_shared<Hits>(app);
            return [work] { return (*work)(); };
          }};
}

}  // namespace fewdim::cli
