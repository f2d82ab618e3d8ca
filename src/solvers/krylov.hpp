#pragma once

#include <functional>

#include "fewdim/execution.hpp"
#include "operators/operator.hpp"

namespace fewdim {

struct KrylovOptions {
  Index block = 8;
  Index max_basis = 0;       ///< columns; 0: chosen from count
  Index max_products = 0;    ///< vectors multiplied; 0: 100·count + 10,000
  double tolerance = 1e-10;  ///< of the residuals, relative to the largest eigenvalue
  Seed seed = 0;
  std::string_view stage = "krylov";
  Index loose_from = -1;           ///< pairs from here on need only meet loose_tolerance; -1: none
  double loose_tolerance = 1e-10;  ///< not below `tolerance`
};

struct KrylovResult {
  Vector<double> values;   ///< descending, `count` of them, then one more as a guard when there is one
  Matrix<double> vectors;  ///< `count` columns
  Index iterations = 0;    ///< blocks multiplied
  Index products = 0;
  bool converged = false;
  double lowest = 0.0;  ///< the smallest Ritz value: the smallest eigenvalue is not above it
  /// A Ω with Ω the start block of independent normal numbers: for V the eigenvectors and P = I − VVᵀ, each column of
  /// P A Ω = P A P Ω is a probe of what lies outside them, at no cost.
  Matrix<double> start_products;
};

/// How many pairs are wanted, given the current eigenvalue estimates (descending): a constant, or the number that
/// reaches a share of the variance. -1: more than there are yet.
using Wanted = std::function<Index(const Vector<double>& estimates)>;

/// The largest eigenpairs of a symmetric operator by block Krylov: block Lanczos from a random
/// start with full reorthogonalization, Rayleigh–Ritz over the whole block Krylov space (Musco & Musco 2015), thick
/// restarts when the basis is full (Wu & Simon 2000). Stops when the residuals are below the tolerance.
KrylovResult krylov_largest(const SymmetricOperator& a, const Wanted& wanted, Index first_guess,
                            const KrylovOptions& options, const Execution& exec);

/// Columns of the basis such a call would take.
Index krylov_basis(Index size, Index count, Index block);

}  // namespace fewdim
