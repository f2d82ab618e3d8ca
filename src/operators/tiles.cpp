#include "operators/tiles.hpp"

#include <algorithm>
#include <memory>

#include "base/parallel.hpp"
#include "operators/tile_kernels.hpp"

namespace fewdim {

namespace {

constexpr Index kTileBytes = Index{1} << 20;

template <class C, class S>
void load_dense(const DenseView<S>& view, Index first, Index rows, Index first_col, Index cols, C* out) {
  const S* base = view.data + first * view.row_stride + first_col * view.col_stride;
  if (view.col_stride == 1) {
    // A narrow tile of wide rows jumps from page to page, where the processor does not look ahead by itself.
    constexpr Index kAhead = 4, kLine = 64 / sizeof(S);
    const bool jumps = view.row_stride > cols;
    for (Index i = 0; i < rows; ++i) {
      const S* source = base + i * view.row_stride;
      C* target = out + i * cols;
      if (jumps && i + kAhead < rows)
        for (Index j = 0; j < cols; j += kLine) __builtin_prefetch(source + kAhead * view.row_stride + j);
      for (Index j = 0; j < cols; ++j) target[j] = static_cast<C>(source[j]);
    }
    return;
  }
  constexpr Index kSquare = 32;  // both sides of the transposition stay in the first cache
  for (Index i0 = 0; i0 < rows; i0 += kSquare)
    for (Index j0 = 0; j0 < cols; j0 += kSquare)
      for (Index j = j0; j < std::min(cols, j0 + kSquare); ++j)
        for (Index i = i0; i < std::min(rows, i0 + kSquare); ++i)
          out[i * cols + j] = static_cast<C>(base[i * view.row_stride + j * view.col_stride]);
}

template <class C, class S>
void load_csr(const CsrView<S>& view, Index first, Index rows, C* out) {
  std::fill_n(out, rows * view.cols, C(0));
  for (Index i = 0; i < rows; ++i)
    for (std::int64_t e = view.offsets[first + i]; e < view.offsets[first + i + 1]; ++e)
      out[i * view.cols + view.columns[e]] = static_cast<C>(view.values[e]);
}

}  // namespace

Index tile_rows_for(Index cols, std::size_t scalar_bytes) {
  const Index row_bytes = std::max<Index>(1, cols) * static_cast<Index>(scalar_bytes);
  return std::clamp<Index>(kTileBytes / row_bytes, 32, 4096);
}

template <class C>
void load_rows(const Dataset& data, Index first, Index count, C* out) {
  if (const auto* v = data.dense<double>()) return load_dense(*v, first, count, 0, v->cols, out);
  if (const auto* v = data.dense<float>()) return load_dense(*v, first, count, 0, v->cols, out);
  if (const auto* v = data.sparse<double>()) return load_csr(*v, first, count, out);
  if (const auto* v = data.sparse<float>()) return load_csr(*v, first, count, out);
  throw Error(ErrorKind::internal, "load_rows: a stream has no rows to pick from");
}

template <class C>
void load_columns(const Dataset& data, Index first, Index count, C* out) {
  if (const auto* v = data.dense<double>()) return load_dense(*v, 0, v->rows, first, count, out);
  if (const auto* v = data.dense<float>()) return load_dense(*v, 0, v->rows, first, count, out);
  throw Error(ErrorKind::internal, "load_columns: the data set is not dense");
}

template <class C>
RowTiles<C>::RowTiles(const Dataset& data, const Standardization& standardization, Index lanes, Index tile_rows,
                      Index spare_rows)
    : data_(data), standardization_(standardization), lanes_(lanes), tile_rows_(tile_rows), spare_rows_(spare_rows) {}

template <class C>
std::uint64_t RowTiles<C>::bytes() const {
  const Index buffers = data_.is_stream() ? 2 * lanes_ : lanes_;
  return static_cast<std::uint64_t>(buffers * (tile_rows_ + spare_rows_) * data_.cols()) * sizeof(C);
}

template <class C>
Index RowTiles<C>::scan(const Execution& exec, std::string_view stage, const Body& body) const {
  return data_.is_stream() ? scan_stream(exec, stage, body) : scan_memory(exec, stage, body);
}

template <class C>
void RowTiles<C>::standardize(Index first_row, Index rows, C* tile) const {
  const Index cols = data_.cols();
  const double* mean = standardization_.mean.size() > 0 ? standardization_.mean.data() : nullptr;
  const double* scale = standardization_.inverse_scale.size() > 0 ? standardization_.inverse_scale.data() : nullptr;
  const double* weight = standardization_.root_weights.size() > 0 ? standardization_.root_weights.data() : nullptr;
  standardize_tile(tile, rows, cols, mean, scale, weight ? weight + first_row : nullptr);
}

template <class C>
Index RowTiles<C>::scan_memory(const Execution& exec, std::string_view stage, const Body& body) const {
  const Index rows = data_.rows();
  const Index tiles = (rows + tile_rows_ - 1) / tile_rows_;
  const auto buffer_size = static_cast<std::size_t>((tile_rows_ + spare_rows_) * data_.cols());
  std::vector<std::unique_ptr<C[]>> buffers(static_cast<std::size_t>(lanes_));
  // In rounds of a few tiles per lane, so that progress is told and a stop is heard.
  constexpr Index kTilesPerRound = 8;
  for (Index round = 0; round * lanes_ * kTilesPerRound < tiles; ++round) {
    parallel_for(exec, std::min(lanes_, tiles), [&](Index lane) {
      auto& buffer = buffers[static_cast<std::size_t>(lane)];
      for (Index step = 0; step < kTilesPerRound; ++step) {
        const Index tile = (round * kTilesPerRound + step) * lanes_ + lane;
        if (tile >= tiles) return;
        if (!buffer) buffer = std::make_unique_for_overwrite<C[]>(buffer_size);
        const Index first = tile * tile_rows_;
        const Index count = std::min(tile_rows_, rows - first);
        load_rows(data_, first, count, buffer.get());
        standardize(first, count, buffer.get());
        body(lane, first, count, buffer.get());
      }
    });
    report_progress(exec, stage, std::min(rows, (round + 1) * lanes_ * kTilesPerRound * tile_rows_), rows, "rows");
  }
  return rows;
}

template <class C>
Index RowTiles<C>::scan_stream(const Execution& exec, std::string_view stage, const Body& body) const {
  RowStream& stream = *data_.stream();
  const Index cols = data_.cols();
  const auto buffer_size = static_cast<std::size_t>((tile_rows_ + spare_rows_) * cols);
  struct Batch {
    std::vector<std::unique_ptr<C[]>> tiles;
    std::vector<Index> rows;
  };
  Batch now, next;
  const auto fill = [&](Batch& batch) {
    batch.rows.clear();
    for (Index lane = 0; lane < lanes_; ++lane) {
      if (std::ssize(batch.tiles) <= lane) batch.tiles.push_back(std::make_unique_for_overwrite<C[]>(buffer_size));
      C* tile = batch.tiles[static_cast<std::size_t>(lane)].get();
      Index count = 0;  // a pipe may deliver less than asked for: fill the tile all the same
      while (count < tile_rows_) {
        const Index got = stream.read(tile + count * cols, tile_rows_ - count);
        if (got == 0) break;
        count += got;
      }
      if (count > 0) batch.rows.push_back(count);
      if (count < tile_rows_) return;
    }
  };
  Index seen = 0;
  fill(now);
  while (!now.rows.empty()) {
    const auto filled = static_cast<Index>(now.rows.size());
    const bool more = filled == lanes_ && now.rows.back() == tile_rows_;
    next.rows.clear();
    // Task 0 reads ahead while the others compute.
    parallel_for(exec, filled + 1, [&](Index task) {
      if (task == 0) {
        if (more) fill(next);
        return;
      }
      const Index lane = task - 1;
      C* tile = now.tiles[static_cast<std::size_t>(lane)].get();
      const Index first = seen + lane * tile_rows_;
      standardize(first, now.rows[static_cast<std::size_t>(lane)], tile);
      body(lane, first, now.rows[static_cast<std::size_t>(lane)], tile);
    });
    for (const Index count : now.rows) seen += count;
    report_progress(exec, stage, seen, stream.rows().value_or(0), "rows");
    std::swap(now, next);
  }
  return seen;
}

template class RowTiles<float>;
template class RowTiles<double>;
template void load_rows(const Dataset&, Index, Index, float*);
template void load_rows(const Dataset&, Index, Index, double*);
template void load_columns(const Dataset&, Index, Index, float*);
template void load_columns(const Dataset&, Index, Index, double*);

}  // namespace fewdim
