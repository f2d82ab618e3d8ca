#include "quality/embedding/neighbors_kept.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/clones.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace fewdim {

namespace {

constexpr Index kExact = 500;      // rows that are all looked at
constexpr Index kRowsAtATime = 4;  // in a task
constexpr std::uint32_t kStream = 0x6b657074;

/// Ties go to the lower row.
struct Nearer {
  const double* d;
  bool operator()(std::int32_t a, std::int32_t b) const { return d[a] != d[b] ? d[a] < d[b] : a < b; }
};

constexpr Index kAtOnce = 32;  // numbers

/// Whether any of so many numbers is below the bound.
FEWDIM_CLONES bool any_below(const double* d, double bound) {
  int below = 0;
  for (Index l = 0; l < kAtOnce; ++l) below += d[l] < bound ? 1 : 0;
  return below > 0;
}

/// The K nearest rows to row i, in no order.
void nearest(const double* d, Index n, Index i, Index k, std::vector<std::int32_t>& out) {
  const Nearer nearer{d};
  out.clear();
  for (Index first = 0; first < n; first += kAtOnce) {
    // Rows come in rising order, so that one at the bound itself loses the tie; and most are beyond it.
    if (std::ssize(out) == k && first + kAtOnce <= n && !any_below(d + first, d[out.front()])) continue;
    for (auto j = static_cast<std::int32_t>(first); j < std::min(n, first + kAtOnce); ++j) {
      if (j == i) continue;
      if (std::ssize(out) < k) {
        out.push_back(j);
        std::ranges::push_heap(out, nearer);
      } else if (nearer(j, out.front())) {
        std::ranges::pop_heap(out, nearer);
        out.back() = j;
        std::ranges::push_heap(out, nearer);
      }
    }
  }
}

/// The rank of row j in `d`, among all but row i; ties go to the lower row. Plain sums: compilers make them wide.
FEWDIM_CLONES Index rank_of(const double* d, Index n, Index i, Index j) {
  const double mine = d[j];
  Index before = 0;
  for (Index l = 0; l < j; ++l) before += d[l] <= mine ? 1 : 0;
  for (Index l = j + 1; l < n; ++l) before += d[l] < mine ? 1 : 0;
  const bool itself = i < j ? d[i] <= mine : d[i] < mine;
  return before + (itself ? 0 : 1);
}

/// Σ (rank − K) in `d` of those rows of `found` that are not among the K nearest there.
double intruders(const double* d, Index n, Index i, const std::vector<std::int32_t>& found,
                 const std::vector<std::int32_t>& true_ones) {
  double sum = 0.0;
  for (const std::int32_t j : found)
    if (std::ranges::find(true_ones, j) == true_ones.end())
      sum += static_cast<double>(rank_of(d, n, i, j) - std::ssize(true_ones));
  return sum;
}

std::pair<double, double> mean_and_error(const std::vector<double>& values, Index n) {
  const auto m = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / m;
  if (std::ssize(values) == n) return {mean, 0.0};
  double square = 0.0;
  for (const double value : values) square += (value - mean) * (value - mean);
  const double deviation = square > 0.0 ? std::sqrt(square / (m - 1.0) / m) : 1.0 / m;
  return {mean, deviation * std::sqrt(1.0 - m / static_cast<double>(n))};
}

}  // namespace

NeighborsKept neighbors_kept(const RowDistances& original, const RowDistances& map, Index neighbors, Index columns,
                             Seed seed, const Execution& exec) {
  const Index n = original.rows();
  NeighborsKept out;
  out.neighbors = std::clamp<Index>(neighbors, 1, std::max<Index>(1, (n - 1) / 2));
  const double numbers = static_cast<double>(n) * static_cast<double>(columns + 20);
  out.sampled = n <= kExact ? n : std::clamp<Index>(static_cast<Index>(1e8 / numbers), 40, 100);
  std::vector<Index> which(static_cast<std::size_t>(n));
  std::iota(which.begin(), which.end(), Index{0});
  if (out.sampled < n) which = draw_without_replacement(n, out.sampled, seed, kStream);
  std::ranges::sort(which);

  const auto k = static_cast<double>(out.neighbors);
  const double scale = 2.0 / (k * (2.0 * static_cast<double>(n) - 3.0 * k - 1.0));
  std::vector<double> trust(which.size()), continuity(which.size());
  parallel_for(exec, (out.sampled + kRowsAtATime - 1) / kRowsAtATime, [&](Index task) {
    std::vector<double> from(static_cast<std::size_t>(n)), to(static_cast<std::size_t>(n));
    std::vector<std::int32_t> near_from, near_to;
    for (Index r = task * kRowsAtATime; r < std::min(out.sampled, (task + 1) * kRowsAtATime); ++r) {
      const auto at = static_cast<std::size_t>(r);
      original.fill_order(&which[at], 1, from.data());
      map.fill_order(&which[at], 1, to.data());
      nearest(from.data(), n, which[at], out.neighbors, near_from);
      nearest(to.data(), n, which[at], out.neighbors, near_to);
      trust[at] = 1.0 - scale * intruders(from.data(), n, which[at], near_to, near_from);
      continuity[at] = 1.0 - scale * intruders(to.data(), n, which[at], near_from, near_to);
    }
  });
  double error = 0.0;
  std::tie(out.trustworthiness, error) = mean_and_error(trust, n);
  std::tie(out.continuity, out.standard_error) = mean_and_error(continuity, n);
  out.standard_error = std::max(error, out.standard_error);
  return out;
}

}  // namespace fewdim
