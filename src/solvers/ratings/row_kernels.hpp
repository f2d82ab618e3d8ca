#pragma once

#include "fewdim/types.hpp"

/// The two costs of a least-squares fit of one row: the products of its regressors, and a Cholesky factor. Rows of
/// tables have a multiple of kLane numbers, zeros behind the last, and start at multiples of 64 bytes.
namespace fewdim {

inline constexpr Index kLane = 8;  ///< a cache line of doubles

inline constexpr Index whole_lanes(Index count) { return (count + kLane - 1) / kLane * kLane; }

/// Rows of a table, one behind the other.
void gather_rows(const double* table, Index width, const std::int32_t* which, Index count, double* out);

/// gram_ij += Σ_e left_ei right_ej for j from the lane of i on, the upper triangle, its rows `stride` apart; and
/// sums_rj += Σ_e extra_er right_ej for r = 0, 1. left, right: entries×width; extra: entries×2; sums: 2×width.
void add_row_products(const double* left, const double* right, const double* extra, Index entries, Index width,
                      double* gram, Index stride, double* sums);

/// Solves A x = b for the symmetric A whose upper triangle is given, n×n with n whole lanes; A becomes its Cholesky
/// factor and b becomes x. False where A is not positive definite to rounding.
bool solve_positive(double* a, Index n, double* b);

}  // namespace fewdim
