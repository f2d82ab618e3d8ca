#pragma once

#include <string>

#include "fewdim/certificate.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/options.hpp"
#include "operators/operator.hpp"

namespace fewdim {

/// The leading eigenpairs of a symmetric matrix that need not be positive: a centered kernel, doubly centered
/// distances.
struct SymmetricProblem {
  std::string who = "kernel-pca";
  Components components = 2;  ///< a number or a share; criteria are resolved before
  double total = 0.0;         ///< the trace: the denominator of a share
  Index limit = 0;            ///< the most components there can be
  double tolerance = 1e-10;   ///< of each residual, relative to its own eigenvalue
  double rounding = 1e-13;    ///< of the products, relative to the largest eigenvalue: no residual need be below
  Seed seed = 0;
  double nothing = 0.0;  ///< eigenvalues no larger than this are rounding of the products
  Index at_least = 0;    ///< pairs to find even where fewer are wanted, as far as they are positive; to 1e-6 only
};

struct SymmetricPairs {
  Vector<double> values;    ///< descending, all positive
  Matrix<double> vectors;   ///< orthonormal columns, signs fixed
  Vector<double> spectrum;  ///< all eigenvalues, descending, where they were computed; else empty
  double lowest = 0.0;      ///< the smallest eigenvalue, or an estimate from above
  Certificate certificate;
  Index wanted = 0;  ///< how many of the pairs were asked for; the rest came of `at_least`

  /// Drops the pairs that were not asked for.
  void keep_wanted();
};

/// Bytes that symmetric_pairs takes beside the operator.
std::uint64_t symmetric_pairs_bytes(Index size, Index count);

/// Small matrices and large shares of the spectrum by LAPACK, the rest by block Krylov; residuals recomputed. Throws
/// DataError when fewer eigenvalues are positive than components are asked for, NotConverged when the tolerance is
/// missed.
SymmetricPairs symmetric_pairs(const SymmetricOperator& op, const SymmetricProblem& problem, const Execution& exec);

}  // namespace fewdim
