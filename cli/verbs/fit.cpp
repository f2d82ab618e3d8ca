#include <fmt/format.h>

#include "fewdim/report.hpp"
#include "fewdim/session.hpp"
#include "fit_outputs.hpp"
#include "input.hpp"
#include "method_options.hpp"
#include "ratings_verbs.hpp"
#include "text.hpp"
#include "verb.hpp"
#include "weights.hpp"

namespace fewdim::cli {

namespace {

/// A fit of any registered method, from its card alone.
class Fit {
 public:
  Fit(const MethodCard& card, CLI::App& app)
      : card_(card), run_(card.name), outputs_(card), options_(card.fields), weights_(card) {
    input_.declare(app, {.stream = card.takes.stream, .parts = true});
    outputs_.declare(app);
    options_.declare(app);
    weights_.declare(app);
    run_.declare(app, options_.flags());
  }

  int operator()() {
    const OptionMap options = options_.map();
    Targets targets(run_);
    for (const std::string& path : input_.paths()) targets.add_input(path);
    if (!weights_.file().empty()) targets.add_input(weights_.file());
    outputs_.add_to(targets);
    targets.check();
    const InputSource source = source_for(options);
    const SessionContext context = run_.context();
    Dataset data = load_for_fit(card_, source, options, context);
    require_second_pass(data);
    const Fitted fitted = fit(card_, std::move(data), source, options, context);
    outputs_.write(fitted.model, fitted.data, run_, targets);
    tell(fitted.model, targets);
    return 0;
  }

 private:
  InputSource source_for(const OptionMap& options) const {
    if (card_.takes_text && card_.takes_text(options)) input_.require_lines();
    return weights_.weigh(input_.source());
  }

  void require_second_pass(const Dataset& data) const {
    const std::string flag = outputs_.needs_rows();
    if (flag.empty() || !data.is_stream() || data.stream()->rewindable()) return;
    throw usage_error(
        fmt::format("{} needs a second pass over the rows, and a pipe has one; save it to a file first, or "
                    "leave --stream out",
                    flag));
  }

  void tell(const Model& model, const Targets& targets) {
    if (run_.json()) {
      Json document = Json::parse(json_report(model, speak_command_line));
      document["fit_seconds"] = document["seconds"];
      document["outputs"] = targets.document();
      run_.print_document(std::move(document));
      return;
    }
    run_.say(summary(model, speak_command_line));
    if (targets.empty())
      run_.say("\nnothing was kept: -m FILE keeps the model, -o FILE the scores, --plot FILE draws them");
  }

  const MethodCard& card_;
  Run run_;
  Input input_;
  FitOutputs outputs_;
  MethodOptions options_;
  RowWeights weights_;
};

Verb method_verb(const MethodCard& card) {
  Verb verb = verb_of(card);
  verb.declare = [&card](CLI::App& app) -> Action {
    const auto fit = std::make_shared<Fit>(card, app);
    return [fit] { return (*fit)(); };
  };
  return verb;
}

}  // namespace

Verb verb_of(const MethodCard& card) {
  Verb verb;
  verb.name = card.name;
  verb.group = "Methods";
  verb.title = card.title;
  for (const auto& [command, what] : card.examples) verb.examples.push_back({command, what});
  verb.text = fmt::format("{} {}.", card.use_when, card.citation);
  return verb;
}

std::vector<Verb> method_verbs() {
  std::vector<Verb> list;
  for (const MethodCard& card : methods())
    list.push_back(card.takes.kinds.has(DataKind::documents) ? documents_verb(card)
                   : card.takes.kinds.has(DataKind::ratings) ? ratings_verb(card)
                                                             : method_verb(card));
  return list;
}

}  // namespace fewdim::cli
