#pragma once

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

/// Sums of products of tiles with themselves: what a covariance and a Gram matrix are both made of.
namespace fewdim {

/// How the n×n sum is kept: up to 1,024 each lane has one of its own; above, all threads share one and split its
/// blocks.
Index product_lanes(Index n);
inline bool products_shared(Index n) { return product_lanes(n) == 1; }

/// Rows (or columns) of a tile that is added to an n×n sum: long enough that a product costs more than touching it.
Index product_tile_length(Index n, std::size_t scalar_bytes);

/// Bytes that `product_lanes` sums of n×n take, with what float32 products need beside them.
std::uint64_t product_bytes(Index n, std::size_t scalar_bytes);

/// sum += tile · tileᵀ, lower triangle; the tile is n×count column-major (`wide`: n contiguous) or count×n
/// column-major. float32 products are added up in float64. `scratch` is kept between calls.
template <class C>
void add_products(Index n, Index count, const C* tile, bool wide, Matrix<double>& sum, std::vector<C>& scratch);

/// The same with the blocks of the sum dealt out to all threads.
template <class C>
void add_products_shared(Index n, Index count, const C* tile, bool wide, Matrix<double>& sum, const Execution& exec);

/// Copies the lower triangle to the upper.
void symmetrize(Matrix<double>& a);

/// Rounding error of a matrix formed this way, relative to its trace: √n·u with n the longest sum of a tile
/// (Higham & Mary 2019, with their λ = 4), plus the float64 sums over tiles.
double forming_error(Index rows, Index tile_rows, bool float64_products);

}  // namespace fewdim
