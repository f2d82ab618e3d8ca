#pragma once

#include <cstdint>

#include "fewdim/types.hpp"

/// Triangular solves with one panel of a sparse factor, for eight right sides at once that lie side by side: a line of
/// eight numbers a row. A product of a tall panel with eight columns is bound by reading the panel; `dgemm` would pack
/// it first.
namespace fewdim {

constexpr Index kLine = 8;

/// own[k] += from (place < width) or update[place − width] += from.
void add_lines(const std::int32_t* places, Index count, const double* from, Index width, double* own, double* update);

/// own ← L₁₁⁻¹ own, update −= L₂₁ own; the panel [L₁₁; L₂₁] is (width+below)×width, column by column.
void solve_panel(const double* panel, Index width, Index below, double* own, double* update);

/// own ← L₁₁^−ᵀ (own − L₂₁ᵀ rows).
void solve_panel_transposed(const double* panel, Index width, Index below, double* own, const double* rows);

}  // namespace fewdim
