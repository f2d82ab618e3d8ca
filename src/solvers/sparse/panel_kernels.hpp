#pragma once

#include <cstdint>

#include "fewdim/types.hpp"

/// Triangular solves with one panel of a sparse factor, for several right sides at once that lie side by side: a line
/// of four or eight numbers a row. A product of a tall panel with so few columns is bound by reading the panel; `dgemm`
/// would pack it first. A column has the same bits in a line of either length.
namespace fewdim {

constexpr Index kShortLine = 4, kLine = 8;

/// own[k] += from (place < width) or update[place − width] += from.
void add_lines(Index line, const std::int32_t* places, Index count, const double* from, Index width, double* own,
               double* update);

/// own ← L₁₁⁻¹ own, update −= L₂₁ own; the panel [L₁₁; L₂₁] is (width+below)×width, column by column.
void solve_panel(Index line, const double* panel, Index width, Index below, double* own, double* update);

/// own ← L₁₁^−ᵀ (own − L₂₁ᵀ rows), where rows are the lines of x at `places`.
void solve_panel_transposed(Index line, const double* panel, Index width, Index below, double* own, const double* x,
                            const std::int32_t* places);

}  // namespace fewdim
