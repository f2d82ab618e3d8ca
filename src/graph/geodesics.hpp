#pragma once

#include <functional>
#include <memory>
#include <mutex>
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

/// Rows that are there while they are filled and looked at, for callers that keep something else of them.
template <class C>
class RowBuffers {
 public:
  RowBuffers(Index sources, Index size) : size_(size), rows_(static_cast<std::size_t>(sources)) {}

  /// As GeodesicRow.
  C* take(Index position) {
    std::unique_ptr<C[]> row;
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) row = std::move(spare_.back()), spare_.pop_back();
    }
    if (!row) row = std::make_unique_for_overwrite<C[]>(static_cast<std::size_t>(size_));
    auto& at = rows_[static_cast<std::size_t>(position)];
    at = std::move(row);
    return at.get();
  }

  void give_back(Index position) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(rows_[static_cast<std::size_t>(position)]));
  }

 private:
  Index size_;
  std::vector<std::unique_ptr<C[]>> rows_;
  std::vector<std::unique_ptr<C[]>> spare_{};
  std::mutex mutex_{};
};

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
