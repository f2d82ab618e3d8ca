#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "fewdim/types.hpp"

namespace fewdim {

/// One report of progress: "covariance, 81,920 of 100,000 rows".
struct Progress {
  std::string_view stage;  ///< "read", "covariance", "krylov", ...
  Index done = 0;
  Index total = 0;             ///< 0: not known
  std::string_view unit = "";  ///< "rows", "bytes", "iterations"
};

/// How a call may use the machine. Nothing here changes a result's bits, except that a memory limit may
/// force another route (which the model then records).
struct Execution {
  int threads = 0;                                  ///< 0: every core the process may use
  std::uint64_t memory_limit = 0;                   ///< bytes for working memory; 0: 80 % of what is available
  std::function<bool(const Progress&)> progress{};  ///< called from one thread at a time; false stops the call
};

}  // namespace fewdim
