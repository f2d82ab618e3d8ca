#pragma once

#include <algorithm>
#include <string_view>

#include "base/memory.hpp"
#include "base/remedy.hpp"

namespace fewdim {

/// The same with the limit that is left beside bytes that are taken already.
inline Execution beside(const Execution& exec, std::uint64_t taken) {
  Execution rest = exec;
  const std::uint64_t limit = memory_limit(exec);
  if (taken > 0) rest.memory_limit = std::max<std::uint64_t>(1, limit - std::min(limit, taken));
  return rest;
}

/// What an input takes in memory: all of it, but for a file that is mapped.
template <class Input>
std::uint64_t held_bytes(const Input& bytes) {
  return bytes.mapped ? 0 : bytes.text.size();
}

/// The memory that one call takes step by step, held against the limit as it was at the start.
class MemoryBudget {
 public:
  explicit MemoryBudget(const Execution& exec) { start_.memory_limit = memory_limit(exec); }

  /// Throws OverMemory when these bytes and those taken before exceed the limit.
  void take(std::uint64_t bytes, std::string_view what, std::string_view remedy = raise_option("memory_limit")) {
    require_memory(start_, taken_ + bytes, what, remedy);
    taken_ += bytes;
  }

 private:
  Execution start_;
  std::uint64_t taken_ = 0;
};

}  // namespace fewdim
