#pragma once

#include <algorithm>
#include <numeric>

#include "graph/neighbor_graph.hpp"

namespace fewdim {

/// Sets that grow together (union-find with path halving); a set is named by its lowest member.
class Sets {
 public:
  explicit Sets(Index n) : parent_(static_cast<std::size_t>(n)), count_(n) {
    std::iota(parent_.begin(), parent_.end(), std::int32_t{0});
  }

  std::int32_t of(std::int32_t v) {
    while (parent_[static_cast<std::size_t>(v)] != v) {
      auto& up = parent_[static_cast<std::size_t>(v)];
      up = parent_[static_cast<std::size_t>(up)];
      v = up;
    }
    return v;
  }

  /// False when they were together already.
  bool join(std::int32_t a, std::int32_t b) {
    a = of(a), b = of(b);
    if (a == b) return false;
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    --count_;
    return true;
  }

  Index count() const { return count_; }

 private:
  std::vector<std::int32_t> parent_;
  Index count_;
};

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
