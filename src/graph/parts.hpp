#pragma once

#include "base/sets.hpp"
#include "graph/neighbor_graph.hpp"

namespace fewdim {

/// The connected parts of a graph, largest first; of equal ones that with the lowest vertex.
struct Parts {
  std::vector<std::int32_t> part_of{};               ///< vertex to part
  std::vector<std::vector<std::int32_t>> members{};  ///< rising

  std::vector<Index> sizes() const;
};

Parts parts_of(Sets& sets, Index vertices);
Parts parts_of(const NeighborGraph& graph);

/// "4 parts (sizes 812, 90, 51, 47)"; of many parts the eight largest.
std::string describe_parts(const std::vector<Index>& sizes);

/// The subgraph of the given vertices, which rise.
NeighborGraph restrict_graph(const NeighborGraph& graph, const std::vector<std::int32_t>& vertices);

/// The graph with the links added.
NeighborGraph add_links(const NeighborGraph& graph, const std::vector<Link>& links);

}  // namespace fewdim
