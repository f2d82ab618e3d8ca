#pragma once

#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// Least squares without negative coefficients: for one k×k matrix G, symmetric and positive semidefinite, and many a,
///
///   the y ≥ 0 of least yᵀGy − 2aᵀy.
///
/// Coordinate descent guesses which y_c are zero; an active set (Lawson & Hanson 1974, in the form for a given G of
/// Bro & de Jong 1997) starts from there and ends with the proof: Gy − a is 0 where y > 0 and not negative elsewhere,
/// up to rounding. Where G is singular it is one of the solutions. Every a is solved as if it were alone.
class NonnegativeSolver {
 public:
  explicit NonnegativeSolver(Matrix<double> gram);

  Index size() const { return gram_.rows(); }

  /// Working memory of one thread.
  struct Scratch {
    explicit Scratch(Index size);
    Matrix<double> factor;  ///< Cholesky factor of the passive part of G, lower
    Vector<double> gradient, trial, scale;
    std::vector<Index> passive;  ///< the c with y_c > 0, in the order of the factor
    std::vector<char> is_passive, blocked;
  };

  /// y and a have k numbers; y must not be a. What is not finite in a makes all of y NaN.
  void solve(const double* a, double* y, Scratch& s) const;

 private:
  bool append(Index c, Scratch& s) const;
  void factor_anew(double* y, Scratch& s) const;
  void solve_passive(const double* a, Scratch& s) const;
  void descend_to_passive(const double* a, double* y, Scratch& s) const;
  Index steepest(const double* a, const double* y, Scratch& s) const;

  Matrix<double> gram_;
  Vector<double> inverse_diagonal_;  // 0 where a column of the map is zero
};

}  // namespace fewdim
