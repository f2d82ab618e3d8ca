#include "fewdim/rating_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/index.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "fewdim/error.hpp"
#include "methods/completion_fit.hpp"
#include "models/shapes/sparse_check.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kFolds = 0xF01D;  // stream of the numbers that make folds

/// Sums over held-out ratings and lists of one predictor.
struct Sums {
  double squares = 0.0, absolute = 0.0, precision = 0.0, recall = 0.0;
};

enum Predictor { global_mean, item_mean, effects, popularity, method, predictors };
constexpr std::array<const char*, predictors> kNames{"global mean", "item means", "effects alone", "popularity", ""};

/// A held-out part against the rest.
class Fold {
 public:
  Fold(RatingsTable table, const CompletionOptions& o, const Execution& exec) : table_(std::move(table)) {
    const Index most = std::min(table_.rows.rows, table_.rows.cols);
    const CompletionChoice choice = choose_completion(table_, o, exec);
    if (choice.rank < 1 || choice.rank > most)
      throw InvalidOption("complete", "components", o.components.text(), fmt::format("must be between 1 and {}", most),
                          fmt::format("use {}", set_option("components", most)), ErrorKind::data);
    factors_ = fit_factors(table_, o, choice.rank, choice.ridge, exec);
    if (o.kind != CompletionKind::implicit) {
      CompletionOptions plain = o;
      plain.kind = CompletionKind::biased;
      baseline_ = fit_factors(table_, plain, 0, 0.0, exec);
    }
    means_ = Vector<double>::Constant(table_.columns.rows, table_.mean);
    counts_ = Vector<double>::Zero(table_.columns.rows);
    for (Index j = 0; j < means_.size(); ++j) {
      const std::int64_t first = table_.columns.offsets[at(j)], last = table_.columns.offsets[at(j) + 1];
      counts_[j] = static_cast<double>(last - first);
      double sum = 0.0;
      for (std::int64_t e = first; e < last; ++e) sum += table_.columns.values[at(e)];
      if (last > first) means_[j] = sum / counts_[j];
    }
  }

  const RatingsTable& table() const { return table_; }

  double value(Predictor by, Index user, Index item) const {
    switch (by) {
      case global_mean:
        return table_.mean;
      case item_mean:
        return means_[item];
      case popularity:
        return counts_[item];
      case effects:
        return predicted(baseline_, user, item, table_.lowest, table_.highest);
      default:
        return predicted(factors_, user, item, table_.lowest, table_.highest);
    }
  }

  /// For the order of a list: not held in the range, where all the best would be equal.
  double score(Predictor by, Index user, Index item) const {
    if (by != effects && by != method) return value(by, user, item);
    return predicted(by == effects ? baseline_ : factors_, user, item, -INFINITY, INFINITY);
  }

 private:
  RatingsTable table_;
  CompletionFactors factors_, baseline_;
  Vector<double> means_, counts_;
};

struct Tally {
  std::array<Sums, predictors> sums{};
  std::int64_t ratings = 0;
  Index lists = 0, unknown = 0;
  double range = 0.0;
};

bool lists_by(Predictor by) { return by != global_mean; }

/// The `length` best items that the user has not rated, judged by what was held out.
void judge_list(const Fold& fold, Predictor by, Index user, const std::vector<bool>& relevant, double found_at_most,
                Index length, Sums& out) {
  const RatingsTable& table = fold.table();
  std::vector<bool> rated(at(table.rows.cols), false);
  for (std::int64_t e = table.rows.offsets[at(user)]; e < table.rows.offsets[at(user) + 1]; ++e)
    rated[at(table.rows.columns[at(e)])] = true;
  std::vector<std::pair<double, Index>> list;
  for (Index j = 0; j < table.rows.cols; ++j)
    if (!rated[at(j)]) list.emplace_back(-fold.score(by, user, j), j);
  const Index kept = std::min(length, std::ssize(list));
  std::ranges::partial_sort(list, list.begin() + kept);
  double hits = 0.0;
  for (Index i = 0; i < kept; ++i) hits += relevant[at(list[at(i)].second)] ? 1.0 : 0.0;
  out.precision += hits / static_cast<double>(length);
  out.recall += hits / found_at_most;
}

