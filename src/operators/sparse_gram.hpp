#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

/// AAᵀ (N×N, both triangles) of sparse rows, A = W^½(X − 1μᵀ)S⁻¹: products of stored entries alone, Σ_j n_j² of them
/// for columns of n_j entries. The means' part is taken off after: for c = X S⁻²μ and m = μᵀS⁻²μ,
///   (X − 1μᵀ)S⁻²(X − 1μᵀ)ᵀ = X S⁻²Xᵀ − 1cᵀ − c1ᵀ + m 11ᵀ.
Matrix<double> sparse_gram(const Dataset& data, const Standardization& standardization, const Execution& exec);

/// Bytes beside the result.
std::uint64_t sparse_gram_bytes(Index cols, std::int64_t nonzeros);

}  // namespace fewdim
