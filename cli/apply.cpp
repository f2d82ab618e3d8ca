#include <fmt/format.h>

#include <algorithm>

#include "fewdim/model.hpp"
#include "fit_outputs.hpp"
#include "input.hpp"
#include "tables.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

bool contains_all(const std::vector<std::string>& all, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted,
                             [&](const std::string& name) { return std::ranges::find(all, name) != all.end(); });
}

std::vector<std::string> besides(const std::vector<std::string>& all, const std::vector<std::string>& known) {
  std::vector<std::string> rest;
  for (const std::string& name : all)
    if (std::ranges::find(known, name) == known.end()) rest.push_back(name);
  return rest;
}

/// The library says how many columns there should be; by their names we can say which are too many or missing.
void name_the_difference(const Model& model, const Dataset& data) {
  const auto& wanted = model.head().feature_names;
  if (wanted.empty() || data.column_names.empty() || data.cols() == model.features()) return;
  const std::vector<std::string> extra = besides(data.column_names, wanted),
                                 missing = besides(wanted, data.column_names);
  if (missing.size() == wanted.size()) return;
  const auto first_of = [](const std::vector<std::string>& names) {
    return fmt::format("'{}'{}", names.front(), names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "");
  };
  if (!missing.empty())
    throw DataError(fmt::format("{}: the model has {} features, and the data lack {}", data.source, model.features(),
                                first_of(missing)));
  if (!extra.empty())
    throw DataError(
        fmt::format("{}: the model does not know the column {}; leave it out with --drop, or name it with --label",
                    data.source, first_of(extra)));
}

/// What transform and inverse share: a model, a table, and where the result goes.
class Apply {
 public:
  Apply(const std::string& verb, CLI::App& app, const char* input, const char* input_help, const char* output_help)
      : run_(verb) {
    app.add_option("MODEL", model_, "a model that a method kept with -m")->required()->type_name("FILE");
    input_.declare(app, {.name = input, .help = input_help, .stream = true});
    add_text(app, "-o,--output", output_, "FILE", output_help, "Output");
    add_text(app, "--to", to_, format_names, "format of the result, where the name does not tell [csv]", "Output");
  }
  virtual ~Apply() = default;
  Apply(const Apply&) = delete;
  Apply& operator=(const Apply&) = delete;

  int operator()() {
    if (run_.json() && output_.empty())
      throw usage_error("--json wants standard output; give the result a file with -o");
    Targets targets(run_);
    targets.add_input(input_.name());
    targets.add_input(model_);
    if (!to_.empty()) parse_format(to_, "--to");
    targets.add("--output", output(), Targets::Kind::table, to_);
    add_targets(targets);
    targets.check();
    const Model model = run_.timed("load", [&] { return Model::load(model_); });
    const Dataset data = load(model);
    work(model, data, targets);
    if (run_.json())
      run_.print_document({{"model", model_},
                           {"method", model.method()},
                           {"input", data.source},
                           {"input_hash", data.input_hash()},
                           {"rows", data.rows()},
                           {"features", model.features()},
                           {"components", model.components()},
                           {"outputs", targets.document()}});
    return 0;
  }

 protected:
  virtual void add_targets(Targets&) const {}
  virtual Dataset load(const Model&) { return input_.load(run_, Streaming::if_needed, input_.options()); }
  virtual void work(const Model& model, const Dataset& data, Targets& targets) = 0;

  std::string output() const { return output_.empty() ? "-" : output_; }

  Run run_;
  Input input_;
  std::string model_, output_, to_;
};

class Transform : public Apply {
 public:
  explicit Transform(CLI::App& app)
      : Apply("transform", app, "DATA", "rows to place: a file, or - for standard input",
              "the rows' scores; - is standard output [-]") {
    add_text(app, "--stats", stats_, "FILE", "per row: T2, SPE, and whether they are above the model's limits",
             "Output");
    run_.declare(app);
  }

 private:
  void add_targets(Targets& targets) const override { targets.add("--stats", stats_, Targets::Kind::table); }

  Dataset load(const Model& model) override {
    return model.takes_text() ? input_.load_lines(run_) : Apply::load(model);
  }

  void work(const Model& model, const Dataset& data, Targets& targets) override {
    name_the_difference(model, data);
    const Execution exec = run_.execution_beside(data);
    if (data.is_stream() && !data.stream()->rewindable() && !stats_.empty())
      throw usage_error("--stats needs a second pass over the rows, and a pipe has one; leave --stream out");
    if (data.is_stream()) {
      if (data.cols() != model.features()) model.transform(data, exec);  // says what is wrong
      targets.write(streamed_transform(model, data, exec), output(), to_);
      if (!stats_.empty()) data.stream()->rewind();
    } else {
      const Dataset scores = run_.timed("transform", [&] { return model.transform(data, exec); });
      targets.write(scores, output(), to_);
    }
    if (!stats_.empty())
      targets.write(run_.timed("statistics", [&] { return distance_table(model, data, exec); }), stats_);
  }

  std::string stats_;
};

class Inverse : public Apply {
 public:
  explicit Inverse(CLI::App& app)
      : Apply("inverse", app, "SCORES", "what transform gave: a file, or - for standard input",
              "the rows in the space of the data; - is standard output [-]") {
    run_.declare(app);
  }

 private:
  /// A table of scores may hold the rows' labels beside the components: they are found by the components' names.
  ReadOptions options(const Model& model) {
    ReadOptions options = input_.options();
    const auto& names = model.head().component_names;
    if (input_.is_pipe() || input_.is_builtin() || names.empty() || !options.label.empty() ||
        !options.columns.empty() || !options.drop.empty())
      return options;
    try {
      const std::optional<Dataset> head = input_.open_stream(run_, options);
      if (!head || head->cols() != model.components() + 1 || !contains_all(head->column_names, names)) return options;
      options.label = besides(head->column_names, names).front();
    } catch (const Error&) {  // whatever it is, reading tells it better
    }
    return options;
  }

  Dataset load(const Model& model) override { return input_.load(run_, Streaming::if_needed, options(model)); }

  void work(const Model& model, const Dataset& data, Targets& targets) override {
    const Execution exec = run_.execution_beside(data);
    const bool streamed = data.is_stream() && data.cols() == model.components();
    if (streamed && data.stream()->rewindable()) data.stream()->rewind();
    const Dataset back = streamed ? streamed_inverse(model, data, exec)
                                  : run_.timed("inverse", [&] { return model.inverse_transform(data, exec); });
    targets.write(back, output(), to_);
  }
};

}  // namespace

Verb transform_verb() {
  return {
      "transform",
      "Models",
      "Place rows in the space of a model",
      "The data must have the model's columns, by number and, where both have names, by name.",
      {{"fewdim transform cells.fewdim new.csv > new-scores.csv", "scores of new rows"},
       {"fewdim transform cells.fewdim new.csv -o scores.npy --stats stats.csv", "and how far off the model they are"}},
      [](CLI::App& app) -> Action {
        const auto verb = std::make_shared<Transform>(app);
        return [verb] { return (*verb)(); };
      }};
}

Verb inverse_verb() {
  return {"inverse",
          "Models",
          "Go back from scores to the space of the data",
          "",
          {{"fewdim inverse cells.fewdim new-scores.csv > approximated.csv", "rows as the kept components give them"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Inverse>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
