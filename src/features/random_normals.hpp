#pragma once

#include "fewdim/types.hpp"

namespace fewdim {

/// `count` independent normals of standard deviation `scale`: number c of row j under a seed is a function of (seed,
/// stream, j, c) alone. Philox 4x32-10 and Box & Muller's pairs, eight at a time with the same bits at every vector
/// width; the logarithm and the angle are within 4 units in the last place.
void fill_normal_row(Seed seed, std::uint32_t stream, Index j, double scale, double* out, Index count);
void fill_normal_row(Seed seed, std::uint32_t stream, Index j, double scale, float* out, Index count);

}  // namespace fewdim
