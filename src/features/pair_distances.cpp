#include "features/pair_distances.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "data/table/block.hpp"
#include "features/given_matrix.hpp"

namespace fewdim {

std::pair<Index, Index> pair_at(std::uint64_t place) {
  auto i = static_cast<Index>((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(place))) / 2.0);
  while (pair_count(i) > place) --i;
  while (pair_count(i + 1) <= place) ++i;
  return {i, static_cast<Index>(place - pair_count(i))};
}

template <class S>
PairDistances<S> PairDistances<S>::given(const Dataset& full) {
  PairDistances out;
  out.objects_ = full.rows();
  if (const auto* view = full.dense<S>(); view && (view->col_stride == 1 || view->row_stride == 1)) {
    // Symmetric: a column serves as the row of the same number.
    out.lying_ = view->data;
    out.stride_ = view->col_stride == 1 ? view->row_stride : view->col_stride;
    if (out.stride_ >= out.objects_) return out;
    out.lying_ = nullptr;
  }
  out.fill_ = [full](Index row, Index m, Index col, Index n, S* to) { copy_given(full, row, m, col, n, to); };
  return out;
}

template <class S>
PairDistances<S> PairDistances<S>::anew(Index objects, Fill fill) {
  PairDistances out;
  out.objects_ = objects;
  out.fill_ = std::move(fill);
  return out;
}

template <class S>
PairDistances<S> PairDistances<S>::packed(Index objects, std::shared_ptr<const S[]> values) {
  PairDistances out;
  out.objects_ = objects;
  out.packed_ = std::move(values);
  return out;
}

template <class S>
PairDistances<S> PairDistances<S>::kept(std::string_view stage, const Execution& exec) const {
  const auto values = make_large_array<S>(pair_count(objects_));
  const PairTiles tiles(objects_);
  constexpr Index kRound = 256;
  for (Index start = 0; start < tiles.count(); start += kRound) {
    parallel_for(exec, std::min(kRound, tiles.count() - start), [&](Index task) {
      const auto at = tiles.tile(start + task);
      std::vector<S> scratch;
      const Piece piece = this->piece(at.row, at.m, at.col, at.n, scratch);
      for (Index i = at.row; i < at.row + at.m; ++i)
        std::copy_n(piece.row(i), std::min(at.n, i - at.col), values.get() + pair_place(i, at.col));
    });
    report_progress(exec, stage, std::min(tiles.count(), start + kRound), tiles.count(), "tiles");
  }
  return packed(objects_, values);
}

template <class S>
typename PairDistances<S>::Piece PairDistances<S>::piece(Index row, Index m, Index col, Index n,
                                                         std::vector<S>& scratch) const {
  if (packed_) return {packed_.get(), 0, row, col};
  if (lying_) return {lying_ + row * stride_ + col, stride_, row, col};
  scratch.resize(static_cast<std::size_t>(m * n));
  fill_(row, m, col, n, scratch.data());
  return {scratch.data(), n, row, col};
}

template <class S>
double PairDistances<S>::entry(Index i, Index j) const {
  if (i < j) std::swap(i, j);
  if (i == j) return 0.0;
  std::vector<S> scratch;
  return static_cast<double>(*piece(i, 1, j, 1, scratch).row(i));
}

Index PairTiles::count() const {
  const Index blocks = (objects_ + side_ - 1) / side_;
  return blocks * (blocks + 1) / 2;
}

PairTiles::Tile PairTiles::tile(Index number) const {
  const auto [below, column] = pair_at(static_cast<std::uint64_t>(number));  // diagonal tiles count: one row further
  const Index row = (below - 1) * side_, col = column * side_;
  return {row, std::min(side_, objects_ - row), col, std::min(side_, objects_ - col)};
}

template class PairDistances<float>;
template class PairDistances<double>;

}  // namespace fewdim
