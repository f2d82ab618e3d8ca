#include "session/map_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fewdim {

namespace {

constexpr Index mapped_rows = 8192;  // a multiple of every tile: rows keep their places
constexpr Index mapped_bytes = Index{16} << 20;

/// The block's own row numbers mean nothing to a reader: what is not finite is refused here, with the number in the
/// input.
template <class S>
void require_finite_block(const DenseView<S>& block, Index first, const std::vector<std::string>& names,
                          const std::string& who) {
  for (Index i = 0; i < block.rows; ++i)
    for (Index j = 0; j < block.cols; ++j) {
      if (std::isfinite(block(i, j))) continue;
      const bool named = std::ssize(names) == block.cols;
      throw DataError(fmt::format("{}: row {}, column {} is {}; drop or fill such rows first", who, first + i + 1,
                                  named ? "'" + names[static_cast<std::size_t>(j)] + "'" : std::to_string(j + 1),
                                  std::isnan(block(i, j)) ? "missing (NaN)" : "infinite"));
    }
}

}  // namespace

MapStream::MapStream(Dataset source, Index cols, Map map, std::string who)
    : source_(std::move(source)), cols_(cols), map_(std::move(map)), who_(std::move(who)) {}

void MapStream::rewind() {
  source_.stream()->rewind();
  done_ = 0;
}

template <class S, class T>
Index MapStream::read_from(std::vector<S>& buffer, T* out, Index max_rows) {
  const Index cols = source_.cols();
  const Index fitting = std::max<Index>(256, mapped_bytes / std::max<Index>(1, cols * Index{sizeof(S)}));
  const Index rows = std::min({max_rows, mapped_rows, fitting});
  buffer.resize(static_cast<std::size_t>(rows * cols));
  const Index got = source_.stream()->read(buffer.data(), rows);
  if (got == 0) return 0;
  const DenseView<S> view{buffer.data(), got, cols, cols, 1};
  require_finite_block(view, done_, source_.column_names, who_);
  Dataset block(view);
  block.column_names = source_.column_names;
  const Dataset mapped = map_(block);
  const auto copy = [&](const auto* values) {
    if (!values) return;
    for (Index i = 0; i < got; ++i)
      for (Index j = 0; j < cols_; ++j) out[i * cols_ + j] = static_cast<T>((*values)(i, j));
  };
  copy(mapped.dense<double>());
  copy(mapped.dense<float>());
  done_ += got;
  return got;
}

template <class T>
Index MapStream::read_as(T* out, Index max_rows) {
  return precision() == Precision::float32 ? read_from(singles_, out, max_rows) : read_from(doubles_, out, max_rows);
}

}  // namespace fewdim
