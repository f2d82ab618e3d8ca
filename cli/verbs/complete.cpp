#include <fmt/format.h>

#include <cmath>

#include "fewdim/completion.hpp"
#include "fewdim/rating_trial.hpp"
#include "fewdim/recommend.hpp"
#include "fewdim/report.hpp"
#include "fit_outputs.hpp"
#include "method_options.hpp"
#include "ratings_input.hpp"
#include "ratings_verbs.hpp"
#include "targets.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* trial_group = "Trial of predictions";

std::string shown(double value, const char* digits = "{:.4f}") {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(digits), value);
}

Json number_or_null(double value) { return std::isnan(value) ? Json(nullptr) : Json(value); }

class Complete {
 public:
  Complete(const MethodCard& card, CLI::App& app) : card_(card), run_(card.name), options_(card.fields) {
    input_.declare(app);
    add_text(app, "-m,--model", model_, "FILE", "the model, for predict, recommend, similar, topics and transform",
             "Output");
    add_text(app, "-o,--output", output_, "FILE", "the table with its gaps filled; - is standard output", "Output");
    add_text(app, "--to", to_, written_format_names(), "format of -o, where the name does not tell", "Output");
    add_text(app, "--users", users_, "FILE", "coordinates of the users", "Output");
    add_text(app, "--items", items_, "FILE", "factors of the items", "Output");
    for (const char* flag : {"--plot", "--scree", "--shepard", "--spectrum", "--right", "--left", "--loadings",
                             "--row-stats", "--column-stats", "--approximate"})
      others_.declare(app, flag);
    options_.declare(app);
    add_text(app, "--folds", folds_, "N", "hold every rating out once, in so many parts, and measure the errors",
             trial_group);
    add_text(app, "--test", test_, "FILE", "measure the errors on these ratings instead", trial_group);
    add_text(app, "--length", length_, "N", "of the lists that precision and recall look at [10]", trial_group);
    add_text(app, "--relevant", relevant_, "X", "ratings from here on are what a list should find [their mean]",
             trial_group);
    run_.declare(app, options_.flags());
  }

  int operator()() {
    OptionMap map = options_.map();
    others_.refuse(card_.name, {"--model", "--output", "--users", "--items"});
    if (!folds_.empty() && !test_.empty()) throw usage_error("give one of --folds and --test");
    if (run_.json() && output_ == "-") throw usage_error("--json wants standard output; give -o a file");
    Targets targets(run_);
    targets.add_input(input_.path());
    targets.add_input(test_);
    targets.add("--model", model_, Targets::Kind::model);
    if (!to_.empty()) parse_target_format(to_);
    targets.add("--output", output_, Targets::Kind::table, to_);
    targets.add("--users", users_, Targets::Kind::table);
    targets.add("--items", items_, Targets::Kind::table);
    targets.check();
    const RatingTrialOptions judged = trial_options(completion_options(map).seed);
    const Dataset data = input_.load(run_);
    if (!output_.empty() && data.is_sparse())
      throw usage_error("-o fills a table; of lines of ratings, predict the pairs that matter with `fewdim predict`");
    const Index most = std::min(data.rows(), data.cols());
    if (!map.contains("components") && most >= 1 && most < completion_options({}).components.count)
      map["components"] = std::to_string(most);
    const Execution exec = run_.execution_beside(data);
    const CompletionOptions options = completion_options(map);
    const Model model = run_.timed("fit", [&] { return card_.fit(data, map, exec); });
    RatingTrial trial;
    if (!folds_.empty()) trial = run_.timed("trial", [&] { return try_completion(data, options, judged, exec); });
    if (!test_.empty()) {
      const std::vector<RatedPair> held = input_.load_pairs(run_, test_);
      trial = run_.timed("trial", [&] { return try_completion(data, held, options, judged, exec); });
    }
    write(model, data, targets, exec);
    tell(model, trial, judged, targets);
    return 0;
  }

 private:
  RatingTrialOptions trial_options(Seed seed) const {
    RatingTrialOptions trial;
    trial.seed = seed;
    if (!folds_.empty()) trial.folds = parse_whole(folds_, "--folds", 2);
    if (!length_.empty()) trial.length = parse_whole(length_, "--length", 1);
    if (!relevant_.empty()) trial.relevant = parse_real(relevant_, "--relevant");
    return trial;
  }

