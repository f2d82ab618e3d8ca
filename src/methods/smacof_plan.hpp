#pragma once

#include <string>

#include "fewdim/smacof.hpp"

namespace fewdim {

/// Where smacof has its distances from, and what it takes beside the input.
struct StressPlan {
  bool keep = false;
  std::string route, why;
  std::uint64_t pair_bytes = 0, work_bytes = 0;
  std::uint64_t bytes() const { return work_bytes + (keep ? pair_bytes : 0); }
};

/// `given`: the distances are the data. Throws OverMemory when not even the iteration fits, or the order of the pairs.
StressPlan plan_pairs(Index objects, std::size_t scalar_bytes, Index components, bool given, Disparity type,
                      const Execution& exec);

/// Throws InvalidOption unless it is a number from 1 to the objects less 1; -1 objects: not known.
void require_map_size(const Components& components, Index objects);

}  // namespace fewdim
