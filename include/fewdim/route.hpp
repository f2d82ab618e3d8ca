#pragma once

namespace fewdim {

/// How the components are computed. `automatic` weighs shape, sparsity, k and memory, and records why.
enum class PcaRoute { automatic, covariance, gram, svd, krylov, power };
/// `high` computes float32 input with float64 products.
enum class Accuracy { standard, high };
/// How the lowest eigenvectors of a sparse matrix are found: all of them by LAPACK, by solves with a sparse Cholesky
/// factor, or by products alone, filtered by polynomials. `automatic` weighs the factor's predicted fill.
enum class SmallestRoute { automatic, dense, factor, filter };

}  // namespace fewdim
