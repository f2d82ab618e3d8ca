#pragma once

#include "fewdim/contrast.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// What the contrast of one source sums to over some rows.
struct ContrastSums {
  double slope = 0.0;  ///< Σ g'(y)
  double value = 0.0;  ///< Σ G(y)
};

/// Numbers that a run of y must be a multiple of: 64 bytes of float32.
constexpr Index contrast_run = 16;

/// y_i ← g(y_i), with the sums of g' and G; `count` is a multiple of contrast_run, at most 1024. Sums are taken in
/// eight or sixteen lanes that are the same at every vector width.
ContrastSums contrast_in_place(IcaContrast contrast, double* y, Index count);
ContrastSums contrast_in_place(IcaContrast contrast, float* y, Index count);

/// g'(0) and G(0): what a row of zeros adds.
ContrastSums contrast_at_zero(IcaContrast contrast);

}  // namespace fewdim
