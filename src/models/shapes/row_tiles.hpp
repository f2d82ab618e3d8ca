#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/error.hpp"
#include "models/shapes/sparse_check.hpp"

/// Runs a map from rows to rows over a data set of any kind. The rows are cut into pieces whose size depends on
/// neither the threads nor the number of rows, and each row is computed as if it were alone: the same bits at any
/// thread count and however rows are batched. operators/tiles.hpp can't serve here: its lanes hold whole rows, which
/// for a wide row takes 16 times 32 of them, and its tiles run before a stream has said how many rows there will be.
namespace fewdim {

/// Every matrix product has exactly this many rows, filled up with zeros where fewer are left, because a BLAS takes
/// other code for other sizes.
constexpr Index strip_rows = 32;
constexpr Index tile_rows = 4 * strip_rows;   ///< gathered together, so that column-major data is read in long runs
constexpr Index chunk_rows = 8 * tile_rows;   ///< one task
constexpr Index wave_rows = 64 * chunk_rows;  ///< between two reports of progress
constexpr Index column_block = 1024;          ///< a tile of doubles takes 1 MiB at most

/// tile[i * ld + j] = x(row + i, col + j)
template <class T, class U>
void gather(const DenseView<U>& x, Index row, Index rows, Index col, Index cols, T* tile, Index ld) {
  const Index run = x.col_stride == 1 ? cols : 8;  // eight doubles: whole cache lines are written either way
  for (Index first = 0; first < cols; first += run)
    for (Index i = 0; i < rows; ++i) {
      const U* from = x.data + (row + i) * x.row_stride + col * x.col_stride;
      for (Index j = first; j < std::min(first + run, cols); ++j)
        tile[i * ld + j] = static_cast<T>(from[j * x.col_stride]);
    }
}

template <class T, class U>
void gather(const CsrView<U>& x, Index row, Index rows, Index col, Index cols, T* tile, Index ld) {
  for (Index i = 0; i < rows; ++i) {
    std::fill_n(tile + i * ld, cols, T(0));
    for (std::int64_t e = x.offsets[row + i]; e < x.offsets[row + i + 1]; ++e)
      if (const Index j = x.columns[e] - col; j >= 0 && j < cols) tile[i * ld + j] = static_cast<T>(x.values[e]);
  }
}

/// A map whose apply(view, first, rows, out) writes `rows` rows of width() numbers, and returns false when one of them
/// is not finite. What is not finite in the input must reach the output.
template <class Op, class View, class U>
concept RowMap = requires(const Op& op, const View& view, U* out) {
  { op.width() } -> std::same_as<Index>;
  { op.apply(view, Index{}, Index{}, out) } -> std::same_as<bool>;
};

template <class U>
bool all_finite(const U* numbers, Index count) {
  std::conditional_t<sizeof(U) == 4, std::int32_t, std::int64_t> bad = 0;  // no early exit, so that it is vectorized
  for (Index i = 0; i < count; ++i) bad |= !(std::abs(numbers[i]) <= std::numeric_limits<U>::max());
  return bad == 0;
}

/// Applies the map to all rows of a view; false when a number was not finite.
template <class U, class View, RowMap<View, U> Op>
bool apply_to_view(const Op& op, const View& view, U* out, Index done, Index total, std::string_view stage,
                   const Execution& exec) {
  std::atomic<bool> finite = true;
  for (Index wave = 0; wave < view.rows; wave += wave_rows) {
    const Index end = std::min(wave + wave_rows, view.rows);
    parallel_for(exec, (end - wave + chunk_rows - 1) / chunk_rows, [&](Index chunk) {
      const Index first = wave + chunk * chunk_rows, rows = std::min(chunk_rows, end - first);
      if (!op.apply(view, first, rows, out + first * op.width())) finite = false;
    });
    report_progress(exec, stage, done + end, total, "rows");
  }
  return finite;
}

inline void require_room(Index rows, Index width, std::size_t size, std::string_view stage, const Execution& exec) {
  const double bytes = static_cast<double>(rows) * static_cast<double>(width) * static_cast<double>(size);
  require_memory(exec, bytes < 0x1p63 ? static_cast<std::uint64_t>(bytes) : UINT64_MAX,
                 std::string(stage) + ": the result", "take fewer rows at a time");
}

/// Names the first row of `out`, rows of `width` numbers from row `first` on, that is not finite though its input is.
template <class U>
[[noreturn]] void refuse_overflow(const U* out, Index width, Index first, std::string_view stage) {
  while (all_finite(out, width)) ++first, out += width;
  throw DataError(std::string(stage) + ": the result of row " + std::to_string(first + 1) + " is too large for " +
                  (sizeof(U) == 4 ? "float32; convert the data to float64" : "float64; scale the data down"));
}

template <class U, class View, class Op>
Dataset map_view(const Op& op, const View& view, const Dataset& data, std::string_view stage, const Execution& exec) {
  require_room(view.rows, op.width(), sizeof(U), stage, exec);
  RowMatrix<U> out(view.rows, op.width());
  if (!apply_to_view(op, view, out.data(), 0, view.rows, stage, exec)) {
    require_finite(data, stage, exec);
    refuse_overflow(out.data(), op.width(), 0, stage);
  }
  return Dataset(std::move(out));
}

template <class U, class Op>
Dataset map_stream(const Op& op, RowStream& stream, const Dataset& data, std::string_view stage,
                   const Execution& exec) {
  const Index cols = stream.cols(), known = stream.rows().value_or(0);
  require_room(known, op.width(), sizeof(U), stage, exec);
  constexpr Index block_bytes = Index{16} << 20;
  const Index block_rows =
      std::clamp(block_bytes / std::max<Index>(1, cols * Index{sizeof(U)}), strip_rows, 8 * chunk_rows);
  const auto block = std::make_unique_for_overwrite<U[]>(static_cast<std::size_t>(block_rows * cols));
  auto out = std::make_shared<std::vector<U>>();
  out->reserve(static_cast<std::size_t>(known * op.width()));
  Index done = 0;
  while (const Index got = stream.read(block.get(), block_rows)) {
    require_room(done + got, op.width(), sizeof(U), stage, exec);
    out->resize(static_cast<std::size_t>((done + got) * op.width()));
    const DenseView<U> view{block.get(), got, cols, cols, 1};
    if (!apply_to_view(op, view, out->data() + done * op.width(), done, known, stage, exec)) {
      require_finite_rows(view, done, data, stage);
      refuse_overflow(out->data() + done * op.width(), op.width(), done, stage);
    }
    done += got;
  }
  return Dataset(DenseView<U>{out->data(), done, op.width(), op.width(), 1}, out);
}

/// The map of all rows, dense or sparse or a stream, with results of type U.
template <class U, class Op>
Dataset map_rows_to(const Op& op, const Dataset& data, std::string_view stage, const Execution& exec) {
  require_valid_sparse(data, stage);
  if (const auto* view = data.dense<double>()) return map_view<U>(op, *view, data, stage, exec);
  if (const auto* view = data.dense<float>()) return map_view<U>(op, *view, data, stage, exec);
  if (const auto* view = data.sparse<double>()) return map_view<U>(op, *view, data, stage, exec);
  if (const auto* view = data.sparse<float>()) return map_view<U>(op, *view, data, stage, exec);
  if (RowStream* stream = data.stream()) return map_stream<U>(op, *stream, data, stage, exec);
  return Matrix<U>(0, op.width());
}

/// The same in the data's precision.
template <class Op>
Dataset map_rows(const Op& op, const Dataset& data, std::string_view stage, const Execution& exec) {
  return data.precision() == Precision::float32 ? map_rows_to<float>(op, data, stage, exec)
                                                : map_rows_to<double>(op, data, stage, exec);
}

}  // namespace fewdim
