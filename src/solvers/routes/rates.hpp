#pragma once

#include <array>

namespace fewdim {

/// Kinds of work that plans estimate the time of; the amount is in floating-point operations where nothing else is
/// said.
enum class Work {
  blas,               ///< level 3
  blas_thin,          ///< level 3 with thin blocks
  blas_basis,         ///< a basis made orthogonal
  blas_svd,           ///< a whole singular value decomposition
  blas_vector,        ///< one vector at a time
  tridiagonal,        ///< LAPACK's reduction, half of it bound by memory
  formed_products,    ///< products with a symmetric matrix in memory
  sparse_products,    ///< stored entries times vectors, in AᵀAx
  sparse_pairs,       ///< pairs of stored entries in one column, in XXᵀ
  sparse_factors,     ///< products of sparse rows with factors
  stream,             ///< bytes read
  tile_fill,          ///< similarities of pairs of rows
  tile_products,      ///< products with them
  features,           ///< explicit features of a kernel, and their covariance
  tree_rows,          ///< rows whose neighbors are found by a tree
  neighbor_products,  ///< neighbors by products
  fronts,             ///< a sparse factor, with its solves
  factor,             ///< the same, where it is weighed against a filter
  filter,             ///< entries times vectors, where a filter is weighed against a factor
  path_pairs,         ///< pairs that a shortest path is found for
  path_products,      ///< products with the paths' lengths
  stress_pairs,       ///< pairs in a pass of majorization
  ordered_pairs,      ///< pairs in a monotone regression
  unfolded_rows,      ///< rows that a low-rank factor unfolds
  semidefinite,       ///< iterations of CSDP
  source_numbers,     ///< numbers that a contrast is taken of
  plain               ///< loops of our own
};

/// Nominal amounts a second of a two-core machine of 2023, measured; they rank the routes and are the same everywhere,
/// so that the choice - and with it the bits - never depends on the machine's load or its number of threads.
inline constexpr std::array work_rates{
    120e9,         // blas
    0.7 * 120e9,   // blas_thin
    0.5 * 120e9,   // blas_basis
    0.25 * 120e9,  // blas_svd
    0.1 * 120e9,   // blas_vector
    6e9,           // tridiagonal
    25e9,          // formed_products
    1 / 0.45e-9,   // sparse_products
    1 / 0.6e-9,    // sparse_pairs
    4e9,           // sparse_factors
    2e9,           // stream
    3.5e10,        // tile_fill
    4.3e10,        // tile_products
    6e10,          // features
    5e5,           // tree_rows
    4e10,          // neighbor_products
    2e10,          // fronts
    3e10,          // factor
    2e9,           // filter
    1.1e8,         // path_pairs
    1e11,          // path_products
    1 / 2.5e-9,    // stress_pairs
    1 / 2.5e-8,    // ordered_pairs
    1 / 1.2e-3,    // unfolded_rows: swiss rolls of 1,000 to 20,000 took 1.0 to 1.2 ms a row
    1e10,          // semidefinite
    1 / 1.5e-9,    // source_numbers
    2e10           // plain
};
static_assert(work_rates.size() == static_cast<std::size_t>(Work::plain) + 1);

constexpr double seconds_for(Work work, double amount) { return amount / work_rates[static_cast<std::size_t>(work)]; }

}  // namespace fewdim
