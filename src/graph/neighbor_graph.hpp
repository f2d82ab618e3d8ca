#pragma once

#include <array>
#include <span>

#include "fewdim/neighborhood.hpp"
#include "graph/search/neighbors.hpp"

namespace fewdim {

template <>
struct EnumNames<Disconnected> {
  static constexpr std::array names{std::pair{Disconnected::error, "error"}, std::pair{Disconnected::bridge, "bridge"},
                                    std::pair{Disconnected::largest, "largest"}};
};

/// A symmetric graph with lengths, in compressed rows; each row's targets rise, and there are no loops.
struct NeighborGraph {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> targets{};
  std::vector<double> lengths{};

  std::vector<Index> parts{};            ///< sizes of the parts as found, largest first; one number when connected
  std::vector<Link> bridges{};           ///< added to join the parts
  std::vector<std::int32_t> kept{};      ///< rows that the vertices are, rising; empty: all
  std::vector<std::int32_t> left_out{};  ///< rows outside of the largest part, rising
  SearchTrace trace{};
  NeighborLists choices{};  ///< where asked for: the neighbors that each vertex chose, nearest first, and bridges
  /// Where asked for, and neighbors are counted and their search is exact: halfway from each vertex's k-th neighbor to
  /// its next one, so that just those that are nearer are its choice.
  std::vector<double> reach{};
  Index ties = 0;  ///< vertices whose next neighbor is as near as the last one chosen; counted with `reach`

  Index vertices() const { return std::ssize(offsets) - 1; }
  std::int64_t edges() const { return offsets.back() / 2; }
};

/// What to keep beside the graph.
struct GraphExtras {
  bool choices = false, reach = false;
};

/// The graph of rows by their metric. Throws InvalidOption for k < 1, k >= rows
/// or a radius that is not a number above 0; DataError for a graph in parts when `disconnected` says so, with the sizes
/// and what would connect it.
template <class C>
NeighborGraph neighbor_graph(const MetricRows<C>& points, const Neighborhood& neighborhood, std::string_view who,
                             const Execution& exec, GraphExtras extras = {});

/// The graph of objects from all their distances, a square matrix whose diagonal is not looked at; the distance of i to
/// j is entry (i, j) of the lower triangle. Refuses negative distances and those that aren't numbers.
template <class T>
NeighborGraph neighbor_graph(const DenseView<T>& distances, const Neighborhood& neighborhood, std::string_view who,
                             const Execution& exec, GraphExtras extras = {});

/// A given graph: entry (i, j) is the length of an edge, and either direction will do. Where both are there and differ
/// by more than rounding, it is refused, as are negative lengths. Entries of the diagonal don't count. Parts of it
/// can't be bridged, as there are no lengths between them.
template <class T>
NeighborGraph given_graph(const CsrView<T>& lengths, Disconnected disconnected, std::string_view who,
                          const Execution& exec);

/// The graph of the given links, each once.
NeighborGraph graph_of(Index vertices, const std::vector<Link>& links);
/// Each edge of a graph once, rising.
std::vector<Link> links_of(const NeighborGraph& graph);

/// An edge if either chose it; `lists` are of rows among themselves.
NeighborGraph symmetric_graph(const NeighborLists& lists, const Execution& exec = {});

}  // namespace fewdim
