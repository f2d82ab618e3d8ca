#pragma once

#include <functional>
#include <limits>

#include "fewdim/execution.hpp"
#include "operators/operator.hpp"

namespace fewdim {

struct KrylovOptions {
  Index block = 8;
  Index max_basis = 0;       ///< columns; 0: chosen from count
  Index max_products = 0;    ///< vectors multiplied; 0: 100·count + 10,000
  double tolerance = 1e-10;  ///< of each residual, relative to its own eigenvalue
  Seed seed = 0;
  std::string_view stage = "krylov";
  Index loose_from = -1;           ///< pairs from here on need only meet loose_tolerance; -1: none
  double loose_tolerance = 1e-10;  ///< not below `tolerance`
  double floor = 1e-14;            ///< no residual need be below this part of the largest eigenvalue: rounding
  double noise = 1e-14;            ///< error of the products, relative to √(trace·largest eigenvalue)
  double trace = 0.0;              ///< the sum of all eigenvalues, of a semidefinite operator; 0: not known
  double least_noise = 0.0;        ///< the same, absolute: of an operator that was made smaller
  bool semidefinite = false;       ///< no eigenvalue is below 0
  bool every_step = false;         ///< go over the whole basis in every step, whatever the tolerance is
  /// Eigenvalues outside that are not above this don't matter, where it is above the last one wanted.
  double limit = -std::numeric_limits<double>::infinity();
};

struct KrylovResult {
  Vector<double> values;   ///< descending, `count` of them, then one more as a guard when there is one
  Matrix<double> vectors;  ///< `count` columns
  Index iterations = 0;    ///< blocks multiplied
  Index products = 0;
  bool converged = false;
  bool stalled = false;  ///< residuals have stopped to fall
  /// The largest eigenvalue is not above the first, none outside of `vectors` above the second, but with this
  /// probability.
  double first_upper = std::numeric_limits<double>::infinity();
  double outside_upper = std::numeric_limits<double>::infinity();
  double outside_probability = 1.0;
  double found_outside = 0.0;  ///< an eigenvalue above the last one that was found and could not be taken in; 0: none
  double lowest = 0.0;         ///< the smallest Ritz value: the smallest eigenvalue is not above it
  /// A Ω with Ω the start block of independent normal numbers: for V the eigenvectors and P = I − VVᵀ, each column of
  /// P A Ω = P A P Ω is a probe of what lies outside them, at no cost.
  Matrix<double> start_products;
};

/// How many pairs are wanted, given the current eigenvalue estimates (descending): a constant, or the number that
/// reaches a share of the variance. -1: more than there are yet.
using Wanted = std::function<Index(const Vector<double>& estimates)>;

/// The largest eigenpairs of a symmetric operator by block Krylov: block Lanczos from a random
/// start with full reorthogonalization, Rayleigh–Ritz over the whole block Krylov space (Musco & Musco 2015), thick
/// restarts when the basis is full (Wu & Simon 2000). Stops when the residuals are below the tolerance and a random
/// probe outside of the basis (OutsideProbe) says that nothing larger was missed; what it finds it goes on with. Stops
/// as well, not converged, where residuals no longer fall.
KrylovResult krylov_largest(const SymmetricOperator& a, const Wanted& wanted, Index first_guess,
                            const KrylovOptions& options, const Execution& exec);

/// Columns of the basis such a call would take.
Index krylov_basis(Index size, Index count, Index block);

}  // namespace fewdim
