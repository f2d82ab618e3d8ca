#pragma once

#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// A dense table of which some values are missing (NaN), its rows brought together where the same ones are: what is
/// computed for a pattern of missing values is computed once.
struct ObservedTable {
  struct Piece {  ///< rows of one pattern, at most piece_rows of them
    Index first = 0, rows = 0, pattern = 0;
  };
  static constexpr Index piece_rows = 512;

  RowMatrix<double> values;       ///< (x − center) / scale, 0 where missing; the rows in the order of `order`
  std::vector<Index> order;       ///< where each of them stands in the data
  Vector<double> center;          ///< mean of the observed values of each column
  Vector<double> scale;           ///< empty: not scaled
  RowMatrix<std::uint8_t> masks;  ///< patterns×D: 1 where observed
  std::vector<Piece> pieces;
  Vector<double> counts;   ///< observed values of each column
  Vector<double> squares;  ///< Σ values² of each column
  double observed = 0.0;   ///< of all

  Index rows() const { return values.rows(); }
  Index cols() const { return values.cols(); }
  Index patterns() const { return masks.rows(); }
  bool complete() const { return observed == static_cast<double>(values.size()); }
};

/// Reads it from data in memory; `standardize` divides by the standard deviation of the observed values (divisor n −
/// ddof).
/// Throws DataError for infinite values, for a column without a value, and for one that is constant where it is to be
/// divided. Rows without a value are a pattern like others: they tell nothing.
ObservedTable observe(const Dataset& data, bool standardize, int ddof, std::string_view who, const Execution& exec);
/// Bytes that takes.
std::uint64_t observed_bytes(Index rows, Index cols);

/// Missing values (NaN) of dense data in memory; 0 for sparse data and streams.
Index count_missing(const Dataset& data, const Execution& exec);

}  // namespace fewdim
