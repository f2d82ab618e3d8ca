#include "data/numpy/npy.hpp"

#include <fmt/format.h>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/input/input.hpp"
#include "data/table/block.hpp"
#include "data/table/first_place.hpp"
#include "data/table/row_blocks.hpp"

namespace fewdim {

namespace {

/// A copy in the order of storage, except that the columns of a Fortran array of 3 or more dimensions are put in C
/// order.
template <class T>
Dataset converted(const NpyHeader& header, const Bytes& bytes, const std::string& name, const Execution& exec) {
  const char* raw = bytes.text.data() + header.data_offset;
  const Index count = header.rows * header.cols;
  require_memory(exec, static_cast<std::uint64_t>(count) * sizeof(T), fmt::format("{}: converting it", name),
                 fmt::format("save it as {} to be read where it lies, or use {}",
                             sizeof(T) == 4 ? "float32" : "float64", set_option("stream", true)));
  const auto out = make_large_array<T>(static_cast<std::size_t>(count));
  const bool permuted = header.fortran && header.shape.size() > 2;
  const Index piece = permuted ? header.rows : Index{1} << 18;
  const Index pieces = count == 0 ? 0 : (count - 1) / piece + 1;
  FirstPlace refused;
  parallel_for(exec, pieces, [&](Index p) {
    const Index from = permuted ? header.fortran_column(p) * piece : p * piece;
    const Index length = std::min(piece, count - from);
    const char* start = raw + from * header.type.size;
    const Index done = convert_npy(header.type, start, out.get() + p * piece, length);
    release_pages(bytes, {start, static_cast<std::size_t>(length * header.type.size)});
    if (done < length) refused.note(from + done);
  });
  if (refused.any()) refuse_integer(header, refused.get(), name);
  const Index row_stride = header.fortran ? 1 : header.cols, col_stride = header.fortran ? header.rows : 1;
  return {DenseView<T>{out.get(), header.rows, header.cols, row_stride, col_stride}, out};
}

template <class T>
Dataset view_or_copy(const NpyHeader& header, const Bytes& bytes, const std::string& name, const Execution& exec) {
  const char* raw = bytes.text.data() + header.data_offset;
  const bool aligned = reinterpret_cast<std::uintptr_t>(raw) % alignof(T) == 0;
  const bool one_stride = !header.fortran || header.shape.size() <= 2;
  if (!header.type.is<T>() || !aligned || !one_stride) return converted<T>(header, bytes, name, exec);
  const Index row_stride = header.fortran ? 1 : header.cols, col_stride = header.fortran ? header.rows : 1;
  return {DenseView<T>{reinterpret_cast<const T*>(raw), header.rows, header.cols, row_stride, col_stride}, bytes.owner};
}

template <class T>
void write_as(const Dataset& data, ByteSink& out) {
  const Index rows = count_rows(data);
  const auto shape = {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(data.cols())};
  out.write(npy_header_text(npy_descr<T>, shape));
  Index written = 0;
  for_each_row_block<T>(data, [&](const T* block, Index count) {
    out.write(block, static_cast<std::size_t>(count * data.cols()) * sizeof(T));
    written += count;
  });
  if (written != rows)
    throw DataError(fmt::format("{}: the input gave {} rows where {} were announced", out.path(), written, rows));
}

}  // namespace

Dataset npy_dataset(const Bytes& bytes, const std::string& name, const ReadOptions& options, const Execution& exec) {
  const NpyHeader header = parse_npy_header(bytes.text, name);
  require_numeric(header, name);
  require_data_bytes(header, bytes.text.size() - header.data_offset, name);
  if (options.precision.value_or(header.type.precision()) == Precision::float32)
    return view_or_copy<float>(header, bytes, name, exec);
  return view_or_copy<double>(header, bytes, name, exec);
}

Dataset parse_npy(const Bytes& bytes, const ReadOptions& options, const Execution& exec) {
  return npy_dataset(bytes, shown_name(bytes.path), options, exec);
}

void write_npy(const Dataset& data, ByteSink& out) {
  if (data.precision() == Precision::float32) return write_as<float>(data, out);
  write_as<double>(data, out);
}

FormatCard npy_format() {
  return {
      .name = "npy",
      .title = "NumPy .npy",
      .about = "one array of NumPy's, read where it lies",
      .endings = {".npy"},
      .binary = true,
      .reads = {RowKind::dense},
      .writes = {RowKind::dense},
      .page = "docs/formats.md#npy",
      .recognize = [](std::string_view head) { return head.starts_with("\x93NUMPY"); },
      .read = [](const Bytes& bytes, const ReadOptions& options, const Execution& exec,
                 ReadDecisions*) { return parse_npy(bytes, options, exec); },
      .stream = [](const std::string& path, const ReadOptions& options, const Execution& exec,
                   ReadDecisions*) { return stream_npy(path, options, exec); },
      .write = [](const Dataset& data, ByteSink& out, const WriteOptions&, const Execution&) { write_npy(data, out); }};
}

}  // namespace fewdim
