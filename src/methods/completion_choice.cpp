#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "methods/completion_fit.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kHoldOutStream = 0xC0DE;  // of the numbers that hold entries out
constexpr Index kMostUsers = 2000;                // whose items are ranked
constexpr std::int64_t kFewest = 1000;            // entries; a tenth of fewer tells ridges apart by chance
constexpr double kUsualRidge = 0.12;

double root_mean_square(const CompletionFactors& f, const RatingsTable& table, const Csr<double>& held) {
  double sum = 0.0;
  for (Index u = 0; u < held.rows; ++u)
    for (std::int64_t e = held.offsets[static_cast<std::size_t>(u)]; e < held.offsets[static_cast<std::size_t>(u) + 1];
         ++e) {
      const auto at = static_cast<std::size_t>(e);
      const double off = predicted(f, u, held.columns[at], table.lowest, table.highest) - held.values[at];
      sum += off * off;
    }
  return std::sqrt(sum / static_cast<double>(held.values.size()));
}

/// Hu, Koren & Volinsky's expected percentile: where in the list of items, by falling prediction, those held out are.
double mean_percentile(const CompletionFactors& f, const Csr<double>& held, const Execution& exec) {
  std::vector<Index> users;
  for (Index u = 0; u < held.rows && std::ssize(users) < kMostUsers; ++u)
    if (held.offsets[static_cast<std::size_t>(u)] < held.offsets[static_cast<std::size_t>(u) + 1]) users.push_back(u);
  std::vector<std::pair<double, double>> parts(users.size());
  parallel_for(exec, std::ssize(users), [&](Index i) {
    const Index u = users[static_cast<std::size_t>(i)];
    const Vector<double> scores = f.map * f.places.col(u);
    auto& [sum, weight] = parts[static_cast<std::size_t>(i)];
    for (std::int64_t e = held.offsets[static_cast<std::size_t>(u)]; e < held.offsets[static_cast<std::size_t>(u) + 1];
         ++e) {
      const auto at = static_cast<std::size_t>(e);
      Index above = 0;
      for (Index j = 0; j < scores.size(); ++j) above += scores[j] > scores[held.columns[at]] ? 1 : 0;
      sum += held.values[at] * static_cast<double>(above) / static_cast<double>(scores.size());
      weight += held.values[at];
    }
  });
  double sum = 0.0, weight = 0.0;
  for (const auto& [part, count] : parts) sum += part, weight += count;
  return weight > 0.0 ? sum / weight : 1.0;
}

}  // namespace

std::pair<Csr<double>, Csr<double>> hold_out(const Csr<double>& entries, double share, Seed seed) {
  const Random random(seed, kHoldOutStream);
  std::pair<Csr<double>, Csr<double>> out;
  for (Csr<double>* part : {&out.first, &out.second}) part->rows = entries.rows, part->cols = entries.cols;
  for (Index u = 0; u < entries.rows; ++u) {
    for (std::int64_t e = entries.offsets[static_cast<std::size_t>(u)];
         e < entries.offsets[static_cast<std::size_t>(u) + 1]; ++e) {
      Csr<double>& part = random.uniform(static_cast<std::uint64_t>(e)) < share ? out.second : out.first;
      part.columns.push_back(entries.columns[static_cast<std::size_t>(e)]);
      part.values.push_back(entries.values[static_cast<std::size_t>(e)]);
    }
    out.first.offsets.push_back(std::ssize(out.first.columns));
    out.second.offsets.push_back(std::ssize(out.second.columns));
  }
  return out;
}

