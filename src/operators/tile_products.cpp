#include "operators/tile_products.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/tile_kernels.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

namespace {

constexpr Index kLaneMatrix = 1024;
constexpr Index kBlock = 384;

}  // namespace

Index product_lanes(Index n) { return n <= 512 ? 16 : n <= kLaneMatrix ? 8 : 1; }

Index product_tile_length(Index n, std::size_t scalar_bytes) {
  return std::max<Index>(tile_rows_for(n, scalar_bytes), scalar_bytes == 4 ? 1024 : 256);
}

std::uint64_t product_bytes(Index n, std::size_t scalar_bytes) {
  const auto size = static_cast<std::uint64_t>(n);
  return static_cast<std::uint64_t>(product_lanes(n)) * size * size * (scalar_bytes == 4 ? 12 : 8);
}

template <class C>
void add_products(Index n, Index count, const C* tile, bool wide, Matrix<double>& sum, std::vector<C>& scratch) {
  if constexpr (std::is_same_v<C, double>) {
    (void)scratch;
    blas::syrk(!wide, n, count, 1.0, tile, wide ? n : count, 1.0, sum.data(), n);
  } else {
    scratch.resize(static_cast<std::size_t>(n * n));
    blas::syrk(!wide, n, count, C(1), tile, wide ? n : count, C(0), scratch.data(), n);
    for (Index j = 0; j < n; ++j) add_converted(scratch.data() + j * n + j, n - j, &sum(j, j));
  }
}

template <class C>
void add_products_shared(Index n, Index count, const C* tile, bool wide, Matrix<double>& sum, const Execution& exec) {
  const Index blocks = (n + kBlock - 1) / kBlock;
  parallel_for(exec, blocks * (blocks + 1) / 2, [&](Index task) {
    Index row_block = 0;
    while ((row_block + 1) * (row_block + 2) / 2 <= task) ++row_block;
    const Index col_block = task - row_block * (row_block + 1) / 2;
    const Index i = row_block * kBlock, j = col_block * kBlock;
    const Index height = std::min(kBlock, n - i), width = std::min(kBlock, n - j);
    const Index stride = wide ? n : count;
    const C* a = tile + (wide ? i : i * count);
    const C* b = tile + (wide ? j : j * count);
    if constexpr (std::is_same_v<C, double>) {
      blas::gemm(!wide, wide, height, width, count, 1.0, a, stride, b, stride, 1.0, &sum(i, j), n);
    } else {
      std::vector<C> product(static_cast<std::size_t>(height * width));
      blas::gemm(!wide, wide, height, width, count, C(1), a, stride, b, stride, C(0), product.data(), height);
      for (Index c = 0; c < width; ++c) add_converted(product.data() + c * height, height, &sum(i, j + c));
    }
  });
}

template void add_products(Index, Index, const float*, bool, Matrix<double>&, std::vector<float>&);
template void add_products(Index, Index, const double*, bool, Matrix<double>&, std::vector<double>&);
template void add_products_shared(Index, Index, const float*, bool, Matrix<double>&, const Execution&);
template void add_products_shared(Index, Index, const double*, bool, Matrix<double>&, const Execution&);

double forming_error(Index rows, Index tile_rows, bool float64_products) {
  constexpr double kConfidence = 4.0;  // Higham & Mary's λ: fails with probability 2·exp(−λ²/2) = 7e-4
  // Numbers are rounded to float32 after they are centered, many of them alike: their errors don't cancel as sums' do.
  const double in_tile =
      kConfidence * std::sqrt(static_cast<double>(std::min(rows, tile_rows))) * (float64_products ? 1.0 : 2.0);
  const double over_tiles = kConfidence * std::sqrt(static_cast<double>(rows) / static_cast<double>(tile_rows) + 1.0);
  return in_tile * (float64_products ? 0x1.0p-53 : 0x1.0p-24) + over_tiles * 0x1.0p-53;
}

void symmetrize(Matrix<double>& a) {
  constexpr Index kSquare = 64;
  for (Index j0 = 0; j0 < a.cols(); j0 += kSquare)
    for (Index i0 = j0; i0 < a.rows(); i0 += kSquare)
      for (Index j = j0; j < std::min(a.cols(), j0 + kSquare); ++j)
        for (Index i = std::max(i0, j + 1); i < std::min(a.rows(), i0 + kSquare); ++i) a(j, i) = a(i, j);
}

}  // namespace fewdim