  void write(const Model& model, const Dataset& data, Targets& targets, const Execution& exec) {
    if (!model_.empty())
      targets.write_with(model_, fmt::format("{} components", model.components()),
                         [&] { model.save(model_, run_.force()); });
    if (!output_.empty())
      targets.write(run_.timed("fill", [&] { return complete_rows(model, data, exec); }), output_, to_);
    if (!users_.empty()) {
      Dataset users(
          Matrix<double>(model.has_embedding() ? model.embedding() : model.transform(data, exec).matrix<double>()));
      users.column_names = model.head().component_names;
      users.row_names = data.row_names, users.row_names_header = "user";
      targets.write(users, users_);
    }
    if (!items_.empty()) {
      const LinearModel& shape = model.linear();
      const bool centered = shape.mean.size() > 0;
      Matrix<double> numbers(shape.map.rows(), shape.map.cols() + (centered ? 1 : 0));
      numbers.rightCols(shape.map.cols()) = shape.map;
      Dataset items;
      std::vector<std::string> names = model.head().component_names;
      if (centered) {
        numbers.col(0) = shape.mean;
        names.insert(names.begin(), "mean");
      }
      items = Dataset(std::move(numbers));
      items.column_names = std::move(names);
      items.row_names = model.head().feature_names, items.row_names_header = "item";
      targets.write(items, items_);
    }
  }

  void tell(const Model& model, const RatingTrial& trial, const RatingTrialOptions& judged, const Targets& targets) {
    if (run_.json()) {
      Json document = Json::parse(json_report(model, speak_command_line));
      document["fit_seconds"] = document["seconds"];
      if (trial.fits > 0) document["trial"] = trial_json(trial, judged);
      document["outputs"] = targets.document();
      run_.print_document(std::move(document));
      return;
    }
    run_.say(summary(model, speak_command_line));
    if (trial.fits > 0) run_.say(trial_text(trial, judged));
    if (targets.empty())
      run_.say("\nnothing was kept: -m FILE keeps the model for predict and recommend, -o FILE a filled table");
  }

  Json trial_json(const RatingTrial& trial, const RatingTrialOptions& judged) const {
    Json list = Json::array();
    for (const PredictorMeasures& row : trial.predictors)
      list.push_back({{"name", row.name},
                      {"rmse", number_or_null(row.rmse)},
                      {"mae", number_or_null(row.mae)},
                      {"nmae", number_or_null(row.nmae)},
                      {"precision", number_or_null(row.precision)},
                      {"recall", number_or_null(row.recall)}});
    return {{"kind", test_.empty() ? "folds" : "test"},
            {"fits", trial.fits},
            {"ratings", trial.ratings},
            {"unknown", trial.unknown},
            {"lists", trial.lists},
            {"length", judged.length},
            {"predictors", std::move(list)}};
  }

  std::string trial_text(const RatingTrial& trial, const RatingTrialOptions& judged) const {
    std::string text = fmt::format("\ntrial       {} ratings held out, {}; {} lists of {}\n", show_count(trial.ratings),
                                   test_.empty() ? fmt::format("{} folds", trial.fits) : "as given",
                                   show_count(trial.lists), judged.length);
    if (trial.unknown > 0)
      text += fmt::format("            {} of users or items that the fit had not seen: by effects alone\n",
                          show_count(trial.unknown));
    std::vector<std::vector<std::string>> rows{{"predictor", "RMSE", "MAE", "NMAE", "precision", "recall"}};
    for (const PredictorMeasures& row : trial.predictors)
      rows.push_back(
          {row.name, shown(row.rmse), shown(row.mae), shown(row.nmae), shown(row.precision), shown(row.recall)});
    return text + cli::table(rows);
  }

  const MethodCard& card_;
  Run run_;
  RatingsInput input_;
  OtherOutputs others_;
  MethodOptions options_;
  std::string model_, output_, to_, users_, items_, folds_, test_, length_, relevant_;
};

}  // namespace

Verb ratings_verb(const MethodCard& card) {
  Verb verb = verb_of(card);
  verb.text += " Not to be taken for `completion`, which prints a shell's completion script.";
  verb.declare = [&card](CLI::App& app) -> Action {
    const auto work = std::make_shared<Complete>(card, app);
    return [work] { return (*work)(); };
  };
  return verb;
}

}  // namespace fewdim::cli
