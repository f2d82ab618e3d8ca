#pragma once

#include "fewdim/types.hpp"

namespace fewdim {

/// Columns that multiply_tile() takes at a time: one or two cache lines of a row of x.
inline constexpr Index kNarrow = 8, kWide = 16;

/// y_rows += T x_cols and, where `mirrored`, y_cols += Tᵀ x_rows, for T m×n row-major and both products from one pass
/// over it. x and y are row-major with `width` columns (kNarrow or kWide) and start at multiples of 64 bytes. Sums are
/// in double, in the order of T's rows and columns.
void multiply_tile(const double* tile, Index m, Index n, bool mirrored, Index width, const double* x_rows,
                   const double* x_cols, double* y_rows, double* y_cols);
void multiply_tile(const float* tile, Index m, Index n, bool mirrored, Index width, const double* x_rows,
                   const double* x_cols, double* y_rows, double* y_cols);

}  // namespace fewdim
