#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// What a plan needs to know of the data.
struct DataShape {
  Index rows = 0;  ///< -1: not known ahead
  Index cols = 0;
  std::int64_t nonzeros = -1;  ///< -1: dense
  Precision precision = Precision::float64;
  bool stream = false;  ///< does not lie in memory
  bool rewindable = true;
};

/// One way a fit could go, with what it would cost.
struct RouteCost {
  std::string route{};
  std::uint64_t bytes = 0;  ///< working memory beyond the input
  int passes = 0;           ///< over the data; 0: not known ahead
  double flops = 0.0;
  double seconds = 0.0;   ///< a rough estimate on this machine
  std::string verdict{};  ///< "chosen", or why not; spoken() says the options in it
};

struct Plan {
  std::string route{};
  std::string why{};
  std::uint64_t bytes = 0;
  std::uint64_t input_bytes = 0;
  std::uint64_t memory_limit = 0;
  int passes = 0;
  double seconds = 0.0;
  std::vector<RouteCost> considered{};
};

}  // namespace fewdim
