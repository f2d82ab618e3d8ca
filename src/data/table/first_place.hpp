#pragma once

#include <atomic>
#include <cstdint>

namespace fewdim {

/// The lowest of the places that tasks side by side have noted: what is reported does not depend on their order.
class FirstPlace {
 public:
  void note(std::int64_t place) {
    std::int64_t first = place_;
    while (place < first && !place_.compare_exchange_weak(first, place)) {
    }
  }
  bool any() const { return place_ != INT64_MAX; }
  std::int64_t get() const { return place_; }

 private:
  std::atomic<std::int64_t> place_{INT64_MAX};
};

}  // namespace fewdim