void judge(const Fold& fold, const Csr<double>& held, const RatingTrialOptions& o, Tally& tally,
           const Execution& exec) {
  const RatingsTable& table = fold.table();
  std::vector<Index> users;
  for (Index u = 0; u < held.rows; ++u)
    for (std::int64_t e = held.offsets[at(u)]; e < held.offsets[at(u) + 1]; ++e) {
      const Index item = held.columns[at(e)];
      tally.unknown += table.rows.offsets[at(u)] == table.rows.offsets[at(u) + 1] ||
                               table.columns.offsets[at(item)] == table.columns.offsets[at(item) + 1]
                           ? 1
                           : 0;
      for (const Predictor by : {global_mean, item_mean, effects, method}) {
        const double off = fold.value(by, u, item) - held.values[at(e)];
        tally.sums[by].squares += off * off;
        tally.sums[by].absolute += std::abs(off);
      }
      if (users.empty() || users.back() != u) users.push_back(u);
    }
  tally.ratings += std::ssize(held.values);
  tally.range = std::max(tally.range, table.highest - table.lowest);
  const double relevant_from = std::isnan(o.relevant) ? table.mean : o.relevant;
  if (std::ssize(users) > o.most_users) {  // a fixed draw of them
    const std::vector<Index> drawn = draw_without_replacement(std::ssize(users), o.most_users, o.seed, kFolds + 1);
    std::vector<Index> some;
    for (const Index i : drawn) some.push_back(users[at(i)]);
    users = std::move(some);
  }
  std::vector<std::array<Sums, predictors>> parts(users.size());
  std::vector<int> made(users.size(), 0);
  parallel_for(exec, std::ssize(users), [&](Index i) {
    const Index u = users[at(i)];
    std::vector<bool> relevant(at(held.cols), false);
    double count = 0.0;
    for (std::int64_t e = held.offsets[at(u)]; e < held.offsets[at(u) + 1]; ++e)
      if (held.values[at(e)] >= relevant_from) relevant[at(held.columns[at(e)])] = true, count += 1.0;
    if (count == 0.0) return;
    made[at(i)] = 1;
    for (int by = 0; by < predictors; ++by)
      if (lists_by(static_cast<Predictor>(by)))
        judge_list(fold, static_cast<Predictor>(by), u, relevant, count, o.length, parts[at(i)][at(by)]);
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    tally.lists += made[i];
    for (int by = 0; by < predictors; ++by) {
      tally.sums[at(by)].precision += parts[i][at(by)].precision;
      tally.sums[at(by)].recall += parts[i][at(by)].recall;
    }
  }
}

RatingTrial result_of(const Tally& tally, const CompletionOptions& o, Index fits) {
  RatingTrial out{.fits = fits, .ratings = tally.ratings, .lists = tally.lists, .unknown = tally.unknown};
  const auto n = static_cast<double>(tally.ratings), lists = static_cast<double>(tally.lists);
  const bool implicit = o.kind == CompletionKind::implicit;
  for (int i = 0; i < predictors; ++i) {
    const auto by = static_cast<Predictor>(i);
    if (implicit && by != popularity && by != method) continue;  // its predictions are no counts
    PredictorMeasures row{.name = kNames[at(i)], .rmse = NAN, .mae = NAN, .nmae = NAN, .precision = NAN, .recall = NAN};
    if (by == method) row.name = implicit ? "implicit" : o.kind == CompletionKind::biased ? "biased" : "soft-impute";
    if (by != popularity && !implicit) {
      row.rmse = std::sqrt(tally.sums[at(i)].squares / n);
      row.mae = tally.sums[at(i)].absolute / n;
      row.nmae = tally.range > 0.0 ? row.mae / tally.range : NAN;
    }
    if (lists_by(by) && lists > 0.0) {
      row.precision = tally.sums[at(i)].precision / lists;
      row.recall = tally.sums[at(i)].recall / lists;
    }
    out.predictors.push_back(row);
  }
  return out;
}

Csr<double> entries_of(const Dataset& data, const Execution& exec) {
  require_numbers(data, "complete");
  require_nonempty(data, "complete");
  require_valid_sparse(data, "complete");
  return observed_entries(data, "complete", exec);
}

/// The ratings given as rows and columns of the others; users and items that those do not have come behind them.
Csr<double> aligned(const Dataset& data, const std::vector<RatedPair>& held, Csr<double>& entries) {
  std::unordered_map<std::string, Index> users, items;
  for (Index u = 0; u < data.rows(); ++u)
    users.emplace(data.row_names.empty() ? std::to_string(u + 1) : data.row_names[at(u)], u);
  for (Index j = 0; j < data.cols(); ++j)
    items.emplace(data.column_names.empty() ? std::to_string(j + 1) : data.column_names[at(j)], j);
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows;
  for (const RatedPair& pair : held) {
    if (std::isnan(pair.value))
      throw DataError(
          fmt::format("complete: the rating of '{}' by '{}' that is held out has no value", pair.item, pair.user));
    const Index user = users.emplace(pair.user, std::ssize(users)).first->second,
                item = items.emplace(pair.item, std::ssize(items)).first->second;
    if (std::ssize(rows) <= user) rows.resize(at(user) + 1);
    rows[at(user)].emplace_back(static_cast<std::int32_t>(item), pair.value);
  }
  rows.resize(users.size());
  entries.rows = std::ssize(users);
  entries.cols = std::ssize(items);
  entries.offsets.resize(users.size() + 1, entries.offsets.back());
  Csr<double> out;
  out.rows = entries.rows;
  out.cols = entries.cols;
  for (auto& row : rows) {
    std::ranges::stable_sort(row, {}, &std::pair<std::int32_t, double>::first);
    for (const auto& [item, value] : row) out.columns.push_back(item), out.values.push_back(value);
    out.offsets.push_back(std::ssize(out.columns));
  }
  return out;
}

}  // namespace

