#pragma once

#include <cstdint>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/random_map.hpp"

/// The entries of a random map. R_jc depends on the seed, j and c (and for the sparse and Hadamard kinds on D, k and
/// the density), never on which part of R is asked for.
namespace fewdim {

/// Rows first .. first+count of R, one after the other: out[(j − first)·k + c] = R_jc.
template <class T>
void draw_rows(const RandomMap& map, Index first, Index count, T* out, const Execution& exec);

/// The sparse kind without its zeros and without its factor: feature j adds to the components `entries` from
/// offsets[2j] to offsets[2j+1], and takes from those up to offsets[2j+2].
struct SignedLists {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> entries;
  double factor = 1.0;  ///< √(1/density)/√k
};
SignedLists draw_lists(const RandomMap& map, const Execution& exec);

/// The Hadamard kind: R_jc = signs_j (−1)^(bits that j and rows_c share)/√k.
struct HadamardDraw {
  Index padded = 1;  ///< D, filled up to a power of two
  std::vector<std::int8_t> signs;
  std::vector<Index> rows;
  double factor = 1.0;  ///< 1/√k
};
HadamardDraw draw_hadamard(const RandomMap& map);

/// y_c = Σ_j (−1)^(bits that j and rows_c share) x_j for the given rows of a Hadamard matrix of order n, a power of
/// two: butterflies down to blocks of 32 (Fino & Algazi 1976), then sums for the rows that are asked for alone.
/// Destroys x.
template <class T>
void hadamard_sample(T* x, Index n, const std::vector<Index>& rows, T* out);
/// out_j = signs_j x_j
template <class T>
void apply_signs(const std::vector<T>& signs, const T* x, T* out);

}  // namespace fewdim
