#include "operators/symmetric_tiles.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "data/table/block.hpp"
#include "operators/symmetric_kernels.hpp"

namespace fewdim {

namespace {

constexpr Index kTileLanes = 8;

/// Columns first .. first+count of x as rows of `width`, filled up with zeros.
void by_rows(ConstBlock<double> x, Index first, Index count, Index width, double* out, const Execution& exec) {
  constexpr Index kRows = 1024;
  parallel_for(exec, (x.rows() + kRows - 1) / kRows, [&](Index task) {
    const Index end = std::min(x.rows(), (task + 1) * kRows);
    for (Index i = task * kRows; i < end; ++i)
      for (Index c = 0; c < width; ++c) out[i * width + c] = c < count ? x(i, first + c) : 0.0;
  });
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
  for (Index first = 0; first < x.cols(); first += kWide) apply_some(x, first, std::min(kWide, x.cols() - first), y);
}

template <class S>
void SymmetricTiles<S>::apply_some(ConstBlock<double> x, Index first, Index count, Block<double> y) const {
  const Index width = count > kNarrow ? kWide : kNarrow, all = tiles();
  Scratch scratch = take_scratch(width, std::min(kTileLanes, all));
  const auto& rows = scratch.rows;
  auto& sums = scratch.sums;
  by_rows(x, first, count, width, rows.get(), exec_);
  parallel_for(exec_, std::ssize(sums), [&](Index lane) {
    const auto& sum = sums[static_cast<std::size_t>(lane)];
    std::fill_n(sum.get(), size_ * width, 0.0);
    std::vector<S> anew;
    for (Index tile = lane; tile < all; tile += kTileLanes) {
      const Place at = place(tile);
      multiply_tile(entries(tile, at, anew), at.m, at.n, at.row != at.col, width, rows.get() + at.row * width,
                    rows.get() + at.col * width, sum.get() + at.row * width, sum.get() + at.col * width);
    }
  });
  constexpr Index kRows = 1024;
  parallel_for(exec_, (size_ + kRows - 1) / kRows, [&](Index task) {
    const Index end = std::min(size_, (task + 1) * kRows);
    for (std::size_t lane = 0; lane < sums.size(); ++lane)
      for (Index i = task * kRows; i < end; ++i)
        for (Index c = 0; c < count; ++c) {
          const double part = sums[lane][static_cast<std::size_t>(i * width + c)];
          y(i, first + c) = lane == 0 ? part : y(i, first + c) + part;
        }
  });
  const std::lock_guard lock(spare_->mutex);
  spare_->scratch = std::move(scratch);
}

template <class S>
typename SymmetricTiles<S>::Scratch SymmetricTiles<S>::take_scratch(Index width, Index lanes) const {
  {
    const std::lock_guard lock(spare_->mutex);
    if (spare_->scratch.width == width) return std::exchange(spare_->scratch, {});
  }
  const auto room = [&] { return make_large_array<double>(static_cast<std::size_t>(size_ * width)); };
  Scratch scratch{.width = width, .rows = room()};
  for (Index lane = 0; lane < lanes; ++lane) scratch.sums.push_back(room());
  return scratch;
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
