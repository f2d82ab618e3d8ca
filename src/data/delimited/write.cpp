#include "data/delimited/write.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/parallel.hpp"
#include "data/delimited/delimited.hpp"
#include "data/delimited/number.hpp"
#include "data/formats.hpp"
#include "data/table/column_names.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace delimited {

namespace {

constexpr Index cells_a_piece = 16384;
constexpr Index pieces_a_wave = 64;

template <class T>
void append_shortest(std::string& out, T value) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  char text[40];
  // A whole number below 10^15 is exact as an integer; -0 keeps its sign below.
  const bool whole = std::abs(value) < T(1e15) && value == std::trunc(value) && !(value == T(0) && std::signbit(value));
  const auto result = whole ? std::to_chars(text, text + sizeof text, static_cast<long long>(value))
                            : std::to_chars(text, text + sizeof text, value);
  out.append(text, static_cast<std::size_t>(result.ptr - text));
}

/// Quotes what would be cut, trimmed or taken for something else when read back.
void append_text(std::string& out, const std::string& text, char delimiter, bool keep_as_text) {
  static const MissingWords missing(ReadOptions{}.na_words, '.');
  double value = 0;
  const bool risky = text.find_first_of("\"\r\n,;|\t") != std::string::npos ||
                     text.find(delimiter) != std::string::npos || text.empty() || trimmed(text).size() != text.size() ||
                     text.front() == '#' || text.front() == '\xef';
  if (!risky && !(keep_as_text && (missing.holds(text) || number::parse_whole(text, '.', value)))) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

/// What stands around the numbers of each row.
struct Frame {
  const Dataset& data;
  char delimiter;
  bool names, labels, mark;

  /// Names and labels are those of the data set, or of the block that a stream has just read, which starts at `first`.
  const std::string& tag(const std::vector<std::string>& all, const std::vector<std::string>& block, Index first,
                         Index i) const {
    return all.empty() ? block[static_cast<std::size_t>(i - first)] : all[static_cast<std::size_t>(i)];
  }

  template <class Row>
  void append_row(std::string& out, Index i, const Row& row, const RowTags& block = {}, Index first = 0) const {
    const Index cols = data.cols();
    if (names) append_text(out, tag(data.row_names, block.names, first, i), delimiter, true), out += delimiter;
    for (Index j = 0; j < cols; ++j) {
      if (j > 0) out += delimiter;
      append_number(out, row(j));
    }
    if (labels) out += delimiter, append_text(out, tag(data.labels, block.labels, first, i), delimiter, false);
    out += '\n';
  }

  /// Labels need a header to be known by, and so names for the others: x1, x2, ...
  std::string column_name(Index j) const {
    return data.column_names.empty() ? fmt::format("x{}", j + 1) : data.column_names[static_cast<std::size_t>(j)];
  }

  std::string header() const {
    std::string out;
    if (names) append_text(out, data.row_names_header, delimiter, true), out += delimiter;
    for (Index j = 0; j < data.cols(); ++j) {
      if (j > 0) out += delimiter;
      append_text(out, column_name(j), delimiter, true);
    }
    if (labels) {
      out += delimiter;
      const std::string name = data.label_name.empty() ? "label" : data.label_name;
      append_text(out, mark ? with_label_mark(name) : name, delimiter, true);  // the reader knows it by its mark
    }
    return out + '\n';
  }
};

/// Formats `rows` rows, of which the first is row `first` of the data set, with a function that appends one of them.
template <class AppendRow>
void format_rows(Index first, Index rows, Index cols, const Execution& exec,
                 const std::function<void(std::string_view)>& sink, const AppendRow& append_row) {
  const Index each = std::max<Index>(1, cells_a_piece / std::max<Index>(1, cols));
  std::vector<std::string> pieces(static_cast<std::size_t>(pieces_a_wave));
  for (Index begin = 0; begin < rows; begin += each * pieces_a_wave) {
    const Index count = std::min(pieces_a_wave, (rows - begin + each - 1) / each);
    parallel_for(exec, count, [&](Index p) {
      std::string& piece = pieces[static_cast<std::size_t>(p)];
      piece.clear();
      const Index from = begin + p * each;
      for (Index i = from; i < std::min(from + each, rows); ++i) append_row(piece, i);
    });
    for (Index p = 0; p < count; ++p) sink(pieces[static_cast<std::size_t>(p)]);
    report_progress(exec, "write", first + std::min(begin + each * pieces_a_wave, rows), 0, "rows");
  }
}

template <class T>
void format_dense(const DenseView<T>& view, const Frame& frame, const Execution& exec,
                  const std::function<void(std::string_view)>& sink) {
  format_rows(0, view.rows, view.cols, exec, sink,
              [&](std::string& out, Index i) { frame.append_row(out, i, [&](Index j) { return view(i, j); }); });
}

template <class T>
void format_sparse(const CsrView<T>& view, const Frame& frame, const Execution& exec,
                   const std::function<void(std::string_view)>& sink) {
  format_rows(0, view.rows, view.cols, exec, sink, [&](std::string& out, Index i) {
    std::int64_t next = view.offsets[i];
    frame.append_row(out, i, [&](Index j) {
      return next < view.offsets[i + 1] && view.columns[next] == j ? view.values[next++] : T(0);
    });
  });
}

template <class T>
void format_stream(RowStream& stream, const Frame& frame, const Execution& exec,
                   const std::function<void(std::string_view)>& sink) {
  if (stream.rewindable()) stream.rewind();
  const Index cols = stream.cols();
  const Index tile = std::max<Index>(1, cells_a_piece * pieces_a_wave / std::max<Index>(1, cols));
  std::vector<T> buffer(static_cast<std::size_t>(tile * cols));
  Index first = 0;
  for (Index rows; (rows = stream.read(buffer.data(), tile)) > 0; first += rows) {
    format_rows(first, rows, cols, exec, sink, [&](std::string& out, Index i) {
      frame.append_row(
          out, first + i, [&](Index j) { return buffer[static_cast<std::size_t>(i * cols + j)]; }, stream.tags(),
          first);
    });
  }
}

}  // namespace

void append_number(std::string& out, double value) { append_shortest(out, value); }
void append_number(std::string& out, float value) { append_shortest(out, value); }

void format_table(const Dataset& data, char delimiter, const WriteOptions& options, const Execution& exec,
                  const std::function<void(std::string_view)>& sink) {
  const RowTags& tags = data.is_stream() ? data.stream()->tags() : RowTags{};
  const Frame frame{data, delimiter, options.names && (tags.named || !data.row_names.empty()),
                    tags.labeled || !data.labels.empty(), options.label_mark};
  if (options.header && (!data.column_names.empty() || frame.labels)) sink(frame.header());
  if (const auto* view = data.dense<double>()) format_dense(*view, frame, exec, sink);
  if (const auto* view = data.dense<float>()) format_dense(*view, frame, exec, sink);
  if (const auto* view = data.sparse<double>()) format_sparse(*view, frame, exec, sink);
  if (const auto* view = data.sparse<float>()) format_sparse(*view, frame, exec, sink);
  if (RowStream* stream = data.stream()) {
    if (stream->precision() == Precision::float32)
      format_stream<float>(*stream, frame, exec, sink);
    else
      format_stream<double>(*stream, frame, exec, sink);
  }
}

}  // namespace delimited

void write_delimited(const Dataset& data, ByteSink& out, char delimiter, const WriteOptions& options,
                     const Execution& exec) {
  delimited::format_table(data, delimiter, options, exec, [&](std::string_view text) { out.write(text); });
}

}  // namespace fewdim
