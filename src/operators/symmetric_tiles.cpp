#include "operators/symmetric_tiles.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "data/block.hpp"

namespace fewdim {

namespace {

constexpr Index kLanes = 8;
constexpr Index kStrip = 64;  // rows of a float32 tile that are widened at a time

/// y_rows += T x_cols and, off the diagonal, y_cols += Tᵀ x_rows, for T m×n row-major.
void multiply(const double* tile, Index stride, Index row, Index m, Index col, Index n, bool mirrored,
              ConstBlock<double> x, Matrix<double>& y) {
  const Index width = x.cols();
  blas::gemm(true, false, m, width, n, 1.0, tile, stride, x.data() + col, x.outerStride(), 1.0, y.data() + row,
             y.rows());
  if (mirrored)
    blas::gemm(false, false, n, width, m, 1.0, tile, stride, x.data() + row, x.outerStride(), 1.0, y.data() + col,
               y.rows());
}

}  // namespace

template <class S>
SymmetricTiles<S>::SymmetricTiles(Index size, Fill fill, bool keep, std::string_view stage, const Execution& exec)
    : size_(size), fill_(std::move(fill)), exec_(exec) {
  if (!keep) return;
  const auto values = make_large_array<S>(kept_bytes(size) / sizeof(S));
  constexpr Index kRound = 64;
  for (Index start = 0; start < tiles(); start += kRound) {
    parallel_for(exec, std::min(kRound, tiles() - start), [&](Index task) {
      const Place at = place(start + task);
      fill_(at.row, at.m, at.col, at.n, values.get() + (start + task) * kTile * kTile);
    });
    report_progress(exec, stage, std::min(tiles(), start + kRound), tiles(), "tiles");
  }
  values_ = values;
}

template <class S>
SymmetricTiles<S>::SymmetricTiles(Index size, const std::function<void(const TakeRow&)>& give, const Execution& exec)
    : size_(size), exec_(exec), values_(make_large_array<S>(kept_bytes(size) / sizeof(S))) {
  give([&](Index i, const S* entries) {
    const Index block = i / kTile, first = block * (block + 1) / 2;
    for (Index tile = first; tile <= first + block; ++tile) {
      const Place at = place(tile);
      std::copy_n(entries + at.col, at.n, values_.get() + tile * kTile * kTile + (i - at.row) * at.n);
    }
  });
  parallel_for(exec, (size + kTile - 1) / kTile, [&](Index block) {
    const Index tile = block * (block + 3) / 2;  // on the diagonal: one half is the whole of it
    const Place at = place(tile);
    S* values = values_.get() + tile * kTile * kTile;
    for (Index i = 0; i < at.m; ++i)
      for (Index j = i + 1; j < at.n; ++j) values[i * at.n + j] = values[j * at.n + i];
  });
}

template <class S>
Index SymmetricTiles<S>::tiles() const {
  const Index blocks = (size_ + kTile - 1) / kTile;
  return blocks * (blocks + 1) / 2;
}

template <class S>
std::uint64_t SymmetricTiles<S>::kept_bytes(Index size) {
  const auto blocks = static_cast<std::uint64_t>((size + kTile - 1) / kTile);
  return blocks * (blocks + 1) / 2 * kTile * kTile * sizeof(S);
}

template <class S>
typename SymmetricTiles<S>::Place SymmetricTiles<S>::place(Index tile) const {
  auto block = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(tile) + 1.0) - 1.0) / 2.0);
  while (block * (block + 1) / 2 > tile) --block;
  while ((block + 1) * (block + 2) / 2 <= tile) ++block;
  const Index row = block * kTile, col = (tile - block * (block + 1) / 2) * kTile;
  return {row, std::min(kTile, size_ - row), col, std::min(kTile, size_ - col)};
}

template <class S>
const S* SymmetricTiles<S>::entries(Index tile, const Place& at, std::vector<S>& scratch) const {
  if (values_) return values_.get() + tile * kTile * kTile;
  scratch.resize(static_cast<std::size_t>(kTile * kTile));
  fill_(at.row, at.m, at.col, at.n, scratch.data());
  return scratch.data();
}

