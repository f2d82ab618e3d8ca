#pragma once

#include <cstdint>
#include <vector>

#include "fewdim/execution.hpp"
#include "operators/sparse_symmetric.hpp"

namespace fewdim {

/// An order of elimination that keeps the factor sparse, by the pattern of the matrix.
std::vector<std::int32_t> dissection_order(const SparseSymmetric& a, const Execution& exec);

}  // namespace fewdim
