#pragma once

#include "fewdim/types.hpp"

namespace fewdim {

/// Columns are looked at in groups of this many; a tile's rows and its column arrays have room up to a multiple.
inline constexpr Index kScanGroup = 64;

/// Columns j < n of one row of a tile, at most 2^31, for which
///   tile[j] + column_add[j] <= row_limit   or   tile[j] + row_add <= column_limit[j],
/// written to `hits` in order; returns how many. The few that pass are what a search looks at one by one. Entries up to
/// the next multiple of kScanGroup are read, and must not pass.
Index scan_row(const float* tile, Index n, const float* column_add, const float* column_limit, float row_limit,
               float row_add, std::int32_t* hits);
Index scan_row(const double* tile, Index n, const double* column_add, const double* column_limit, double row_limit,
               double row_add, std::int32_t* hits);

}  // namespace fewdim
