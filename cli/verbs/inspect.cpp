#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fewdim/report.hpp"
#include "fewdim/results.hpp"
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

std::string shown(const Check& check, double value) {
  return check.whole ? fmt::format("{:.0f}", value) : fmt::format("{:.1e}", value);
}

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
    require_verifiable(model);  // before anything is read
    if (input_.paths().empty() && !model.beside<TextIndex>())
      throw usage_error("verify: DATA is missing: give what the model was fitted on");
    if (!input_.paths().empty() && model.beside<TextIndex>())
      throw usage_error("verify: an index of documents is judged by the counts it holds; give the model alone");
    Dataset data;
    if (!model.beside<TextIndex>())
      data = load_columns(weights_.weigh(input_.source()), model.head().feature_names,
                          model.as<LinearModel>() ? Streaming::if_needed : Streaming::never, run_.context());
    const Judgement judged =
        run_.timed("verify", [&] { return judge(model, data, asked, run_.execution_beside(data)); });
    for (const std::string& warning : judged.warnings) run_.warn(warning);
    if (run_.json()) {
      Json document{{"model", path_}};
      document.update(Json::parse(judgement_json(model, data, judged)));
      run_.print_document(std::move(document));
    } else {
      print_table(judged);
    }
    return judged.holds() ? 0 : static_cast<int>(ErrorKind::not_converged);
  }

 private:
  static void print_table(const Judgement& judged) {
    std::vector<std::vector<std::string>> rows{{"check", "found", "allowed", "", "what"}};
    for (const Check& check : judged.checks)
      rows.push_back({check.name, shown(check, check.found), shown(check, check.allowed),
                      check.holds() ? "ok" : "FAILS", check.meaning});
    print(table(rows));
    print(judged.holds() ? "\nthe certificate holds: recomputed from the data, every figure is within its bound\n"
                         : "\nthe certificate does not hold for these data\n");
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
