#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "features/pair_distances.hpp"

namespace fewdim {

/// All pairs of at most 2^16 objects by rising dissimilarity, each as i·2^16 + j.
struct PairOrder {
  static constexpr Index most_objects = 1 << 16;

  std::uint32_t count = 0;
  std::shared_ptr<std::uint32_t[]> pairs;
  std::vector<bool> equal;  ///< the dissimilarity at this rank equals the one before
  bool ties = false;        ///< any does

  /// Where the group of equal dissimilarities ends that starts at this rank.
  std::uint32_t group_end(std::uint32_t start) const {
    std::uint32_t end = start + 1;
    while (end < count && equal[end]) ++end;
    return end;
  }
  static constexpr Index first(std::uint32_t pair) { return static_cast<Index>(pair >> 16); }
  static constexpr Index second(std::uint32_t pair) { return static_cast<Index>(pair & 0xffff); }
};

template <class S>
PairOrder order_pairs(const PairDistances<S>& deltas, const Execution& exec);

/// Bytes at the peak, while sorting.
std::uint64_t order_pairs_bytes(Index objects);

}  // namespace fewdim
