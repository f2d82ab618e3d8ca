#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "graph/neighbor_graph.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/smallest.hpp"
#include "solvers/unfolding/routes.hpp"

namespace fewdim {

namespace {

constexpr Index kDense = 1500;

SparseSymmetric scaled_stress(const LinkNetwork& network, const Vector<double>& s) {
  SparseSymmetric out;
  std::vector<std::pair<std::int32_t, double>> row;
  for (Index i = 0; i < network.vertices(); ++i) {
    row.clear();
    double sum = 0.0;
    for (auto at = static_cast<std::size_t>(network.offsets[static_cast<std::size_t>(i)]);
         at < static_cast<std::size_t>(network.offsets[static_cast<std::size_t>(i) + 1]); ++at) {
      const std::int32_t j = network.targets[at];
      const double stress = s[network.link[at]];
      sum += stress;
      row.emplace_back(j, -stress / std::sqrt(network.weights[i] * network.weights[j]));
    }
    row.emplace_back(static_cast<std::int32_t>(i), sum / network.weights[i]);
    std::ranges::sort(row);
    for (const auto& [column, value] : row) {
      out.columns.push_back(column);
      out.values.push_back(value);
    }
    out.offsets.push_back(std::ssize(out.columns));
  }
  return out;
}

}  // namespace

double lowest_stress(const LinkNetwork& network, const Vector<double>& stresses, std::string_view who,
                     const Execution& exec) {
  const Index n = network.vertices();
  const SparseSymmetric matrix = scaled_stress(network, stresses);
  Matrix<double> null(n, 1);
  for (Index i = 0; i < n; ++i) null(i, 0) = std::sqrt(network.weights[i] / network.total);
  const double norm = matrix.norm_bound();
  bool below = false;
  for (Index e = 0; e < stresses.size(); ++e) below = below || stresses[e] < 0.0;
  if (n <= kDense || (below && n <= 4 * kDense)) {
    Matrix<double> dense = matrix.dense();
    dense += norm * null * null.transpose();  // the null vector goes to the top
    const Vector<double> values = eigenvalues_symmetric(dense);
    return values[n - 1] - 1e-15 * static_cast<double>(n) * norm;
  }
  if (below) return -INFINITY;  // not semidefinite by its form, and too large to look at in full
  SmallestProblem problem{.who = std::string(who), .count = std::min<Index>(4, n - 1), .tolerance = 1e-4};
  problem.null_space = std::move(null);
  const SmallestPairs pairs = smallest_pairs(matrix, problem, exec);
  return pairs.values[0] - pairs.certificate.value_bounds[0] * pairs.norm;
}

double stress_bound(const LinkNetwork& network, const Vector<double>& stresses, double lowest) {
  if (!(lowest > 0.0)) return INFINITY;
  double sum = 0.0;
  for (Index e = 0; e < network.links(); ++e) sum += stresses[e] * network.squares[e];
  return sum / lowest;
}

void require_no_shortcut(Index vertices, const std::vector<Link>& links, std::string_view who) {
  constexpr double kRounding = 1e-6;
  const NeighborGraph graph = graph_of(vertices, links);
  std::vector<double> distance(static_cast<std::size_t>(vertices), INFINITY);
  std::vector<std::int32_t> touched, before(static_cast<std::size_t>(vertices));
  using Entry = std::pair<double, std::int32_t>;
  for (std::int32_t source = 0; source < vertices; ++source) {
    const auto from = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(source)]);
    const auto to = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(source) + 1]);
    const double reach = from < to ? *std::max_element(graph.lengths.begin() + static_cast<std::ptrdiff_t>(from),
                                                       graph.lengths.begin() + static_cast<std::ptrdiff_t>(to))
                                   : 0.0;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.emplace(0.0, source);
    distance[static_cast<std::size_t>(source)] = 0.0;
    touched.assign(1, source);
    while (!queue.empty()) {
      const auto [length, v] = queue.top();
      queue.pop();
      if (length > distance[static_cast<std::size_t>(v)]) continue;
      for (auto at = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v)]);
           at < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v) + 1]); ++at) {
        const double next = length + graph.lengths[at];
        const auto target = static_cast<std::size_t>(graph.targets[at]);
        if (next > reach || next >= distance[target]) continue;
        if (distance[target] == INFINITY) touched.push_back(graph.targets[at]);
        distance[target] = next;
        before[target] = v;
        queue.emplace(next, graph.targets[at]);
      }
    }
    for (std::size_t at = from; at < to; ++at) {
      const auto target = static_cast<std::size_t>(graph.targets[at]);
      if (distance[target] < (1.0 - kRounding) * graph.lengths[at])
        throw DataError(
            fmt::format("{}: objects {} and {} are {:.6g} apart, but only {:.6g} by way of object {}: no points have "
                        "these distances; use {}, which lets them shrink",
                        who, source + 1, target + 1, graph.lengths[at], distance[target], before[target] + 1,
                        set_option("form", "inequality")));
    }
    for (const std::int32_t v : touched) distance[static_cast<std::size_t>(v)] = INFINITY;
  }
}

}  // namespace fewdim
