#include "graph/landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t kLandmarkStream = 0x6c616e64;  // "land"
constexpr Index kRowsPerTask = 4096;

void require_count(Index n, Index count, std::string_view who) {
  if (count >= 1 && count <= n) return;
  throw InvalidOption(who, "landmarks", std::to_string(count), fmt::format("must be between 1 and {}", n),
                      count < 1 ? "raise it" : "there are no more rows; lower it",
                      count < 1 ? ErrorKind::usage : ErrorKind::data);
}

}  // namespace

std::vector<std::int32_t> random_landmarks(Index n, Index count, Seed seed, std::string_view who) {
  require_count(n, count, who);
  std::vector<std::int32_t> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), std::int32_t{0});
  const Random random(seed, kLandmarkStream);
  for (Index i = 0; i < count; ++i)  // the first steps of a shuffle
    std::swap(rows[static_cast<std::size_t>(i)],
              rows[static_cast<std::size_t>(i) +
                   random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(n - i))]);
  rows.resize(static_cast<std::size_t>(count));
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::int32_t> maxmin_landmarks(Index n, Index count, Seed seed, const DistancesFrom& distances_from,
                                           std::string_view who, const Execution& exec) {
  require_count(n, count, who);
  std::vector<double> nearest(static_cast<std::size_t>(n), std::numeric_limits<double>::infinity());
  std::vector<double> distances(static_cast<std::size_t>(n));
  std::vector<std::int32_t> chosen;
  auto next = static_cast<std::size_t>(Random(seed, kLandmarkStream).below(0, static_cast<std::uint64_t>(n)));
  while (std::ssize(chosen) < count) {
    chosen.push_back(static_cast<std::int32_t>(next));
    if (std::ssize(chosen) == count) break;
    distances_from(static_cast<Index>(next), distances.data());
    nearest[next] = -1.0;  // not again, even where all that is left are duplicates
    for (std::size_t j = 0; j < nearest.size(); ++j) nearest[j] = std::min(nearest[j], distances[j]);
    next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    report_progress(exec, "landmarks", std::ssize(chosen), count, "rows");
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

template <class C>
std::vector<std::int32_t> maxmin_landmarks(const MetricRows<C>& points, Index count, Seed seed, std::string_view who,
                                           const Execution& exec) {
  const auto from = [&](Index i, double* out) {
    parallel_for(exec, (points.rows + kRowsPerTask - 1) / kRowsPerTask, [&](Index task) {
      for (Index j = task * kRowsPerTask; j < std::min(points.rows, (task + 1) * kRowsPerTask); ++j)
        out[j] = distance(points, i, points, j);
    });
  };
  return maxmin_landmarks(points.rows, count, seed, from, who, exec);
}

template std::vector<std::int32_t> maxmin_landmarks(const MetricRows<float>&, Index, Seed, std::string_view,
                                                    const Execution&);
template std::vector<std::int32_t> maxmin_landmarks(const MetricRows<double>&, Index, Seed, std::string_view,
                                                    const Execution&);

}  // namespace fewdim
