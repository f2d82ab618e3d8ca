#pragma once

#include <string>

#include "fewdim/execution.hpp"
#include "operators/sparse_symmetric.hpp"
#include "solvers/sparse/elimination.hpp"

namespace fewdim {

/// The smallest eigenpairs by blocks of vectors; the two iterative routes of smallest.hpp.
struct BlockProblem {
  std::string who;
  Index count = 2;
  const Matrix<double>& null_space;
  double norm = 0.0;  ///< not below ‖A‖
  double tolerance = 1e-8;
  Seed seed = 0;
};

struct FoundPairs {
  Vector<double> values;   ///< ascending; `count` of them and the next where there is one
  Matrix<double> vectors;  ///< `count` columns
  Vector<double> angles;   ///< bounds of the angles to the true vectors, radians; empty where there is no factor
  Index iterations = 0;
  Index products = 0;
  double shift = 0.0;
};

/// Vectors of a block: those wanted, the next one, and one more; in fours, as the products take them. More would save
/// steps, but cost more than they save: 9 steps of 4 find two vectors of a sheet's Laplacian, 8 steps of 8 do.
inline Index smallest_block(Index count) { return (count + 2 + 3) / 4 * 4; }
/// The same for filters, which live of the distance to the first eigenvalue outside of the block.
inline Index filter_block(Index count) { return (count + 4 + 7) / 8 * 8; }
/// Vectors of the basis before it is restarted.
inline Index basis_columns(Index count) { return 12 * filter_block(count); }

/// Inverse iteration in a growing basis: Ritz vectors of A itself, each step extended by (A + σI)⁻¹ of their residuals
/// (Davidson's method with the exact inverse, which spans the Krylov space of the inverse).
FoundPairs by_factor(const SparseSymmetric& a, const Elimination& elimination, const BlockProblem& problem,
                     const Execution& exec);

/// The same basis, extended by Chebyshev polynomials of A times the Ritz vectors (Zhou & Saad 2007).
FoundPairs by_filter(const SparseSymmetric& a, const BlockProblem& problem, const Execution& exec);

}  // namespace fewdim