template <class S>
void SymmetricTiles<S>::apply(ConstBlock<double> x, Block<double> y) const {
  std::vector<Matrix<double>> sums(kLanes);
  const Index all = tiles();
  parallel_for(exec_, std::min(kLanes, all), [&](Index lane) {
    Matrix<double>& sum = sums[static_cast<std::size_t>(lane)];
    sum = Matrix<double>::Zero(size_, x.cols());
    std::vector<S> scratch;
    std::vector<double> strip;
    for (Index tile = lane; tile < all; tile += kLanes) {
      const Place at = place(tile);
      const S* values = entries(tile, at, scratch);
      const bool mirrored = at.row != at.col;
      if constexpr (std::is_same_v<S, double>) {
        multiply(values, at.n, at.row, at.m, at.col, at.n, mirrored, x, sum);
      } else {
        strip.resize(static_cast<std::size_t>(kStrip * kTile));
        for (Index first = 0; first < at.m; first += kStrip) {
          const Index rows = std::min(kStrip, at.m - first);
          std::copy_n(values + first * at.n, rows * at.n, strip.data());
          multiply(strip.data(), at.n, at.row + first, rows, at.col, at.n, mirrored, x, sum);
        }
      }
    }
  });
  constexpr Index kRows = 4096;
  parallel_for(exec_, (size_ + kRows - 1) / kRows, [&](Index task) {
    const Index first = task * kRows, count = std::min(kRows, size_ - first);
    y.middleRows(first, count) = sums[0].middleRows(first, count);
    for (std::size_t lane = 1; lane < sums.size(); ++lane)
      if (sums[lane].size() > 0) y.middleRows(first, count) += sums[lane].middleRows(first, count);
  });
}

template <class S>
void SymmetricTiles<S>::for_each(
    const std::function<void(Index row, Index m, Index col, Index n, const S* tile)>& use) const {
  parallel_for(exec_, tiles(), [&](Index tile) {
    const Place at = place(tile);
    std::vector<S> scratch;
    use(at.row, at.m, at.col, at.n, entries(tile, at, scratch));
  });
}

template <class S>
SymmetricOperator double_centered(const SymmetricTiles<S>& k, const Vector<double>& weights, double factor) {
  return SymmetricOperator(k.size(), [&k, &weights, factor](ConstBlock<double> x, Block<double> y) {
    const Index n = k.size();
    const bool weighted = weights.size() > 0;
    const auto size = static_cast<double>(n);
    Matrix<double> z = x;
    for (Index c = 0; c < z.cols(); ++c) {  // z = Jᵀ W^½ x = W^½x − w (1ᵀ W^½ x)
      double sum = 0.0;
      for (Index i = 0; i < n; ++i) {
        if (weighted) z(i, c) *= std::sqrt(size * weights[i]);
        sum += z(i, c);
      }
      for (Index i = 0; i < n; ++i) z(i, c) -= weighted ? weights[i] * sum : sum / size;
    }
    k.apply(z, y);
    for (Index c = 0; c < y.cols(); ++c) {  // y = factor W^½ J y = factor W^½ (y − 1 wᵀy)
      double mean = 0.0;
      for (Index i = 0; i < n; ++i) mean += weighted ? weights[i] * y(i, c) : y(i, c);
      if (!weighted) mean /= size;
      for (Index i = 0; i < n; ++i)
        y(i, c) = factor * (y(i, c) - mean) * (weighted ? std::sqrt(size * weights[i]) : 1.0);
    }
  });
}

template class SymmetricTiles<float>;
template class SymmetricTiles<double>;
template SymmetricOperator double_centered(const SymmetricTiles<float>&, const Vector<double>&, double);
template SymmetricOperator double_centered(const SymmetricTiles<double>&, const Vector<double>&, double);

}  // namespace fewdim
