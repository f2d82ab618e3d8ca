#pragma once

#include <memory>
#include <mutex>

#include "solvers/sparse/elimination.hpp"
#include "solvers/sparse/tree_schedule.hpp"

namespace fewdim {

/// Cholesky's factor of A + shift·I by the multifrontal method (Duff & Reid 1983; Liu 1992): each supernode is a dense
/// front, factored by BLAS, that hands what it takes off the rest to its parent. The same bits at any thread count.
class SparseCholesky {
 public:
  /// Refers to `elimination`, which belongs to the pattern of `a`.
  SparseCholesky(const SparseSymmetric& a, const Elimination& elimination, double shift, const Execution& exec);

  /// False where a pivot was not positive: there is no factor then.
  bool positive() const { return positive_; }
  /// x ← (A + shift·I)⁻¹ x, up to eight columns at a time.
  void solve(Block<double> x, const Execution& exec) const;
  /// The same for rows in the order of elimination, which saves moving them.
  void solve_ordered(Block<double> x, const Execution& exec) const;
  Matrix<double> to_order(ConstBlock<double> x) const;
  Matrix<double> from_order(ConstBlock<double> x) const;

 private:
  struct Spare;
  void find_targets(const Execution& exec);
  template <class Place>
  void solve_rows(Block<double> x, const Place& place, const Execution& exec) const;
  void forward(Index line, Index s, double* x, double* updates) const;
  void forward_subtree(Index line, Index first, Index root, double* x, double* updates) const;
  void backward(Index line, Index s, double* x) const;

  const Elimination& elimination_;
  TreeSchedule schedule_;
  std::vector<std::int64_t> panel_offsets_{};
  std::shared_ptr<double[]> panels_{};  ///< per supernode (width+below)×width, column by column
  /// Of each row of a supernode its place in the parent's front; inside of the schedule's subtrees the row itself, or
  /// size() and its place among the rows of the subtree's root.
  std::vector<std::int32_t> relative_{};
  std::vector<std::int32_t> child_offsets_{}, children_{};
  bool positive_ = false;
  std::shared_ptr<Spare> spare_;
};

/// How many eigenvalues of A − τI are negative, by Sylvester's law of inertia.
struct Inertia {
  Index negative = 0;
  double growth =
      0.0;  ///< largest number met in the elimination, beside the largest of A: above 1e8 the count may be off
};

/// The number of eigenvalues of A below `bound`, from a block LDLᵀ of A − bound·I with Bunch & Kaufman's pivots inside
/// each supernode.
Inertia count_below(const SparseSymmetric& a, const Elimination& elimination, double bound, const Execution& exec);

}  // namespace fewdim
