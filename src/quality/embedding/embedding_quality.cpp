#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "features/distance_matrix.hpp"
#include "features/metric.hpp"
#include "fewdim/quality.hpp"
#include "quality/embedding/distance_measures.hpp"
#include "quality/embedding/rank_correlation.hpp"
#include "quality/embedding/rank_measures.hpp"
#include "quality/embedding/row_distances.hpp"
#include "quality/embedding/row_sweep.hpp"
#include "quality/embedding/same_objects.hpp"

namespace fewdim {

namespace {

constexpr const char* kQuality = "quality";
constexpr Index kFewestSampled = 10;

void require_options(const QualityOptions& options, Index rows) {
  const Index most = (rows - 1) / 2;
  if (options.neighbors < 1 || options.neighbors > most)
    throw InvalidOption(kQuality, "neighbors", std::to_string(options.neighbors),
                        fmt::format("must be at least 1 and below half of the {} rows", rows),
                        fmt::format("use {}", set_option("neighbors", std::clamp<Index>(options.neighbors, 1, most))));
  if (options.geodesics < 0 || options.geodesics >= rows)
    throw InvalidOption(kQuality, "geodesics", std::to_string(options.geodesics),
                        fmt::format("must be a number of neighbors below the {} rows, or 0", rows),
                        "use " + set_option("geodesics", 12) + ", as Isomap does");
  if (options.sample != 0 && options.sample != every_row && options.sample < kFewestSampled)
    throw InvalidOption(kQuality, "sample", std::to_string(options.sample),
                        fmt::format("must be at least {}, 0 (automatic) or -1 (every row)", kFewestSampled),
                        "take more rows, for a standard error that can be trusted");
}

/// Nanoseconds a pair of rows takes on one core, about.
double pair_cost(Index cols, Index geodesics) {
  return 50.0 + 0.3 * static_cast<double>(cols) + 10.0 * static_cast<double>(geodesics);
}

Index sample_size(Index rows, double cost, Index asked) {
  if (asked == every_row || asked >= rows) return rows;
  if (asked > 0) return asked;
  constexpr double kExact = 6e9, kSampled = 1.2e10;
  const double row = static_cast<double>(rows) * cost;
  if (row * static_cast<double>(rows) <= kExact) return rows;
  return std::min<Index>(rows, std::clamp<Index>(static_cast<Index>(kSampled / row), 200, 1000));
}

std::vector<Index> rows_to_look_at(Index rows, Index count, Seed seed) {
  std::vector<Index> out(static_cast<std::size_t>(rows));
  if (count < rows)
    out = draw_without_replacement(rows, count, seed, 0);
  else
    std::iota(out.begin(), out.end(), Index{0});
  std::ranges::sort(out);
  return out;
}

/// The mean of what rows say, each a number up to 1, with its standard error: s/√m · √(1 − m/N). Where all say the
/// same, s is 0, but about 3 rows in m may still differ unseen: then s/√m is taken as 1/m.
template <class Of>
std::pair<double, double> mean_over_rows(const std::vector<RankRow>& rows, Index n, Of of) {
  const auto m = static_cast<double>(rows.size());
  double sum = 0.0, square = 0.0;
  for (const RankRow& row : rows) sum += of(row);
  const double mean = sum / m;
  if (std::ssize(rows) == n) return {mean, 0.0};
  for (const RankRow& row : rows) square += (of(row) - mean) * (of(row) - mean);
  const double deviation = square > 0.0 ? std::sqrt(square / (m - 1.0) / m) : 1.0 / m;
  return {mean, deviation * std::sqrt(1.0 - m / static_cast<double>(n))};
}

std::vector<Measure> rank_measures(const std::vector<RankRow>& rows, Index n) {
  std::vector<Measure> out;
  for (const auto& [name, member] :
       {std::pair{"trustworthiness", &RankRow::trustworthiness}, std::pair{"continuity", &RankRow::continuity},
        std::pair{"neighbors_kept", &RankRow::kept}, std::pair{"rnx_area", &RankRow::area}}) {
    const auto [mean, error] = mean_over_rows(rows, n, [member = member](const RankRow& row) { return row.*member; });
    out.push_back({.name = name, .value = mean, .standard_error = error});
  }
  return out;
}

std::vector<CurvePoint> curve_of(const std::vector<RankRow>& rows, const RankMeasures& measures, Index n) {
  std::vector<CurvePoint> out;
  for (std::size_t p = 0; p < measures.ladder().size(); ++p) {
    const Index k = measures.ladder()[p];
    const auto kept = [&](const RankRow& row) { return static_cast<double>(row.within[p]) / static_cast<double>(k); };
    const auto [mean, error] = mean_over_rows(rows, n, kept);
    // R_NX is linear in Q_NX.
    const double slope = static_cast<double>(n - 1) / static_cast<double>(n - 1 - k);
    out.push_back({k, mean, measures.beyond_chance(k, mean), slope * error});
  }
  return out;
}

std::vector<std::string> notes_of(const std::vector<RankRow>& rows) {
  const auto collapsed = std::ranges::count_if(rows, &RankRow::collapsed);
  if (collapsed == 0) return {};
  return {
      fmt::format("{} of {} rows share their place in the embedding with another row, but not in the data; among such "
                  "ties the lower row counts as the nearer",
                  collapsed, rows.size())};
}

}  // namespace

const Measure& QualityReport::operator[](std::string_view name) const {
  const auto found = std::ranges::find(measures, name, &Measure::name);
  if (found == measures.end()) throw Unsupported(fmt::format("{}: there is no measure '{}'", kQuality, name));
  return *found;
}

QualityReport embedding_quality(const Dataset& original, const Dataset& embedding, const QualityOptions& options,
                                const Execution& exec) {
  for (const auto& [data, which] : {std::pair{&original, "data"}, std::pair{&embedding, "embedding"}}) {
    require_nonempty(*data, fmt::format("{}: the {}", kQuality, which));
    if (data->is_stream())
      throw Unsupported(
          fmt::format("{}: needs the rows of the {} in memory, and these arrive as a stream; use a file that "
                      "fits",
                      kQuality, which));
  }
  QualityReport report;
  report.metric = options.metric;
  if (report.metric == Metric::automatic)
    report.metric = looks_like_distances(original, exec) ? Metric::precomputed : Metric::euclidean;
  report.metric_name = enum_text(report.metric);
  const bool given = report.metric == Metric::precomputed;
  const Dataset objects = given ? full_distances(original, kQuality, exec) : original;
  require_same_objects(objects, "data", embedding, "embedding", kQuality);
  if (objects.rows() < 3)
    throw DataError(fmt::format("{}: at least 3 rows are needed, and there are {}", kQuality, objects.rows()));
  const Index n = report.rows = objects.rows();
  require_options(options, n);
  report.neighbors = options.neighbors;
  const double cost = pair_cost((given ? 0 : objects.cols()) + embedding.cols(), options.geodesics);
  report.sampled = sample_size(n, cost, options.sample);

  const std::string data_name = fmt::format("{}: the data", kQuality);
  const auto from = options.geodesics > 0
                        ? geodesic_distances(objects, report.metric, options.geodesics, data_name, exec)
                        : row_distances(objects, report.metric, data_name, exec);
  const auto to = row_distances(embedding, Metric::euclidean, fmt::format("{}: the embedding", kQuality), exec);
  const RankMeasures measures(n, options.neighbors);
  PairSample sample(n, report.sampled, options.seed);
  const RowResults found =
      look_at(rows_to_look_at(n, report.sampled, options.seed), *from, *to, measures, sample, kQuality, exec);
  report.notes = notes_of(found.ranks);
  if (!from->note().empty()) report.notes.push_back(from->note());
  report.curve = curve_of(found.ranks, measures, n);
  report.measures = rank_measures(found.ranks, n);
  std::vector<Measure> distances = distance_measures(found.sums, n, found.shift);
  distances.insert(distances.begin() + 2, sample.spearman());
  for (Measure& measure : distances) report.measures.push_back(std::move(measure));
  return report;
}

Measure trustworthiness(const Dataset& original, const Dataset& embedding, const QualityOptions& options,
                        const Execution& exec) {
  return embedding_quality(original, embedding, options, exec)["trustworthiness"];
}

Measure continuity(const Dataset& original, const Dataset& embedding, const QualityOptions& options,
                   const Execution& exec) {
  return embedding_quality(original, embedding, options, exec)["continuity"];
}

}  // namespace fewdim
