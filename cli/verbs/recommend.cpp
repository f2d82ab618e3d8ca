#include "fewdim/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/ratings_index.hpp"
#include "ratings_input.hpp"
#include "ratings_verbs.hpp"
#include "targets.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* group = "Recommendations";
constexpr const char* model_help = "a model that `fewdim complete` kept with -m";

/// "3 pairs have an unknown user"
std::string counted(Index count, const char* what) {
  return fmt::format("{} {} an unknown {}", show_count(count), count == 1 ? "pair has" : "pairs have", what);
}

class Predict {
 public:
  explicit Predict(CLI::App& app) : run_("predict") {
    app.add_option("MODEL", model_, model_help)->required()->type_name("FILE");
    app.add_option("PAIRS", pairs_, "users and items, a line each; - for standard input")
        ->required()
        ->type_name("FILE");
    columns_.declare(app, false);
    add_text(app, "-o,--output", output_, "FILE", "the predictions; - is standard output [-]", "Output");
    add_text(app, "--to", to_, written_format_names(), "format of the result, where the name does not tell [csv]",
             "Output");
    run_.declare(app);
  }

  int operator()() {
    if (run_.json() && output_.empty())
      throw usage_error("--json wants standard output; give the result a file with -o");
    Targets targets(run_);
    targets.add_input(pairs_);
    targets.add_input(model_);
    if (!to_.empty()) parse_target_format(to_);
    const std::string output = output_.empty() ? "-" : output_;
    targets.add("--output", output, Targets::Kind::table, to_);
    targets.check();
    const Model model = run_.timed("load", [&] { return Model::load(model_); });
    model.ratings();
    const std::vector<RatedPair> pairs =
        run_.timed("read", [&] { return read_rated_pairs(pairs_, columns_.options(), run_.execution()); });
    const Predictions found = run_.timed("predict", [&] { return predict(model, pairs); });
    targets.write_list(as_table(pairs, found), output, to_);
    if (found.unknown_users > 0)
      run_.say(counted(found.unknown_users, "user") + ": they get what the item has, without the user");
    if (found.unknown_items > 0)
      run_.say(counted(found.unknown_items, "item") + ": they get the mean and the user's effect");
    const auto [off, rated] = error_of(pairs, found);
    if (rated > 0)
      run_.say(fmt::format("root mean squared error of the {} that have a value: {:.4f}", show_count(rated), off));
    if (run_.json()) {
      Json document{{"model", model_},
                    {"pairs", pairs.size()},
                    {"unknown_users", found.unknown_users},
                    {"unknown_items", found.unknown_items}};
      if (rated > 0) document["rmse"] = off;
      document["outputs"] = targets.document();
      run_.print_document(std::move(document));
    }
    return 0;
  }

 private:
  static Dataset as_table(const std::vector<RatedPair>& pairs, const Predictions& found) {
    Matrix<double> numbers(std::ssize(pairs), 3);
    Dataset names;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const PredictedBy by = found.by[i];
      numbers.row(static_cast<Index>(i)) << found.values[static_cast<Index>(i)],
          (by == PredictedBy::both || by == PredictedBy::user_alone ? 1.0 : 0.0),
          (by == PredictedBy::both || by == PredictedBy::item_alone ? 1.0 : 0.0);
      names.row_names.push_back(pairs[i].user);
      names.labels.push_back(pairs[i].item);
    }
    Dataset out(std::move(numbers));
    out.row_names = std::move(names.row_names), out.row_names_header = "user";
    out.labels = std::move(names.labels), out.label_name = "item";
    out.column_names = {"prediction", "known_user", "known_item"};
    return out;
  }

  static std::pair<double, Index> error_of(const std::vector<RatedPair>& pairs, const Predictions& found) {
    double sum = 0.0;
    Index rated = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (std::isnan(pairs[i].value)) continue;
      const double off = found.values[static_cast<Index>(i)] - pairs[i].value;
      sum += off * off;
      ++rated;
    }
    return {rated > 0 ? std::sqrt(sum / static_cast<double>(rated)) : 0.0, rated};
  }

  Run run_;
  RatingsColumns columns_;
  std::string model_, pairs_, output_, to_;
};

class Recommend {
 public:
  explicit Recommend(CLI::App& app) : run_("recommend") {
    app.add_option("MODEL", model_, model_help)->required()->type_name("FILE");
    add_text(app, "--user", user_, "NAME", "a user of the model", group);
    add_text(app, "--ratings", ratings_, "FILE", "a new user, by some ratings: item,value a line; - is standard input",
             group);
    add_text(app, "-n,--count", count_, "N", "items to show [10]", group);
    add_switch(app, "--with-seen", with_seen_, "those that the user has rated, too", group);
    run_.declare(app);
  }

