#pragma once

#include <span>

#include "base/stopwatch.hpp"
#include "graph/neighbor_graph.hpp"
#include "methods/shared/gram_embedding.hpp"

/// Shortest paths, and classical scaling of their lengths: the second and third step of Isomap.
namespace fewdim {

/// Coordinates of the objects, and what places new ones.
struct PathEmbedding {
  GramEmbedding gram{};
  Matrix<double> coordinates{};        ///< N×k
  Vector<double> residual_variance{};  ///< for 1 .. 10 coordinates, or as many as there are
  Matrix<double> geodesics{};          ///< landmarks×N, on request
};

/// In numbers of type S. From all vertices, or where there are landmarks from those. `keep`: the lengths, too.
template <class S>
PathEmbedding embed_paths(const NeighborGraph& graph, std::span<const std::int32_t> landmarks,
                          const SymmetricProblem& problem, bool keep, Stopwatch& watch, const Execution& exec);

}  // namespace fewdim
