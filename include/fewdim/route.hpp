#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fewdim/export.hpp"

namespace fewdim {

/// How the components are computed. `automatic` weighs shape, sparsity, k and memory, and records why.
enum class PcaRoute { automatic, covariance, gram, svd, krylov, power };
/// `high` computes float32 input with float64 products.
enum class Accuracy { standard, high };
/// How the lowest eigenvectors of a sparse matrix are found: all of them by LAPACK, by solves with a sparse Cholesky
/// factor, or by products alone, filtered by polynomials. `automatic` weighs the factor's predicted fill.
enum class SmallestRoute { automatic, dense, factor, filter };

/// Every way that a fit of some method can go: what plans choose from and certificates name.
enum class Route {
  none,         ///< not known: of a model that no fit made
  automatic,    ///< left to the fit, which decides by the data
  covariance,   ///< the matrix of moments of the columns is formed
  gram,         ///< the matrix of products of the rows is formed
  svd,          ///< LAPACK's singular value decomposition of a copy of the data
  krylov,       ///< products alone, by a block Krylov space
  power,        ///< products alone, by power iteration
  direct,       ///< all eigenvalues of a symmetric matrix by LAPACK
  dense,        ///< the lowest eigenvectors by LAPACK
  factor,       ///< the lowest eigenvectors by a sparse Cholesky factor
  filter,       ///< the lowest eigenvectors by polynomials of the matrix
  kept,         ///< the similarities of all pairs are kept in memory
  anew,         ///< they are computed anew whenever they are needed
  given,        ///< they are the data
  all_pairs,    ///< shortest paths between all pairs
  landmarks,    ///< distances or paths from landmarks alone
  nystrom,      ///< features of a kernel from some of the rows
  fourier,      ///< random Fourier features of a kernel
  exact,        ///< a semidefinite program by interior points
  factored,     ///< by a low-rank factor
  laplacian,    ///< by a factor that starts in the graph's smoothest functions
  fastica,      ///< fixed points, all sources together
  deflation,    ///< fixed points, one source after the other
  picard,       ///< quasi-Newton steps of the likelihood
  picard_o,     ///< the same among rotations
  jade,         ///< fourth cumulants, diagonalized together
  hals,         ///< non-negative factors by hierarchical alternating least squares
  als,          ///< factors of ratings by alternating least squares
  soft_impute,  ///< factors of least nuclear norm
  newton,       ///< the likelihood of factors by Newton's steps
  em,           ///< expectation and maximization
  gaussian,     ///< a random map of normal numbers
  sparse,       ///< a random map of signs among zeros
  hadamard,     ///< a random map by fast transforms
  update        ///< rows added to a decomposition, or taken out
};

/// "krylov", "soft-impute", "all pairs"; empty for none.
FEWDIM_API std::string word_of(Route route);
/// The route of that word, as model files name it.
FEWDIM_API std::optional<Route> route_named(std::string_view word);

}  // namespace fewdim
