#pragma once

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <vector>

#include "fewdim/types.hpp"
#include "solvers/ratings/row_kernels.hpp"

/// Rows placed by least squares over the entries that they have, or over all with weights that count more where there
/// is something.
namespace fewdim {

using AlignedNumbers = std::vector<double, tbb::cache_aligned_allocator<double>>;

/// Numbers in rows of whole lanes, zeros behind the last.
class LaneTable {
 public:
  LaneTable() = default;
  LaneTable(Index rows, Index cols)
      : rows_(rows), cols_(cols), width_(whole_lanes(cols)), numbers_(static_cast<std::size_t>(rows * width_), 0.0) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index width() const { return width_; }
  double* row(Index i) { return numbers_.data() + i * width_; }
  const double* row(Index i) const { return numbers_.data() + i * width_; }

 private:
  Index rows_ = 0, cols_ = 0, width_ = 0;
  AlignedNumbers numbers_;
};

/// What rows are regressed on: z_j for the entries in column j, and what their penalties are.
struct RowDesign {
  LaneTable table{};        ///< row j is z_j
  bool constant = false;    ///< one regressor more, behind the others: 1
  Vector<double> shift{};   ///< taken off an entry in column j; empty: 0
  Vector<double> ridge{};   ///< one a regressor
  bool by_count = false;    ///< ridge times the number of entries (Zhou et al. 2008)
  bool implicit = false;    ///< entries are counts; see gram
  double confidence = 0.0;  ///< implicit: an entry x > 0 says 1, with weight 1 + confidence·x
  Matrix<double> gram{};  ///< implicit: Σ_j z_j z_jᵀ over all columns, which say 0 with weight 1 where there is none

  Index unknowns() const { return table.cols() + (constant ? 1 : 0); }
};

/// Σ_j z_j z_jᵀ, in the order of j.
Matrix<double> gram_of(const LaneTable& table);

/// One row after the other; scratch of one task.
class RowFitter {
 public:
  explicit RowFitter(const RowDesign& design);

  /// The y of least Σ_j w_j (t_j − y·z_j)² + Σ_c ridge_c y_c² over the entries. All 0 for a row without entries.
  template <class U>
  const double* fit(const std::int32_t* columns, const U* values, Index count);

  double least() const { return least_; }  ///< what is left at that y, the penalty included
  /// The squares of A y − b at another y, half the gradient there, added to `squares`. Returns Σ_j w_j t_j² Σ_j w_j
  /// ‖z_j‖², which ‖b‖² can't be above (Cauchy & Schwarz); ‖b‖ itself is nothing where users have taken up all there
  /// is.
  double residual_at(const double* y, double* squares);

 private:
  void assemble(double lift);

  const RowDesign& design_;
  Index width_, size_;  // lanes of the table, and of the unknowns
  AlignedNumbers gram_, sums_, left_, right_, extra_, system_, answer_;
  Vector<double> rhs_;
  Index entries_ = 0;
  double targets_ = 0.0, weights_ = 0.0, squares_ = 0.0, least_ = 0.0;
};

}  // namespace fewdim
