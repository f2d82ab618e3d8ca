#pragma once

#include <string_view>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

/// A square matrix of similarities or distances that comes as data.
namespace fewdim {

/// The number in row i, column j of a dense data set.
double given_entry(const Dataset& data, Index i, Index j);

/// Entries (row .. row+m, col .. col+n) to out, row-major.
template <class C>
void copy_given(const Dataset& data, Index row, Index m, Index col, Index n, C* out);

/// The largest magnitude and the lowest number of a dense matrix; NaN and infinities don't count.
struct Extent {
  double largest = 0.0;
  double lowest = 0.0;
};
Extent extent_of(const Dataset& data, const Execution& exec);

/// The largest |a_ij − a_ji| of a dense square matrix; NaN where any is.
double asymmetry_of(const Dataset& data, const Execution& exec);

/// What entries may differ by and still be equal: 1e-8 of the largest, 1e-5 for float32.
double rounding_of(const Dataset& data, const Execution& exec);

/// Throws DataError unless the matrix is dense, square, finite and symmetric (to 1e-8 of its largest entry, or 1e-5 for
/// float32), naming the first place where it is not. `what` is "kernel" or "distance", for messages.
void require_symmetric(const Dataset& data, std::string_view who, std::string_view what, const Execution& exec);

}  // namespace fewdim
