#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/report.hpp"
#include "fewdim/text_index.hpp"
#include "input.hpp"
#include "text.hpp"
#include "verb.hpp"
#include "weights.hpp"

namespace fewdim::cli {

namespace {

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     names.size() > shown ? fmt::format(", … {} more", names.size() - shown) : "");
}

class Inspect {
 public:
  explicit Inspect(CLI::App& app) : run_("inspect") {
    app.add_option("MODEL", path_, "a model that a method kept with -m")->required()->type_name("FILE");
    run_.declare(app);
  }

  int operator()() {
    const Model model = run_.timed("load", [&] { return Model::load(path_); });
    if (run_.json()) {
      run_.print_document(Json::parse(json_report(model, speak_command_line)));
      return 0;
    }
    std::string text = summary(model, speak_command_line);
    const auto line = [&](const char* title, const std::string& value) {
      if (!value.empty()) text += fmt::format("{:<11} {}\n", title, value);
    };
    line("features", some_names(model.head().feature_names));
    line("input hash", model.head().provenance.input_hash);
    print(text);
    return 0;
  }

 private:
  Run run_;
  std::string path_;
};

/// One line of the verdict.
struct Check {
  std::string name;
  double found, allowed;
  std::string meaning;
  bool whole = false;  // a count

  bool holds() const { return found <= allowed; }  // NaN does not
  std::string shown(double value) const { return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.1e}", value); }
};

class Verify {
 public:
  explicit Verify(CLI::App& app) : run_("verify") {
    app.add_option("MODEL", path_, "a model that a method kept with -m")->required()->type_name("FILE");
    input_.declare(app,
                   {.name = "DATA",
                    .help = "what it was fitted on: a file, -, or a built-in table; an index of documents holds it",
                    .stream = true,
                    .optional = true,
                    .parts = true});
    weights_.declare(app);
    run_.declare(app);
  }

  int operator()() {
    const double asked = run_.tolerance().empty() ? 0.0 : parse_real(run_.tolerance(), "--tolerance");
    if (!run_.tolerance().empty() && !(asked > 0.0))
      throw usage_error(fmt::format("--tolerance '{}' must be above 0", run_.tolerance()));
    const Model model = run_.timed("load", [&] { return Model::load(path_); });
    if (const MethodCard* card = find_method(model.method()); card && !card->verify)
      throw Unsupported(fmt::format("verify: {}", card->unverified));      // before anything is read
    if (model.takes_text() && !model.beside<TextIndex>()) model.linear();  // says so
    if (input_.paths().empty() && !model.beside<TextIndex>())
      throw usage_error("verify: DATA is missing: give what the model was fitted on");
    if (!input_.paths().empty() && model.beside<TextIndex>())
      throw usage_error("verify: an index of documents is judged by the counts it holds; give the model alone");
    Dataset data;
    if (!model.beside<TextIndex>()) {
      data = input_.load_columns(run_, model.as<LinearModel>() ? Streaming::if_needed : Streaming::never,
                                 weights_.without_column(input_.options()), model.head().feature_names);
      weights_.read_into(data, input_, run_);
    }
    const Verification found = run_.timed("verify", [&] { return verify(model, data, run_.execution_beside(data)); });
    const bool same_input = model.beside<TextIndex>() || compare_hashes(model, data);
    for (const std::string& warning : found.certificate.warnings) run_.warn(warning);
    const std::vector<Check> checks =
        model.as<NeighborModel>() ? judge_neighbors(model, found, asked) : judge(model, found, asked);
    const bool holds = std::ranges::all_of(checks, &Check::holds);
    if (run_.json())
      print_json(model, data, found, checks, holds, same_input);
    else
      print_table(checks, holds);
    return holds ? 0 : static_cast<int>(ErrorKind::not_converged);
  }

 private:
  bool compare_hashes(const Model& model, const Dataset& data) {
    const std::string& before = model.head().provenance.input_hash;
    const std::string now = data.input_hash();
    if (before.empty() || now.empty() || before == now) return before == now && !before.empty();
    run_.warn(fmt::format("{} is not the input the model names ({}, now {}); its numbers are judged all the same",
                          data.source, before, now));
    return false;
  }

  /// Each component has a bound of its own: the one that comes nearest to it, or is furthest beyond, stands for all.
  static Index worst_residual(const Verification& found) {
    const Vector<double>& residuals = found.certificate.residuals;
    Index worst = 0;
    for (Index c = 1; c < residuals.size(); ++c)
      if (residuals[c] / found.allowed[c] > residuals[worst] / found.allowed[worst]) worst = c;
    return worst;
  }

