#include <fmt/format.h>

#include <cstring>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/formats.hpp"
#include "data/input/file_format.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/input/number_scanner.hpp"
#include "data/matrix_market/header.hpp"
#include "data/table/block.hpp"
#include "data/table/csr_builder.hpp"

namespace fewdim {

namespace matrix_market {
namespace {

/// Calls use(at, end of line) for every line that holds an entry.
template <class Use>
void each_entry_line(std::string_view piece, Use&& use) {
  const char *at = piece.data(), *end = at + piece.size();
  while (at != end) {
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* line_end = newline ? newline : end;
    const char* start = skip_blanks(at, line_end);
    if (start != line_end && *start != '%') use(start, line_end);
    at = newline ? newline + 1 : end;
  }
}

template <class T>
T take_value(const char*& at, const char* end, Field field) {
  at = skip_blanks(at, end);
  const char* start = at;
  const double value = take_real<T>(at, end, "a number should be here");
  if (field == Field::integer && (std::trunc(value) != value || std::abs(value) >= 0x1p53))
    throw TextFault{start, "an integer below 2^53 should be here, found " + shown_token(start, end)};
  return static_cast<T>(value);
}

void require_line_end(const char* at, const char* end) {
  at = skip_blanks(at, end);
  if (at != end) throw TextFault{at, "the entry should end here, found " + shown_token(at, end)};
}

[[noreturn]] void refuse_count(const Bytes& bytes, const Header& header, std::int64_t found) {
  const auto what =
      found < header.entries ? "{} entries promised, {} found; cut short?" : "{} entries promised, at least {} found";
  throw_at_line(bytes, {header.size_line, fmt::format(fmt::runtime(what), header.entries, found)});
}

template <class T>
struct TriplePiece {
  std::vector<std::int32_t> rows, columns;
  std::vector<T> values;
  std::int64_t lines = 0;
  const char *lower = nullptr, *upper = nullptr;  ///< an entry of that triangle

