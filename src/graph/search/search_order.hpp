#pragma once

#include <vector>

#include "graph/neighbor_graph.hpp"
#include "graph/shortest_sweep.hpp"

/// The order in which many searches of one graph are done, for the sake of the caches.
namespace fewdim {

/// Vertices in order of a breadth-first walk, so that neighbors lie near each other in memory.
inline std::vector<std::int32_t> walk(const NeighborGraph& graph) {
  const Index n = graph.vertices();
  std::vector<std::int32_t> order;
  order.reserve(static_cast<std::size_t>(n));
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  for (Index start = 0; start < n; ++start) {
    if (seen[static_cast<std::size_t>(start)]) continue;
    seen[static_cast<std::size_t>(start)] = true;
    order.push_back(static_cast<std::int32_t>(start));
    for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
      const auto v = static_cast<std::size_t>(order[at]);
      for (std::int64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
        const std::int32_t u = graph.targets[static_cast<std::size_t>(e)];
        if (seen[static_cast<std::size_t>(u)]) continue;
        seen[static_cast<std::size_t>(u)] = true;
        order.push_back(u);
      }
    }
  }
  return order;
}

/// The graph with its vertices renumbered by the walk.
template <class C>
struct Renumbered {
  std::vector<std::int32_t> original{};  ///< new to old
  std::vector<std::int32_t> number{};    ///< old to new
  EdgeLists<C> graph{};

  explicit Renumbered(const NeighborGraph& from) : original(walk(from)) {
    number.resize(original.size());
    for (std::size_t v = 0; v < original.size(); ++v)
      number[static_cast<std::size_t>(original[v])] = static_cast<std::int32_t>(v);
    graph.offsets.push_back(0);
    graph.edges.reserve(from.targets.size());
    for (const std::int32_t old : original) {
      const auto v = static_cast<std::size_t>(old);
      for (auto e = static_cast<std::size_t>(from.offsets[v]); e < static_cast<std::size_t>(from.offsets[v + 1]); ++e)
        graph.edges.push_back({number[static_cast<std::size_t>(from.targets[e])], static_cast<C>(from.lengths[e])});
      graph.offsets.push_back(std::ssize(graph.edges));
    }
  }
};

/// The starts of every search, by the new numbers.
template <class C>
EdgeLists<C> renumbered_starts(const NeighborLists& starts, const std::vector<std::int32_t>& number) {
  EdgeLists<C> out;
  out.offsets = starts.offsets;
  out.edges.reserve(starts.indices.size());
  for (std::size_t e = 0; e < starts.indices.size(); ++e)
    out.edges.push_back({number[static_cast<std::size_t>(starts.indices[e])], static_cast<C>(starts.distances[e])});
  return out;
}

/// Cuts the searches into groups that begin close together: the first one left, and those nearest to it by hops from
/// its first start to theirs.
template <class C>
std::vector<std::vector<std::int32_t>> groups_of(const EdgeLists<C>& graph, const EdgeLists<C>& starts, Index size) {
  // The searches that begin at a vertex, as a chain; -1 ends it.
  const auto n = static_cast<std::size_t>(graph.vertices());
  std::vector<std::int32_t> head(n, -1), next(static_cast<std::size_t>(starts.vertices()), -1);
  for (auto p = static_cast<std::int32_t>(starts.vertices()); p-- > 0;) {
    auto& at = head[static_cast<std::size_t>(starts.begin(p)->target)];
    next[static_cast<std::size_t>(p)] = at;
    at = p;
  }
  std::vector<std::vector<std::int32_t>> groups;
  std::vector<std::int32_t> seen(n, -1), queue;
  for (std::int32_t first = 0; first < static_cast<std::int32_t>(n);) {
    if (head[static_cast<std::size_t>(first)] < 0) {
      ++first;
      continue;
    }
    const auto mark = static_cast<std::int32_t>(groups.size());
    auto& group = groups.emplace_back();
    queue.assign(1, first);
    seen[static_cast<std::size_t>(first)] = mark;
    for (std::size_t at = 0; at < queue.size() && std::ssize(group) < size; ++at) {
      const std::int32_t v = queue[at];
      for (auto& p = head[static_cast<std::size_t>(v)]; p >= 0 && std::ssize(group) < size;
           p = next[static_cast<std::size_t>(p)])
        group.push_back(p);
      for (const Edge<C>* e = graph.begin(v); e != graph.end(v); ++e)
        if (seen[static_cast<std::size_t>(e->target)] != mark) {
          seen[static_cast<std::size_t>(e->target)] = mark;
          queue.push_back(e->target);
        }
    }
  }
  return groups;
}

}  // namespace fewdim
