#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "fewdim/types.hpp"

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

}  // namespace fewdim
