#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

/// K ≈ F Fᵀ from a few of K's columns, K symmetric without negative eigenvalues: the Nyström approximation of the
/// chosen columns, whose error K − F Fᵀ has no negative eigenvalues either.
namespace fewdim {

/// Which columns: at random, or each with a probability that is its share of the error so far, which hardly ever takes
/// what is already known (RPCholesky: Chen, Epperly, Tropp & Webber 2023; in blocks with rejection as in Epperly, Tropp
/// & Webber 2024).
enum class Pivots { uniform, adaptive };

struct PartialCholesky {
  std::vector<std::int32_t> pivots{};  ///< in the order they were taken
  RowMatrix<double> factor{};  ///< F, N×rank; its rows at the pivots are a lower triangle L with K ≈ L Lᵀ there
  double trace = 0.0;          ///< of K
  double left = 0.0;           ///< the trace of K − F Fᵀ, which bounds the error of every eigenvalue
};

/// Writes K(row .. row+m, columns) to out, row-major.
using KernelColumns = std::function<void(Index row, Index m, double* out)>;
/// Makes ready for some columns.
using ColumnsOf = std::function<KernelColumns(std::span<const std::int32_t> columns)>;

/// Fewer than `rank` columns where fewer make up K to rounding. The same bits at any number of threads.
PartialCholesky partial_cholesky(const Vector<double>& diagonal, const ColumnsOf& columns_of, Index rank, Pivots pivots,
                                 Seed seed, const Execution& exec);

}  // namespace fewdim
