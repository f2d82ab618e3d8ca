#include "methods/link_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fewdim/error.hpp"
#include "graph/parts.hpp"
#include "models/neighbor.hpp"

namespace fewdim {

namespace {

double median_square(std::vector<double> lengths) {
  const auto middle = lengths.begin() + std::ssize(lengths) / 2;
  std::ranges::nth_element(lengths, middle);
  return *middle * *middle;
}

/// Links that weigh nothing beside the sums of their ends hold nothing together. The number of parts without them.
Index parts_that_hold(const NeighborGraph& graph, const WeightedLinks& links) {
  constexpr double kNothing = 1e-16;
  Sets sets(graph.vertices());
  for (std::int32_t i = 0; i < graph.vertices(); ++i)
    for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i) + 1]); ++e)
      if (links.weights[e] > kNothing * std::sqrt(links.sums[i] * links.sums[graph.targets[e]]))
        sets.join(i, graph.targets[e]);
  return sets.count();
}

}  // namespace

WeightedLinks weigh_links(const NeighborGraph& graph, bool is_graph, LinkWeights weights, double bandwidth,
                          std::string_view who) {
  if (weights == LinkWeights::given && !is_graph)
    throw InvalidOption(who, "weights", "given", "means the numbers of a given graph, and the data are no graph",
                        "add --graph, or use heat or binary");
  WeightedLinks out;
  out.bandwidth = weights == LinkWeights::given ? -1.0 : 0.0;
  if (weights == LinkWeights::heat) {
    out.bandwidth = bandwidth > 0.0 ? bandwidth : median_square(graph.lengths);
    if (!(out.bandwidth > 0.0))
      throw DataError(
          fmt::format("{}: half of the links or more have length 0, so that the data give no bandwidth; remove "
                      "duplicate rows, set --bandwidth, or use --weights binary",
                      who));
  }
  out.sums = Vector<double>::Zero(graph.vertices());
  out.weights.resize(graph.lengths.size());
  for (Index i = 0; i < graph.vertices(); ++i) {
    for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i) + 1]); ++e)
      out.sums[i] += out.weights[e] = link_weight(graph.lengths[e], out.bandwidth);
    if (!(out.sums[i] > 0.0))
      throw DataError(
          fmt::format("{}: the links of row {} weigh nothing at a bandwidth of {:.4g}; raise --bandwidth, or "
                      "use --weights binary",
                      who, i + 1, out.bandwidth));
  }
  require_one_part(parts_that_hold(graph, out) - 1, out.bandwidth, who);
  return out;
}

SparseSymmetric laplacian_matrix(const NeighborGraph& graph, const WeightedLinks& links, const Vector<double>& diagonal,
                                 const Vector<double>& factors) {
  SparseSymmetric out;
  const auto entries = graph.targets.size() + static_cast<std::size_t>(graph.vertices());
  out.columns.reserve(entries);
  out.values.reserve(entries);
  out.offsets.reserve(graph.offsets.size());
  for (Index i = 0; i < graph.vertices(); ++i) {
    bool placed = false;
    const auto place = [&] {
      out.columns.push_back(static_cast<std::int32_t>(i));
      out.values.push_back(diagonal[i]);
      placed = true;
    };
    for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i) + 1]); ++e) {
      const std::int32_t j = graph.targets[e];
      if (!placed && j > i) place();
      out.columns.push_back(j);
      // The product of the two factors first: the same bits for (i, j) and (j, i).
      out.values.push_back(-(factors[i] * factors[j]) * links.weights[e]);
    }
    if (!placed) place();
    out.offsets.push_back(std::ssize(out.columns));
  }
  return out;
}

void require_one_part(Index zeros, double bandwidth, std::string_view who) {
  if (zeros == 0) return;
  throw DataError(fmt::format(
      "{}: {} eigenvalues are 0 where a connected graph has one: links between parts weigh next to nothing{}; {}", who,
      zeros + 1, bandwidth > 0.0 ? fmt::format(" at a bandwidth of {:.4g}", bandwidth) : "",
      bandwidth > 0.0 ? "raise --bandwidth, use --weights binary, or --disconnected largest with fewer neighbors"
                      : "give the parts one by one"));
}

}  // namespace fewdim