  void clear() {
    rows.clear(), columns.clear(), values.clear();
    lines = 0;
  }
  void push(std::int64_t row, std::int64_t column, T value) {
    rows.push_back(static_cast<std::int32_t>(row - 1));
    columns.push_back(static_cast<std::int32_t>(column - 1));
    values.push_back(value);
  }
};

template <class T>
void parse_coordinates(std::string_view text, const Header& header, TriplePiece<T>& piece) {
  piece.clear();
  each_entry_line(text, [&](const char* at, const char* end) {
    const char* const line = at;
    const auto number = [&](std::int64_t bound, const char* what) {
      at = skip_blanks(at, end);
      const char* start = at;
      std::int64_t value = 0;
      if (!scan_integer(at, end, value) || (at != end && !is_blank(*at)))
        throw TextFault{start, fmt::format("a {} number should be here, found {}", what, shown_token(start, end))};
      if (value < 1 || value > bound)
        throw TextFault{start, fmt::format("{} {} is outside 1 .. {}", what, value, bound)};
      return value;
    };
    const std::int64_t row = number(header.rows, "row"), column = number(header.cols, "column");
    const T value = header.field == Field::pattern ? T{1} : take_value<T>(at, end, header.field);
    require_line_end(at, end);
    piece.push(row, column, value);
    ++piece.lines;
    if (header.symmetry == Symmetry::general) return;
    if (row == column) {
      if (header.symmetry == Symmetry::skew && value != 0)
        throw TextFault{line, "a skew-symmetric matrix has a zero diagonal"};
      return;
    }
    (row > column ? piece.lower : piece.upper) = line;
    piece.push(column, row, header.symmetry == Symmetry::skew ? -value : value);
  });
}

template <class T>
Dataset read_coordinates(const Bytes& bytes, const Header& header, const Execution& exec) {
  const std::uint64_t most = std::uint64_t(header.entries) * (header.symmetry == Symmetry::general ? 1 : 2);
  require_memory(exec, csr_builder_bytes<T>(std::uint64_t(header.rows), most) + most * (8 + sizeof(T)),
                 fmt::format("{}: reading {} entries", shown_name(bytes.path), header.entries),
                 raise_option("memory_limit"));
  Triples<T> triples = Triples<T>::with_room_for(most);
  std::vector<TriplePiece<T>> wave(pieces_a_wave);  // small and used again: fresh memory is dear
  std::int64_t found = 0;
  const char *lower = nullptr, *upper = nullptr;
  const auto join = [&](std::size_t first, std::size_t last) {
    std::vector<std::int64_t> starts;
    for (std::size_t i = 0; i < last - first; ++i) {
      starts.push_back(triples.count);
      triples.count += static_cast<std::int64_t>(wave[i].rows.size());
      found += wave[i].lines;
      if (wave[i].lower) lower = wave[i].lower;
      if (wave[i].upper) upper = wave[i].upper;
    }
    if (found > header.entries) refuse_count(bytes, header, found);
    if (lower && upper)
      throw_at_line(bytes,
                    {upper, "a symmetric file lists one triangle, this one has entries of both; call it general"});
    parallel_for(exec, static_cast<Index>(starts.size()), [&](Index p) {
      const auto& piece = wave[static_cast<std::size_t>(p)];
      const std::int64_t to = starts[static_cast<std::size_t>(p)];
      std::copy(piece.rows.begin(), piece.rows.end(), triples.rows.get() + to);
      std::copy(piece.columns.begin(), piece.columns.end(), triples.columns.get() + to);
      std::copy(piece.values.begin(), piece.values.end(), triples.values.get() + to);
    });
  };
  parse_pieces(
      bytes, cut_into_pieces(header.body), exec,
      [&](std::size_t i, std::string_view text) { parse_coordinates(text, header, wave[i % pieces_a_wave]); }, join);
  if (found < header.entries) refuse_count(bytes, header, found);
  return csr_from_triples(header.rows, header.cols, std::move(triples), exec);
}

template <class T>
Dataset read_array(const Bytes& bytes, const Header& header, const Execution& exec) {
  const Index n = header.rows;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(header.cols);
  require_memory(exec, count * sizeof(T), fmt::format("{}: {} x {} numbers", shown_name(bytes.path), n, header.cols),
                 raise_option("memory_limit"));
  const auto out = make_large_array<T>(count);
  std::vector<std::vector<T>> wave(pieces_a_wave);
  std::int64_t found = 0;
  const Index skip = header.symmetry == Symmetry::skew ? 1 : 0;  // column j of a triangle starts at row j + skip
  Index i = skip, j = 0;
  if (skip == 1) std::fill(out.get(), out.get() + count, T{0});
  const auto place = [&](const std::vector<T>& values) {
    if (header.symmetry == Symmetry::general) {
      std::copy(values.begin(), values.end(), out.get() + found);
      return;
    }
    for (const T value : values) {
      out[std::size_t(i + j * n)] = value;
      out[std::size_t(j + i * n)] = skip == 1 ? -value : value;
      if (++i == n) ++j, i = j + skip;
    }
  };
  const auto parse = [&](std::size_t p, std::string_view text) {
    auto& values = wave[p % pieces_a_wave];
    values.clear();
    each_entry_line(text, [&](const char* at, const char* end) {
      values.push_back(take_value<T>(at, end, header.field));
      require_line_end(at, end);
    });
  };
  parse_pieces(bytes, cut_into_pieces(header.body), exec, parse, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = 0; p < last - first; ++p) {
      const auto size = static_cast<std::int64_t>(wave[p].size());
      if (found + size > header.entries) refuse_count(bytes, header, found + size);
      place(wave[p]);
      found += size;
    }
  });
  if (found < header.entries) refuse_count(bytes, header, found);
  return {DenseView<T>{out.get(), n, header.cols, 1, n}, out};
}

}  // namespace
}  // namespace matrix_market

Dataset parse_matrix_market(const Bytes& bytes, const ReadOptions& options, const Execution& exec) {
  matrix_market::Header header;
  try {
    header = matrix_market::parse_header(bytes.text);
  } catch (const TextFault& fault) {
    throw_at_line(bytes, fault);
  }
  const bool narrow = options.precision == Precision::float32;
  if (header.coordinate)
    return narrow ? matrix_market::read_coordinates<float>(bytes, header, exec)
                  : matrix_market::read_coordinates<double>(bytes, header, exec);
  return narrow ? matrix_market::read_array<float>(bytes, header, exec)
                : matrix_market::read_array<double>(bytes, header, exec);
}

FormatCard matrix_market_format() {
  return {.name = "mtx",
          .title = "Matrix Market",
          .about = "entries of a sparse matrix in text, or a dense one by columns",
          .endings = {".mtx"},
          .reads = {RowKind::dense, RowKind::sparse},
          .writes = {RowKind::dense, RowKind::sparse},
          .page = "docs/formats.md#mtx",
          .recognize = [](std::string_view head) { return in_small_letters(head.substr(0, 14)) == "%%matrixmarket"; },
          .read = [](const Bytes& bytes, const ReadOptions& options, const Execution& exec,
                     ReadDecisions*) { return parse_matrix_market(bytes, options, exec); },
          .write = [](const Dataset& data, ByteSink& out, const WriteOptions&,
                      const Execution&) { write_matrix_market(data, out); }};
}

}  // namespace fewdim