  int operator()() {
    if (user_.empty() == ratings_.empty()) throw usage_error("give --user NAME or --ratings FILE, and not both");
    const Index count = count_.empty() ? 10 : parse_whole(count_, "--count", 1);
    const Model model = run_.timed("load", [&] { return Model::load(model_); });
    model.ratings();
    Vector<double> place;
    std::vector<std::int32_t> seen;
    if (!user_.empty()) {
      const Index user = require_user(model, user_);
      place = user_place(model, user);
      seen = rated_by(model, user);
    } else {
      const std::vector<std::pair<Index, double>> ratings = own_ratings(model);
      place = run_.timed("fold-in", [&] { return fold_in(model, ratings); });
      for (const auto& [item, value] : ratings) seen.push_back(static_cast<std::int32_t>(item));
    }
    const std::vector<Recommendation> found = run_.timed(
        "recommend", [&] { return recommend(model, place, count, with_seen_ ? std::vector<std::int32_t>{} : seen); });
    const bool implicit = model.linear().row_fit == RowFit::implicit;
    if (run_.json()) {
      Json list = Json::array();
      for (std::size_t i = 0; i < found.size(); ++i)
        list.push_back(
            {{"rank", i + 1}, {"item", found[i].name}, {implicit ? "preference" : "prediction", found[i].value}});
      run_.print_document(
          {{"user", user_.empty() ? Json(nullptr) : Json(user_)}, {"rated", seen.size()}, {"items", std::move(list)}});
      return 0;
    }
    std::vector<std::vector<std::string>> rows{{"rank", implicit ? "preference" : "prediction", "item"}};
    for (std::size_t i = 0; i < found.size(); ++i)
      rows.push_back({std::to_string(i + 1), fmt::format("{:.3f}", found[i].value), printable(found[i].name)});
    print(table(rows));
    if (found.empty()) run_.say("the user has rated every item; --with-seen shows those, too");
    return 0;
  }

 private:
  /// item,value lines; those of unknown items are counted.
  std::vector<std::pair<Index, double>> own_ratings(const Model& model) {
    // Read as pairs whose "user" is the item and whose "item" is the value.
    RatingsOptions how;
    how.value_column = "none";
    std::vector<std::pair<Index, double>> out;
    std::vector<std::string> unknown;
    const std::vector<RatedPair> lines = read_rated_pairs(ratings_, how, run_.execution());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& text = lines[i].item;
      double value = 0.0;
      try {
        value = parse_real(text, "the value");
      } catch (const Error&) {
        if (i == 0) continue;  // a header
        throw DataError(fmt::format("{}: rating {} ('{}'): the value should be a number, found '{}'", ratings_, i + 1,
                                    printable(lines[i].user), printable(text)));
      }
      const Index item = find_item(model, lines[i].user);
      if (item < 0) {
        unknown.push_back(lines[i].user);
        continue;
      }
      if (std::ranges::find(out, item, &std::pair<Index, double>::first) != out.end())
        throw DataError(fmt::format("{}: item '{}' is rated twice; leave one out", ratings_, printable(lines[i].user)));
      out.emplace_back(item, value);
    }
    if (!unknown.empty())
      run_.say(fmt::format("{} of the items are not the model's, '{}' first: they count for nothing",
                           show_count(std::ssize(unknown)), printable(unknown.front())));
    if (out.empty()) throw DataError(fmt::format("{}: none of its items is one of the model's", ratings_));
    return out;
  }

  Run run_;
  std::string model_, user_, ratings_, count_;
  bool with_seen_ = false;
};

template <class V>
Action action_of(CLI::App& app) {
  const auto verb = std::make_shared<V>(app);
  return [verb] { return (*verb)(); };
}

}  // namespace

Verb predict_verb() {
  return {.name = "predict",
          .group = "Ratings",
          .title = "Predict ratings of pairs of users and items",
          .text =
              "A pair with an unknown user gets what its item has alone, one with an unknown item the user's effect; "
              "the columns known_user and known_item say which.",
          .examples = {{"fewdim predict ratings.fewdim pairs.csv > predicted.csv", "user,item a line"}},
          .declare = action_of<Predict>};
}

Verb recommend_verb() {
  return {.name = "recommend",
          .group = "Ratings",
          .title = "Recommend items to a user",
          .text =
              "Those with the highest predictions that the user has not rated. A new user is placed by a few "
              "ratings, as those of the fit were.",
          .examples = {{"fewdim recommend ratings.fewdim --user 42 -n 10", "a user of the model"},
                       {"fewdim recommend ratings.fewdim --ratings mine.csv", "a new one: item,value a line"}},
          .declare = action_of<Recommend>};
}

}  // namespace fewdim::cli
