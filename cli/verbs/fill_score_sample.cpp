#include <fmt/format.h>

#include "fewdim/gaussian.hpp"
#include "model_rows.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// Words and names of a table that has the rows of another.
Dataset like(Dataset table, const Dataset& rows, std::vector<std::string> columns) {
  table.row_names = rows.row_names;
  table.row_names_header = rows.row_names_header;
  table.labels = rows.labels;
  table.label_name = rows.label_name;
  table.column_names = std::move(columns);
  return table;
}

constexpr const char* noisy_model = "a model of ppca, factor-analysis, or pca --missing em";

/// What a model with a noise tells of rows.
class Rows : public ModelRows {
 public:
  Rows(CLI::App& app, const char* verb, const char* output)
      : ModelRows(app, {.verb = verb,
                        .model = noisy_model,
                        .input = {.name = "DATA", .help = "rows: a file, or - for standard input"},
                        .output = output}) {}

 private:
  Dataset load(const Model& model) override {
    return input_.load_columns(run_, Streaming::never, input_.options(), model.head().feature_names);
  }
};

class Fill : public Rows {
 public:
  explicit Fill(CLI::App& app) : Rows(app, "fill", "the rows, complete; - is standard output [-]") {
    add_text(app, "--errors", errors_, "FILE", "the standard error of each filled value, 0 where it was there",
             "Output");
    run_.declare(app);
  }

 private:
  void add_targets(Targets& targets) const override { targets.add("--errors", errors_, Targets::Kind::table); }

  Json work(const Model& model, const Dataset& data, Targets& targets) override {
    Filled filled = run_.timed("fill", [&] { return fill_missing(model, data, run_.execution_beside(data)); });
    targets.write(filled.rows, output(), to_);
    if (!errors_.empty()) targets.write(like(Dataset(std::move(filled.errors)), data, data.column_names), errors_);
    run_.say(fmt::format(
        "filled {} of {} values{}", filled.missing, data.rows() * data.cols(),
        filled.empty_rows > 0 ? fmt::format("; {} rows had none, and are the mean now", filled.empty_rows) : ""));
    return {{"values", data.rows() * data.cols()}, {"filled", filled.missing}, {"empty_rows", filled.empty_rows}};
  }

  std::string errors_;
};

class Score : public Rows {
 public:
  explicit Score(CLI::App& app) : Rows(app, "score", "a number for each row; - is standard output [-]") {
    add_text(app, "--posterior", posterior_, "FILE", "mean and standard deviation of each component, given the row",
             "Output");
    run_.declare(app);
  }

 private:
  void add_targets(Targets& targets) const override { targets.add("--posterior", posterior_, Targets::Kind::table); }

  Json work(const Model& model, const Dataset& data, Targets& targets) override {
    const Execution exec = run_.execution_beside(data);
    const Vector<double> logs = run_.timed("score", [&] { return log_likelihoods(model, data, exec); });
    double sum = 0.0;
    for (Index i = 0; i < logs.size(); ++i) sum += logs[i];
    if (!posterior_.empty()) {
      const Matrix<double> means = model.transform(data, exec).matrix<double>(),
                           deviations = posterior_deviations(model, data, exec);
      Matrix<double> both(means.rows(), 2 * means.cols());
      std::vector<std::string> names;
      for (Index c = 0; c < means.cols(); ++c) {
        both.col(2 * c) = means.col(c);
        both.col(2 * c + 1) = deviations.col(c);
        const std::string name = model.head().component_names[static_cast<std::size_t>(c)];
        names.insert(names.end(), {name, name + "_sd"});
      }
      targets.write(like(Dataset(std::move(both)), data, std::move(names)), posterior_);
    }
    targets.write(like(Dataset(Matrix<double>(logs)), data, {"log_likelihood"}), output(), to_);
    run_.say(fmt::format("log-likelihood {:.6g}, {:.6g} a row", sum,
                         sum / static_cast<double>(std::max<Index>(logs.size(), 1))));
    return {{"log_likelihood", sum}, {"per_row", sum / static_cast<double>(std::max<Index>(logs.size(), 1))}};
  }

  std::string posterior_;
};

class Sample {
 public:
  explicit Sample(CLI::App& app) : run_("sample") {
    app.add_option("MODEL", model_, noisy_model)->required()->type_name("FILE");
    add_text(app, "-n,--rows", rows_, "N", "rows to draw [100]", "Rows");
    add_text(app, "-o,--output", output_, "FILE", "the rows; - is standard output [-]", "Output");
    add_text(app, "--to", to_, written_format_names(), "format of the rows, where the name does not tell [csv]",
             "Output");
    run_.declare(app);
  }

  int operator()() {
    if (run_.json() && output_.empty())
      throw usage_error("--json wants standard output; give the result a file with -o");
    const Index rows = rows_.empty() ? 100 : parse_whole(rows_, "--rows", 1);
    const Seed seed = run_.seed().empty() ? 0 : parse_seed(run_.seed());
    Targets targets(run_);
    targets.add_input(model_);
    if (!to_.empty()) parse_target_format(to_);
    const std::string output = output_.empty() ? "-" : output_;
    targets.add("--output", output, Targets::Kind::table, to_);
    targets.check();
    const Model model = run_.timed("load", [&] { return Model::load(model_); });
    targets.write(run_.timed("sample", [&] { return sample(model, rows, seed, run_.execution()); }), output, to_);
    if (run_.json())
      run_.print_document({{"model", model_}, {"rows", rows}, {"seed", seed}, {"outputs", targets.document()}});
    return 0;
  }

 private:
  Run run_;
  std::string model_, rows_, output_, to_;
};

template <class V>
Action action_of(CLI::App& app) {
  const auto verb = std::make_shared<V>(app);
  return [verb] { return (*verb)(); };
}

}  // namespace

Verb fill_verb() {
  return {"fill",
          "Models",
          "Fill in missing values, with their standard errors",
          "Each missing value becomes its expectation given the others of its row. What is there stays as it is.",
          {{"fewdim pca table.csv --missing em -k 3 -m table.fewdim", "fit to what is there"},
           {"fewdim fill table.fewdim table.csv -o filled.csv --errors errors.csv", "fill in the rest"}},
          action_of<Fill>};
}

Verb score_verb() {
  return {"score",
          "Models",
          "Say how likely rows are under a model with a noise",
          "The logarithm of the density of each row's values; those that are missing take no part.",
          {{"fewdim score table.fewdim new.csv > scores.csv", "low ones are unlike the rows of the fit"}},
          action_of<Score>};
}

Verb sample_verb() {
  return {"sample",
          "Models",
          "Draw rows from a model with a noise",
          "",
          {{"fewdim sample table.fewdim -n 1000 > rows.csv", "a thousand rows"}},
          action_of<Sample>};
}

}  // namespace fewdim::cli