namespace {

/// What ridges that are not multiplied by counts are multiplied by instead, to weigh about as much: a user has
/// entries/users of them on average and an item entries/items. Factors can be made longer on one side and shorter on
/// the other without changing a prediction, so that the product of both counts is what matters.
double usual_count(const RatingsTable& table, const CompletionOptions& o) {
  if (o.ridge_by_count || o.kind == CompletionKind::soft_impute) return 1.0;
  return static_cast<double>(table.entries()) /
         std::sqrt(static_cast<double>(table.rows.rows) * static_cast<double>(table.rows.cols));
}

/// Ridges to try, falling. Without counts users of many entries and of few share one, and the best may be farther off.
std::vector<double> ridges_to_try(double count, bool by_count) {
  std::vector<double> out;
  for (double at = by_count ? 0.4 : 1.6; at > 0.012; at /= 2.0) out.push_back(at * count);
  return out;
}

std::vector<CompletionTrial> try_choices(const Csr<double>& entries, const CompletionOptions& asked, Index most,
                                         const Execution& exec) {
  CompletionOptions o = asked;
  o.tolerance = std::max(o.tolerance, 5e-3);  // to tell choices apart
  auto [kept, held] = hold_out(entries, o.held_out, o.seed);
  if (held.values.empty() || kept.values.empty())
    throw DataError(fmt::format("complete: {} entries are too few to hold some out; give {} and {} as numbers",
                                entries.values.size(), set_option("components"), set_option("ridge")));
  const RatingsTable table = make_ratings(std::move(kept), exec);
  const bool any_rank = o.components.kind != Components::Kind::count, any_ridge = std::isnan(o.ridge);
  std::vector<CompletionTrial> trials;
  const auto judged = [&](const CompletionFactors& f) {
    return o.kind == CompletionKind::implicit ? mean_percentile(f, held, exec) : root_mean_square(f, table, held);
  };
  if (o.kind == CompletionKind::soft_impute) {  // the threshold sets the rank: one path
    const Index rank = any_rank ? std::min<Index>(most, 50) : o.components.count;
    std::vector<double> ridges;
    if (any_ridge)
      for (double at = 0.5; at > 0.004; at *= 0.7) ridges.push_back(at);
    else
      ridges.push_back(o.ridge);
    double best = INFINITY;
    std::size_t next = 0;
    soft_impute_path(table, o, rank, ridges, exec, [&](const CompletionFactors& f) {
      trials.push_back({std::max<Index>(f.map.cols(), 1), ridges[next++], judged(f)});
      best = std::min(best, trials.back().error);
      return trials.back().error <= 1.02 * best;  // well past the best there is nothing to find
    });
    return trials;
  }
  const auto try_one = [&](Index rank, double ridge) {
    trials.push_back({rank, ridge, judged(fit_factors(table, o, rank, ridge, exec))});
    return trials.back().error;
  };
  const Index first_rank = any_rank ? std::min<Index>(most, 10) : o.components.count;
  double ridge = o.ridge;
  if (any_ridge) {
    double best = INFINITY;
    for (const double at : ridges_to_try(usual_count(table, o), o.ridge_by_count)) {
      const double error = try_one(first_rank, at);
      if (error < best) best = error, ridge = at;
      if (error > 1.01 * best) break;
    }
    const double middle = ridge;
    for (const double at : {middle * std::numbers::sqrt2, middle / std::numbers::sqrt2})
      if (const double error = try_one(first_rank, at); error < best) best = error, ridge = at;
  } else {
    try_one(first_rank, ridge);
  }
  if (!any_rank) return trials;
  double best = INFINITY;
  for (const CompletionTrial& trial : trials) best = std::min(best, trial.error);
  for (const Index rank : {20, 40, 80}) {
    if (rank > most) break;
    const double error = try_one(rank, ridge);
    if (!(error < best * (1.0 - 1e-4))) break;
    best = error;
  }
  if (first_rank > 5 && std::ranges::min(trials, {}, &CompletionTrial::error).components == first_rank)
    try_one(5, ridge);
  return trials;
}

}  // namespace

CompletionChoice choose_completion(const RatingsTable& table, const CompletionOptions& o, const Execution& exec) {
  const Index most = std::min(table.rows.rows, table.rows.cols);
  const bool any_rank = o.components.kind != Components::Kind::count;
  CompletionChoice out{.rank = any_rank ? 0 : o.components.count, .ridge = o.ridge};
  if (!any_rank && std::isnan(o.ridge) && table.entries() < kFewest) out.ridge = kUsualRidge * usual_count(table, o);
  if (!any_rank && !std::isnan(out.ridge)) return out;
  out.trials = try_choices(table.rows, o, most, exec);
  const CompletionTrial& best = std::ranges::min(out.trials, {}, &CompletionTrial::error);
  if (any_rank) out.rank = o.kind == CompletionKind::soft_impute ? std::min<Index>(most, 50) : best.components;
  out.ridge = best.ridge;
  return out;
}

}  // namespace fewdim
