#pragma once

#include <cstdint>
#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// Sorts the places of numbers that are not negative (or infinite, but never NaN). Holds its buffers, so that one
/// object orders many rows of a length.
class Ordering {
 public:
  /// Places of values[0 .. count) by rising value, the lower place first among equals; `left_out` is not among them
  /// (−1: all are).
  const std::vector<std::uint32_t>& sort(const double* values, Index count, Index left_out = -1);

 private:
  std::vector<std::uint64_t> items_, spare_;
  std::vector<std::uint32_t> order_;
};

}  // namespace fewdim
