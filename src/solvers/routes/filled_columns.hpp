#pragma once

#include <optional>
#include <vector>

#include "solvers/routes/decompose.hpp"

/// Sparse tables most of whose columns are empty: bases, means and moments need room for the others alone.
namespace fewdim {

struct FilledColumns {
  Dataset data;                       ///< the same rows, of the columns that hold an entry
  std::vector<std::int32_t> columns;  ///< which they are, ascending
  Index all = 0;                      ///< columns of the table itself

  /// Entries of the filled columns in their places, zeros elsewhere.
  Vector<double> spread(const Vector<double>& filled) const;
  Matrix<double> spread(const Matrix<double>& filled) const;
  /// The rows that belong to filled columns.
  Matrix<double> gathered(const Matrix<double>& whole) const;
  /// Is a matrix of one row per column 0 outside of them?
  bool holds(const Matrix<double>& whole) const;
};

/// Nothing where the table is not sparse, where at least half of its columns hold entries, or where the problem does
/// not ask for a number of components below theirs. Columns to be scaled stay: one without entries is to be refused.
std::optional<FilledColumns> filled_columns(const Dataset& data, const SpectralProblem& problem);

}  // namespace fewdim