RatingTrial try_completion(const Dataset& ratings, const CompletionOptions& options, const RatingTrialOptions& trial,
                           const Execution& exec) {
  const Csr<double> entries = entries_of(ratings, exec);
  if (trial.folds < 2 || trial.folds > std::ssize(entries.values))
    throw InvalidOption("complete", "folds", std::to_string(trial.folds),
                        fmt::format("must be between 2 and the {} ratings", entries.values.size()), "use 5");
  const Random random(trial.seed, kFolds);
  Tally tally;
  for (Index fold = 0; fold < trial.folds; ++fold) {
    Csr<double> kept, held;
    for (Csr<double>* part : {&kept, &held}) part->rows = entries.rows, part->cols = entries.cols;
    for (Index u = 0; u < entries.rows; ++u) {
      for (std::int64_t e = entries.offsets[at(u)]; e < entries.offsets[at(u) + 1]; ++e) {
        const bool out = random.below(static_cast<std::uint64_t>(e), static_cast<std::uint64_t>(trial.folds)) ==
                         static_cast<std::uint64_t>(fold);
        (out ? held : kept).columns.push_back(entries.columns[at(e)]);
        (out ? held : kept).values.push_back(entries.values[at(e)]);
      }
      kept.offsets.push_back(std::ssize(kept.columns));
      held.offsets.push_back(std::ssize(held.columns));
    }
    if (kept.values.empty() || held.values.empty()) continue;
    judge(Fold(make_ratings(std::move(kept), exec), options, exec), held, trial, tally, exec);
  }
  return result_of(tally, options, trial.folds);
}

RatingTrial try_completion(const Dataset& ratings, const std::vector<RatedPair>& held_out,
                           const CompletionOptions& options, const RatingTrialOptions& trial, const Execution& exec) {
  if (held_out.empty()) throw DataError("complete: no rating is held out; there is nothing to judge by");
  Csr<double> entries = entries_of(ratings, exec);
  const Csr<double> held = aligned(ratings, held_out, entries);
  Tally tally;
  judge(Fold(make_ratings(std::move(entries), exec), options, exec), held, trial, tally, exec);
  return result_of(tally, options, 1);
}

}  // namespace fewdim
