#pragma once

#include <cstdint>

#include "fewdim/types.hpp"

namespace fewdim {

/// What becomes of a neighbor graph in several parts: refused with the parts and the remedy, joined by the shortest
/// links between parts, with a warning that names them, or cut down to its largest part.
enum class Disconnected { error, bridge, largest };

/// How neighbors are found. All but `approximate` are exact and give the same result.
enum class NeighborSearch {
  automatic,   ///< tree or products, by size and columns
  tree,        ///< k-d tree
  products,    ///< every distance, by matrix products where the metric has one
  approximate  ///< HNSW graph: for millions of rows; recall is measured on a sample
};

/// Which rows count as neighbors: the k nearest of each, or all within a radius. An edge is there if either chose it.
struct Neighborhood {
  Index k = 12;
  double radius = 0.0;  ///< above 0: all rows at most this far, and k does not count
  NeighborSearch search = NeighborSearch::automatic;
  Disconnected disconnected = Disconnected::bridge;
};

/// An edge of a graph with its length; first < second.
struct Link {
  std::int32_t first = 0;
  std::int32_t second = 0;
  double length = 0.0;
};

}  // namespace fewdim
