#pragma once

#include <string_view>

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// x ← A⁻¹ x for a symmetric positive definite A, of which the lower triangle is read and overwritten by Cholesky's
/// factor; what is above the diagonal is destroyed too. False where A is not positive definite but for rounding. Tiles
/// of one size run side by side: the same bits at any thread count. `stage` is for progress reports.
bool solve_positive(Matrix<double>& a, Matrix<double>& x, std::string_view stage, const Execution& exec);

}  // namespace fewdim
