#pragma once

#include <string_view>

#include "base/memory.hpp"

namespace fewdim {

/// The memory that one call takes step by step, held against the limit as it was at the start.
class MemoryBudget {
 public:
  explicit MemoryBudget(const Execution& exec) { start_.memory_limit = memory_limit(exec); }

  /// Throws OverMemory when these bytes and those taken before exceed the limit.
  void take(std::uint64_t bytes, std::string_view what, std::string_view remedy = "raise the limit") {
    require_memory(start_, taken_ + bytes, what, remedy);
    taken_ += bytes;
  }

 private:
  Execution start_;
  std::uint64_t taken_ = 0;
};

}  // namespace fewdim
