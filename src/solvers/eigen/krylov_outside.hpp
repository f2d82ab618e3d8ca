#pragma once

#include "solvers/eigen/krylov_space.hpp"

/// What a Krylov space tells of the eigenvalues that it has not found, and what its residuals may be.
namespace fewdim {

double largest_of(const Ritz& ritz);

/// The error of products, absolute.
double noise_of(const Ritz& ritz, const KrylovOptions& options);

/// What no residual need be below: rounding.
double floor_of(const Ritz& ritz, const KrylovOptions& options);

/// What a residual may be: its part of its own eigenvalue, down to rounding of the largest.
double allowed(const Ritz& ritz, Index c, const KrylovOptions& options);

/// The largest residual of the first `count` pairs, relative to what it may be.
double worst_of(const Ritz& ritz, Index count, const KrylovOptions& options);

/// What is known of the eigenvalues outside of the basis: none is above `upper` = μ.
struct Beyond {
  double upper = std::numeric_limits<double>::infinity();
  double found = -std::numeric_limits<double>::infinity();
  Matrix<double> directions{};  ///< of the largest found
};

/// A few steps of a random probe: until what it may have missed is well below the last pairs, or no better is to be
/// had.
Beyond probe_beyond(const KrylovSpace& s, const SymmetricOperator& a, double last, double limit, double floor,
                    const KrylovOptions& options, std::uint32_t turn, KrylovResult& result, const Execution& exec);

/// The least of some values x that no eigenvalue but the first `count` is above.
double upper_after(const KrylovSpace& s, const Ritz& ritz, Index count, const Beyond& beyond, double limit,
                   const KrylovOptions& options);

}  // namespace fewdim
