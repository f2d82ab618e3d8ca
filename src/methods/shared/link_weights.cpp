#include "methods/shared/link_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "graph/parts.hpp"
#include "models/shapes/neighbor.hpp"

namespace fewdim {

namespace {

double median_square(std::vector<double> lengths) {
  const auto middle = lengths.begin() + std::ssize(lengths) / 2;
  std::ranges::nth_element(lengths, middle);
  return *middle * *middle;
}

constexpr Index kRowsPerTask = 1024;

/// Calls use(i) for all vertices, in parallel.
template <class Use>
void over_vertices(const NeighborGraph& graph, const Execution& exec, const Use& use) {
  const Index n = graph.vertices();
  parallel_for(exec, (n + kRowsPerTask - 1) / kRowsPerTask, [&](Index task) {
    for (Index i = task * kRowsPerTask; i < std::min(n, (task + 1) * kRowsPerTask); ++i) use(i);
  });
}

/// Calls use(e, j) for the links of a vertex.
template <class Use>
void over_links(const NeighborGraph& graph, Index i, const Use& use) {
  for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
       e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i) + 1]); ++e)
    use(e, graph.targets[e]);
}

/// Links that weigh nothing beside the sums of their ends hold nothing together. The number of parts without them; with
/// all of them the graph is one.
Index parts_that_hold(const NeighborGraph& graph, const WeightedLinks& links, const Execution& exec) {
  constexpr double kNothing = 1e-16;
  const auto holds = [&](Index i, std::size_t e, std::int32_t j) {
    return links.weights[e] > kNothing * std::sqrt(links.sums[i] * links.sums[j]);
  };
  std::atomic<bool> all = true;
  over_vertices(graph, exec, [&](Index i) {
    bool here = true;
    over_links(graph, i, [&](std::size_t e, std::int32_t j) { here = here && holds(i, e, j); });
    if (!here) all.store(false, std::memory_order_relaxed);
  });
  if (all) return 1;
  Sets sets(graph.vertices());
  for (std::int32_t i = 0; i < graph.vertices(); ++i)
    over_links(graph, i, [&](std::size_t e, std::int32_t j) {
      if (holds(i, e, j)) sets.join(i, j);
    });
  return sets.count();
}

/// A bridge is there to hold two parts together, however far they are apart: it weighs no less than a link whose
/// squared length is the bandwidth.
void hold_by_bridges(const NeighborGraph& graph, WeightedLinks& links) {
  const double least = link_weight(std::sqrt(links.bandwidth), links.bandwidth);
  const auto raise = [&](std::int32_t from, std::int32_t to) {
    over_links(graph, from, [&](std::size_t e, std::int32_t j) {
      if (j != to || links.weights[e] >= least) return;
      links.sums[from] += least - links.weights[e];
      links.weights[e] = least;
    });
  };
  for (const Link& bridge : graph.bridges) raise(bridge.first, bridge.second), raise(bridge.second, bridge.first);
}

}  // namespace

WeightedLinks weigh_links(const NeighborGraph& graph, bool is_graph, LinkWeights weights, double bandwidth,
                          std::string_view who, const Execution& exec) {
  if (weights == LinkWeights::given && !is_graph)
    throw InvalidOption(who, "weights", "given", "means the numbers of a given graph, and the data are no graph",
                        "give " + set_option("graph", true) + " where they are one, or use " +
                            set_option("weights", "heat") + " or " + set_option("weights", "binary"));
  WeightedLinks out;
  out.bandwidth = weights == LinkWeights::given ? -1.0 : 0.0;
  if (weights == LinkWeights::heat) {
    out.bandwidth = bandwidth > 0.0 ? bandwidth : median_square(graph.lengths);
    if (!(out.bandwidth > 0.0))
      throw DataError(
          fmt::format("{}: half of the links or more have length 0, so that the data give no bandwidth; remove "
                      "duplicate rows, give {}, or use {}",
                      who, set_option("bandwidth"), set_option("weights", "binary")));
  }
  out.sums = Vector<double>::Zero(graph.vertices());
  out.weights.resize(graph.lengths.size());
  over_vertices(graph, exec, [&](Index i) {
    double sum = 0.0;
    over_links(graph, i, [&](std::size_t e, std::int32_t) {
      sum += out.weights[e] = link_weight(graph.lengths[e], out.bandwidth);
    });
    out.sums[i] = sum;
  });
  if (out.bandwidth > 0.0) hold_by_bridges(graph, out);
  for (Index i = 0; i < graph.vertices(); ++i)
    if (!(out.sums[i] > 0.0))
      throw DataError(fmt::format("{}: the links of row {} weigh nothing at a bandwidth of {:.4g}; {}, or use {}", who,
                                  i + 1, out.bandwidth, raise_option("bandwidth"), set_option("weights", "binary")));
  require_one_part(parts_that_hold(graph, out, exec) - 1, out.bandwidth, who);
  return out;
}

SparseSymmetric laplacian_matrix(const NeighborGraph& graph, const WeightedLinks& links, const Vector<double>& diagonal,
                                 const Vector<double>& factors, const Execution& exec) {
  SparseSymmetric out;
  const auto n = static_cast<std::size_t>(graph.vertices());
  out.offsets.resize(n + 1);
  for (std::size_t i = 0; i <= n; ++i) out.offsets[i] = graph.offsets[i] + static_cast<std::int64_t>(i);
  out.columns.resize(graph.targets.size() + n);
  out.values.resize(out.columns.size());
  over_vertices(graph, exec, [&](Index i) {
    auto at = static_cast<std::size_t>(out.offsets[static_cast<std::size_t>(i)]);
    bool placed = false;
    const auto place = [&](std::int32_t column, double value) { out.columns[at] = column, out.values[at++] = value; };
    const auto place_diagonal = [&] { place(static_cast<std::int32_t>(i), diagonal[i]), placed = true; };
    over_links(graph, i, [&](std::size_t e, std::int32_t j) {
      if (!placed && j > i) place_diagonal();
      // The product of the two factors first: the same bits for (i, j) and (j, i).
      place(j, -(factors[i] * factors[j]) * links.weights[e]);
    });
    if (!placed) place_diagonal();
  });
  return out;
}

void require_one_part(Index zeros, double bandwidth, std::string_view who) {
  if (zeros == 0) return;
  throw DataError(fmt::format(
      "{}: {} eigenvalues are 0 where a connected graph has one: links between parts weigh next to nothing{}; {}", who,
      zeros + 1, bandwidth > 0.0 ? fmt::format(" at a bandwidth of {:.4g}", bandwidth) : "",
      bandwidth > 0.0 ? raise_option("bandwidth") + ", use " + set_option("weights", "binary") + ", or " +
                            set_option("disconnected", "largest") + " with fewer neighbors"
                      : "give the parts one by one"));
}

}  // namespace fewdim
