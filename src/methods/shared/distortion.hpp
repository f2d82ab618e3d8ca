#pragma once

#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// A look at all rows in one pass: what a random projection wants to know of them.
struct RowSample {
  Index rows = 0;        ///< seen
  bool nonzero = false;  ///< one number at least
  Dataset sample;        ///< every row alike has a chance (Vitter 1985); the same rows from memory and from a stream
};
/// Rows that the sample has at most.
Index sample_rows(Index cols);
/// Bytes of the sample and its image in `components`.
std::uint64_t sample_bytes(Index cols, Index components);
/// Refuses data without numbers in it, or with some that are not finite.
RowSample look_at_rows(const Dataset& data, std::string_view who, Seed seed, const Execution& exec);

/// ‖y_i − y_j‖²/‖x_i − x_j‖² − 1 over 1,000 pairs of rows, or all where there are fewer.
struct Distortion {
  Index pairs = 0;  ///< without those of equal rows
  double least = 0.0, mean = 0.0, most = 0.0;
};
Distortion measured_distortion(const Dataset& x, const Matrix<double>& y, Seed seed);

}  // namespace fewdim
