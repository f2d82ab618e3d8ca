#pragma once

#include <functional>
#include <span>

#include "graph/neighbor_graph.hpp"

namespace fewdim {

/// How many sources are searched at once, for the caller's memory plan: bytes that geodesics() takes on `threads`
/// threads besides its output.
template <class C>
std::uint64_t geodesics_bytes(const NeighborGraph& graph, int threads);

/// Where the row of a source goes: room for one number a vertex. Called once a source, from any thread, in any order,
/// with the source's position in the list.
template <class C>
using GeodesicRow = std::function<C*(Index position)>;

/// Told when a row is filled, from the thread that filled it. May be empty.
template <class C>
using GeodesicDone = std::function<void(Index position, const C* distances)>;

/// Lengths of the shortest paths from each of the sources, vertices, to every vertex; infinity where there is
/// no path. A length is the least, over paths, of the edges' lengths in C summed from the source outward: the same bits
/// at any number of threads and in any company, but d(i, j) and d(j, i) may differ in the last bits.
template <class C>
void geodesics(const NeighborGraph& graph, std::span<const std::int32_t> sources, const GeodesicRow<C>& row,
               const GeodesicDone<C>& done, const Execution& exec);

/// The same from places that are no vertices: place p is linked to its vertices in `starts`, at least one, at their
/// distances, and the first of them should be the nearest.
template <class C>
void geodesics(const NeighborGraph& graph, const NeighborLists& starts, const GeodesicRow<C>& row,
               const GeodesicDone<C>& done, const Execution& exec);

/// All sources into one buffer: row p of `out`, `stride` numbers apart, is of sources[p].
template <class C>
void geodesics_into(const NeighborGraph& graph, std::span<const std::int32_t> sources, C* out, Index stride,
                    const Execution& exec);

}  // namespace fewdim
