#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fewdim/method.hpp"
#include "fewdim/report.hpp"
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
    Dataset data = load(options);
    const Model model = fit(data, options);
    outputs_.write(model, data, run_, targets);
    tell(model, targets);
    return 0;
  }

 private:
  Dataset load(const OptionMap& options) {
    if (card_.takes_text && card_.takes_text(options)) return input_.load_lines(run_);
    Dataset data = input_.load(run_, card_.takes.stream ? Streaming::if_needed : Streaming::never,
                               weights_.without_column(input_.options()));
    weights_.read_into(data, input_, run_);
    require_second_pass(data);
    return data;
  }

  void require_second_pass(const Dataset& data) const {
    const std::string flag = outputs_.needs_rows();
    if (flag.empty() || !data.is_stream() || data.stream()->rewindable()) return;
    throw usage_error(
        fmt::format("{} needs a second pass over the rows, and a pipe has one; save it to a file first, or "
                    "leave --stream out",
                    flag));
  }

  Model fit_once(const Dataset& data, const OptionMap& options) {
    return run_.timed("fit", [&] { return card_.fit(data, options, run_.execution_beside(data)); });
  }

  /// Data that fit the limit may leave too little room for the work: then the rows are taken as they come.
  Model fit(Dataset& data, const OptionMap& options) {
    try {
      return fit_once(data, options);
    } catch (const OverMemory& error) {
      const bool again = card_.takes.stream && data.is_dense() && !input_.is_pipe() && !input_.is_builtin();
      std::optional<Dataset> stream;
      if (again) stream = input_.open_stream(run_, weights_.without_column(input_.options()));
      if (!stream || run_.memory_limit() == 0) throw with_shares(error, data);
      stream->weights = data.weights;
      data = std::move(*stream);
    }
    try {
      return fit_once(data, options);
    } catch (const OverMemory& error) {
      throw with_shares(error, data);
    }
  }

  /// The library knows what is left of the limit; the user knows what was asked for.
  OverMemory with_shares(const OverMemory& error, const Dataset& data) const {
    const std::uint64_t limit = run_.memory_limit(), taken = own_bytes + data.bytes();
    if (limit <= taken) return error;
    return OverMemory(fmt::format("{} ({} less {} for the program{})", error.what(), show_bytes(limit),
                                  show_bytes(taken), data.is_stream() ? "" : " and the data"));
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
