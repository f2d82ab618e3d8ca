#pragma once

#include "fewdim/types.hpp"

/// Products of a tall Q, column-major, with thin blocks. They read Q once and as it lies in memory, where a general
/// matrix product copies it first, for nothing: half of its time at eight columns.
namespace fewdim {

/// Columns of such a block: one or two cache lines a row.
inline constexpr Index kThin = 8, kThinMost = 16;

/// out += QᵀW for Q rows×m, its columns `stride` apart. W is rows×width and out m×width, row-major and starting at
/// multiples of 64 bytes; width is kThin or kThinMost. Sums are in the order of the rows.
void thin_project(const double* q, Index stride, Index rows, Index m, Index width, const double* w, double* out);

/// W −= Q H for H m×width, in the order of Q's columns; all as above.
void thin_subtract(const double* q, Index stride, Index rows, Index m, Index width, const double* h, double* w);

}  // namespace fewdim
