#pragma once

#include "fewdim/types.hpp"

namespace fewdim {

/// x_i ← exp(x_i), to 2 units in the last place; below exp(−708) it is 0, above exp(709) infinite, NaN stays. Plain
/// multiplications and additions: the same bits at every vector width.
void exp_in_place(double* x, Index count);
void exp_in_place(float* x, Index count);

}  // namespace fewdim
