#include "data/table/row_blocks.hpp"

namespace fewdim {

namespace {

constexpr Index block_numbers = Index{1} << 17;  // a block of 1 MiB in float64 stays in cache

template <class T>
void gather(const DenseView<T>& view, Index first, Index rows, T* out) {
  // Columns outside: a column-major source is then read along its columns.
  for (Index j = 0; j < view.cols; ++j)
    for (Index i = 0; i < rows; ++i) out[i * view.cols + j] = view(first + i, j);
}

template <class T>
void scatter(const CsrView<T>& view, Index first, Index rows, T* out) {
  std::fill(out, out + rows * view.cols, T{0});
  for (Index i = 0; i < rows; ++i)
    for (std::int64_t e = view.offsets[first + i]; e < view.offsets[first + i + 1]; ++e)
      out[i * view.cols + view.columns[e]] = view.values[e];
}

}  // namespace

template <class T>
void for_each_row_block(const Dataset& data, const std::function<void(const T* block, Index rows)>& use) {
  const Index cols = data.cols();
  const Index most = std::max<Index>(1, block_numbers / std::max<Index>(1, cols));
  const auto* dense = data.dense<T>();
  if (dense && dense->col_stride == 1 && dense->row_stride == cols) {
    for (Index i = 0; i < dense->rows; i += most) use(dense->data + i * cols, std::min(most, dense->rows - i));
    return;
  }
  std::vector<T> block(static_cast<std::size_t>(most * cols));
  if (RowStream* stream = data.stream()) {
    if (stream->rewindable()) stream->rewind();
    while (const Index rows = stream->read(block.data(), most)) use(block.data(), rows);
    return;
  }
  for (Index i = 0; i < data.rows(); i += most) {
    const Index rows = std::min(most, data.rows() - i);
    if (dense) gather(*dense, i, rows, block.data());
    if (const auto* sparse = data.sparse<T>()) scatter(*sparse, i, rows, block.data());
    use(block.data(), rows);
  }
}

template void for_each_row_block<float>(const Dataset&, const std::function<void(const float*, Index)>&);
template void for_each_row_block<double>(const Dataset&, const std::function<void(const double*, Index)>&);

Index count_rows(const Dataset& data) {
  if (data.rows() >= 0) return data.rows();
  if (!data.stream()->rewindable())
    throw Unsupported(
        "the number of rows must be known before the first is written in this format; write csv, or read a file");
  Index count = 0;
  for_each_row_block<double>(data, [&](const double*, Index rows) { count += rows; });
  return count;
}

}  // namespace fewdim
