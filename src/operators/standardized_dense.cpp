#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/standardized.hpp"

namespace fewdim {

namespace {

constexpr Index kDenseLanes = 16;

/// Adds the lanes' sums in lane order, split by rows over the threads.
void add_lanes(const std::vector<Matrix<double>>& sums, Block<double> y, const Execution& exec) {
  constexpr Index kRows = 4096;
  parallel_for(exec, (y.rows() + kRows - 1) / kRows, [&](Index task) {
    const Index first = task * kRows, count = std::min(kRows, y.rows() - first);
    auto part = y.middleRows(first, count);
    part.setZero();
    for (const auto& sum : sums)
      if (sum.size() > 0) part += sum.middleRows(first, count);
  });
}

/// product (float64) += tileᵀ-side product, through C.
template <class C>
void add_outer(Index cols, Index rows, Index width, const C* tile, const C* u, Matrix<double>& sum,
               std::vector<C>& scratch) {
  if constexpr (std::is_same_v<C, double>) {
    (void)scratch;
    blas::gemm(false, false, cols, width, rows, 1.0, tile, cols, u, rows, 1.0, sum.data(), cols);
  } else {
    scratch.resize(static_cast<std::size_t>(cols * width));
    blas::gemm(false, false, cols, width, rows, C(1), tile, cols, u, rows, C(0), scratch.data(), cols);
    for (Index i = 0; i < cols * width; ++i) sum.data()[i] += static_cast<double>(scratch[static_cast<std::size_t>(i)]);
  }
}

}  // namespace

template <class C>
void Standardized::dense_normal(ConstBlock<double> x, Block<double> y) const {
  const Index cols = data_.cols(), width = x.cols();
  const Matrix<C> xc = x.template cast<C>();
  const RowTiles<C> tiles(data_, standardization_, kDenseLanes, tile_rows_for(cols, sizeof(C)));
  if (data_.is_stream()) data_.stream()->rewind();
  std::vector<Matrix<double>> sums(kDenseLanes);
  std::vector<std::vector<C>> products(kDenseLanes), scratch(kDenseLanes);
  tiles.scan(exec_, "pass", [&](Index lane, Index, Index rows, C* tile) {
    const auto l = static_cast<std::size_t>(lane);
    if (sums[l].size() == 0) sums[l] = Matrix<double>::Zero(cols, width);
    products[l].resize(static_cast<std::size_t>(rows * width));
    blas::gemm(true, false, rows, width, cols, C(1), tile, cols, xc.data(), cols, C(0), products[l].data(), rows);
    add_outer(cols, rows, width, tile, products[l].data(), sums[l], scratch[l]);
  });
  add_lanes(sums, y, exec_);
}

template <class C>
void Standardized::dense_apply(ConstBlock<double> x, Block<double> y) const {
  const Index cols = data_.cols(), width = x.cols();
  const Matrix<C> xc = x.template cast<C>();
  const RowTiles<C> tiles(data_, standardization_, kDenseLanes, tile_rows_for(cols, sizeof(C)));
  if (data_.is_stream()) data_.stream()->rewind();
  tiles.scan(exec_, "pass", [&](Index, Index first, Index rows, C* tile) {
    Matrix<C> product(rows, width);
    blas::gemm(true, false, rows, width, cols, C(1), tile, cols, xc.data(), cols, C(0), product.data(), rows);
    y.middleRows(first, rows) = product.template cast<double>();
  });
}

template <class C>
void Standardized::dense_adjoint(ConstBlock<double> u, Block<double> y) const {
  const Index cols = data_.cols(), width = u.cols();
  const RowTiles<C> tiles(data_, standardization_, kDenseLanes, tile_rows_for(cols, sizeof(C)));
  if (data_.is_stream()) data_.stream()->rewind();
  std::vector<Matrix<double>> sums(kDenseLanes);
  std::vector<std::vector<C>> scratch(kDenseLanes);
  tiles.scan(exec_, "pass", [&](Index lane, Index first, Index rows, C* tile) {
    const auto l = static_cast<std::size_t>(lane);
    if (sums[l].size() == 0) sums[l] = Matrix<double>::Zero(cols, width);
    const Matrix<C> part = u.middleRows(first, rows).template cast<C>();
    add_outer(cols, rows, width, tile, part.data(), sums[l], scratch[l]);
  });
  add_lanes(sums, y, exec_);
}

template void Standardized::dense_normal<float>(ConstBlock<double>, Block<double>) const;
template void Standardized::dense_normal<double>(ConstBlock<double>, Block<double>) const;
template void Standardized::dense_apply<float>(ConstBlock<double>, Block<double>) const;
template void Standardized::dense_apply<double>(ConstBlock<double>, Block<double>) const;
template void Standardized::dense_adjoint<float>(ConstBlock<double>, Block<double>) const;
template void Standardized::dense_adjoint<double>(ConstBlock<double>, Block<double>) const;

}  // namespace fewdim