  static std::vector<Check> judge(const Model& model, const Verification& found, double asked) {
    const Certificate& claimed = model.certificate();
    const bool single = model.head().precision == Precision::float32;
    const double rounding = single ? 1e-5 : 1e-10;
    const Vector<double>& residuals = found.certificate.residuals;
    const Index worst = worst_residual(found);
    std::vector<Check> checks{
        {"residuals", asked > 0.0 ? residuals.maxCoeff() : residuals[worst], asked > 0.0 ? asked : found.allowed[worst],
         "largest |A v - value v|, of the largest value"},
        {"missed", found.missed, 0.0, "excess of an eigenvalue left out, relative"},
        {"orthogonality", found.certificate.orthogonality, rounding, "largest entry of |V'V - I|"},
        {"mean", found.mean_error, rounding,
         model.as<LinearModel>() ? "largest difference of a column's mean, relative"
                                 : "largest difference of an object's mean similarity, relative"}};
    if (!model.as<LinearModel>()) return checks;
    checks.push_back({"scale", found.scale_error, rounding, "largest difference of a column's scale, relative"});
    checks.push_back(
        {"variance", found.variance_error, rounding + claimed.forming_error, "difference of the total, relative"});
    return checks;
  }

  static std::vector<Check> judge_neighbors(const Model& model, const Verification& found, double asked) {
    const Vector<double>& residuals = found.certificate.residuals;
    const Index worst = worst_residual(found);
    const double rounding = model.head().precision == Precision::float32 ? 1e-5 : 1e-10;
    std::vector<Check> checks{{"residuals", asked > 0.0 ? residuals.maxCoeff() : residuals[worst],
                               asked > 0.0 ? asked : found.allowed[worst], "largest |A v - value v|, of the norm"},
                              {"orthogonality", found.certificate.orthogonality, 1e-10, "largest entry of |V'V - I|"},
                              {"placement", found.placement_error, rounding, "what places new rows, relative"}};
    if (found.missing >= 0)
      checks.push_back(
          {"missing", static_cast<double>(found.missing), 0.0, "lower eigenvectors not kept, by a count", true});
    return checks;
  }

  static void print_table(const std::vector<Check>& checks, bool holds) {
    std::vector<std::vector<std::string>> rows{{"check", "found", "allowed", "", "what"}};
    for (const Check& check : checks)
      rows.push_back({check.name, check.shown(check.found), check.shown(check.allowed), check.holds() ? "ok" : "FAILS",
                      check.meaning});
    print(table(rows));
    print(holds ? "\nthe certificate holds: recomputed from the data, every figure is within its bound\n"
                : "\nthe certificate does not hold for these data\n");
  }

  void print_json(const Model& model, const Dataset& data, const Verification& found, const std::vector<Check>& checks,
                  bool holds, bool same_input) {
    Json judged = Json::object();
    for (const Check& check : checks)
      judged[check.name] = {{"found", check.found}, {"allowed", check.allowed}, {"holds", check.holds()}};
    run_.print_document(
        {{"model", path_},
         {"method", model.method()},
         {"input", data.source},
         {"input_hash", data.input_hash()},
         {"same_input", same_input},
         {"holds", holds},
         {"checks", judged},
         {"outside_bound",
          std::isfinite(found.certificate.outside_bound) ? Json(found.certificate.outside_bound) : Json()},
         {"outside_probability", found.certificate.outside_probability},
         {"missing", found.missing < 0 ? Json() : Json(found.missing)},
         {"residuals", numbers(found.certificate.residuals)}});
  }

  Run run_;
  std::string path_;
  Input input_;
  RowWeights weights_;
};

}  // namespace

Verb inspect_verb() {
  return {"inspect",
          "Models",
          "Say what a model is, how far to trust it, and where it comes from",
          "",
          {{"fewdim inspect cells.fewdim", "for people"},
           {"fewdim inspect cells.fewdim --json | jq .residuals", "for programs"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Inspect>(app);
            return [verb] { return (*verb)(); };
          }};
}

Verb verify_verb() {
  return {"verify",
          "Models",
          "Recompute a model's certificate from its data",
          "No word of the model is taken: mean, total variance, and the residual of every component are computed anew. "
          "Of maps from neighborhoods the matrix is built again, and a count of its eigenvalues proves that no lower "
          "eigenvector was missed. Exit code 5 means that they don't hold, 3 that the data have another shape.",
          {{"fewdim verify cells.fewdim cells.csv", "does the model belong to these data?"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Verify>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
