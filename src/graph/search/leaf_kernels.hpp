#pragma once

#include <cstdint>

#include "fewdim/types.hpp"

/// Comparing the rows of two leaves of a k-d tree, eight at once. A leaf's numbers lie column by column.
namespace fewdim {

inline constexpr Index kLeaf = 8;

/// out[q]: squared distance of row q of a leaf to a box, which has the least and the largest number of each column.
void squares_to_box(const double* leaf, const double* box, Index cols, double* out);

/// out[l]: squared distance of a row to row l of a leaf. `row` lies in a leaf, too: a number every kLeaf.
void squares_to_rows(const double* row, const double* leaf, Index cols, double* out);

/// Squared distances of the first `rows` rows of a leaf to those of a leaf of queries: out[l·kLeaf + q]. `least` has
/// the k least that each query has had so far, rising: least[i·kLeaf + q]. They are put in their places there. Where
/// the leaves are the same one, a row is left out for itself: at ∞.
void put_in_place(const double* queries, const double* leaf, Index rows, Index cols, bool same, Index k, double* least,
                  double* out);

/// The places of rows among the k nearest: where squares[l·kLeaf + q] is at most limit[q], names[l] is put at
/// out[i·kLeaf + q], where i is the number of `least` below it, and is counted. `out` has k + 1 lines.
void find_places(const double* squares, const std::int32_t* names, Index rows, const double* least, Index k,
                 const double* limit, std::int32_t* out, std::int32_t* counts);

/// least ← √least, k lines. Bit q of the result: those of query q are not all different.
unsigned take_roots(Index k, double* least);

}  // namespace fewdim
