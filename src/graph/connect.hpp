#pragma once

#include <functional>

#include "graph/bridges.hpp"

namespace fewdim {

/// What the policy for graphs in parts may ask of the data behind the graph.
struct Remedies {
  OutwardLinks outward_links{};                     ///< empty: parts can't be bridged
  std::function<NeighborLists(Index k)> nearest{};  ///< empty: the graph is not by k nearest
  Index largest_k = 0;                              ///< the most that nearest() takes
};

/// Does with a graph in parts what `neighborhood.disconnected` says, and writes down the parts. A connected graph comes
/// back as it is.
NeighborGraph connect(NeighborGraph graph, const Neighborhood& neighborhood, const Remedies& remedies,
                      std::string_view who);

/// The least k whose graph is connected, from lists of more neighbors than that; 0 where they are too short.
Index smallest_connecting_k(const NeighborLists& lists);

}  // namespace fewdim
