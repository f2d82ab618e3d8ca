#include <fmt/format.h>

#include <cstring>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/formats.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/input/number_scanner.hpp"
#include "data/table/block.hpp"
#include "data/table/csr_builder.hpp"

/// Lines "label [qid:number] index:value ... [# comment]", the format of SVMlight (Joachims 1999) and LIBSVM.
namespace fewdim {

namespace {

template <class T>
struct RowPiece {
  std::vector<std::int64_t> sizes;  ///< entries of each row
  std::vector<std::int32_t> columns;
  std::vector<T> values;
  std::vector<std::string> labels;
  std::int32_t least = INT32_MAX, most = -1;  ///< of the indices
};

const char* token_end(const char* at, const char* end) {
  while (at != end && !is_blank(*at)) ++at;
  return at;
}

std::string parse_label(const char*& at, const char* end) {
  const char* stop = token_end(at, end);
  const std::string_view token(at, static_cast<std::size_t>(stop - at));
  if (token.find(':') != std::string_view::npos)
    throw TextFault{
        at, fmt::format("a label should start the line, found {}; put a 0 where there is none", shown_token(at, end))};
  at = stop;
  return std::string(token.size() > 1 && token[0] == '+' ? token.substr(1) : token);  // "+1" and "1" are one class
}

/// Puts a row's entries in order of their indices, which are mostly so already.
template <class T>
void order_entries(RowPiece<T>& piece, std::size_t first, const char* line) {
  const auto begin = piece.columns.begin() + static_cast<std::ptrdiff_t>(first);
  if (std::adjacent_find(begin, piece.columns.end(), std::greater_equal<>()) == piece.columns.end()) return;
  std::vector<std::pair<std::int32_t, T>> entries;
  for (std::size_t e = first; e < piece.columns.size(); ++e) entries.emplace_back(piece.columns[e], piece.values[e]);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (e > 0 && entries[e].first == entries[e - 1].first)
      throw TextFault{line, fmt::format("index {} is there twice", entries[e].first)};
    piece.columns[first + e] = entries[e].first;
    piece.values[first + e] = entries[e].second;
  }
}

template <class T>
void parse_line(const char* at, const char* end, RowPiece<T>& piece) {
  const char* const line = at;
  const std::size_t first = piece.columns.size();
  piece.labels.push_back(parse_label(at, end));
  for (at = skip_blanks(at, end); at != end; at = skip_blanks(at, end)) {
    const char* start = at;
    if (end - at > 4 && std::memcmp(at, "qid:", 4) == 0) {
      at = token_end(at, end);
      continue;
    }
    std::int64_t index = 0;
    if (!scan_integer(at, end, index) || at == end || *at != ':')
      throw TextFault{start, "index:value should be here, found " + shown_token(start, end)};
    if (index > INT32_MAX) throw TextFault{start, fmt::format("index {} is beyond 2147483647", index)};
    ++at;
    piece.columns.push_back(static_cast<std::int32_t>(index));
    piece.values.push_back(static_cast<T>(take_real<T>(at, end, "a number should follow the index")));
  }
  order_entries(piece, first, line);
  piece.sizes.push_back(static_cast<std::int64_t>(piece.columns.size() - first));
  if (piece.columns.size() == first) return;
  piece.least = std::min(piece.least, piece.columns[first]);
  piece.most = std::max(piece.most, piece.columns.back());
}

template <class T>
void parse_rows(std::string_view text, RowPiece<T>& piece) {
  const auto entries = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
  piece.columns.reserve(entries), piece.values.reserve(entries);
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    const char* end = line.data() + std::min(line.find('#'), line.size());
    const char* start = skip_blanks(line.data(), end);
    if (start != end) parse_line(start, end, piece);
  }
}

/// Joins the pieces; a file is 1-based unless index 0 occurs in it.
template <class T>
Dataset join_pieces(std::vector<RowPiece<T>>& pieces, const std::string& name, const Execution& exec) {
  std::vector<std::int64_t> first_row{0}, first_entry{0};
  std::int32_t least = INT32_MAX, most = -1;
  for (const auto& piece : pieces) {
    first_row.push_back(first_row.back() + std::int64_t(piece.sizes.size()));
    first_entry.push_back(first_entry.back() + std::int64_t(piece.columns.size()));
    least = std::min(least, piece.least), most = std::max(most, piece.most);
  }
  const std::int32_t base = least == 0 ? 0 : 1;
  const std::int64_t rows = first_row.back(), entries = first_entry.back(),
                     cols = std::int64_t{most} + (most < 0 ? 1 : 1 - base);
  if (cols > INT32_MAX) throw DataError(fmt::format("{}: more than the 2147483647 columns that can be read", name));
  const auto offsets = make_large_array<std::int64_t>(std::size_t(rows) + 1);
  const auto columns = make_large_array<std::int32_t>(std::size_t(entries));
  const auto values = make_large_array<T>(std::size_t(entries));
  std::vector<std::string> labels(static_cast<std::size_t>(rows));
  offsets[0] = 0;
  parallel_for(exec, Index(pieces.size()), [&](Index i) {
    auto& piece = pieces[std::size_t(i)];
    std::int64_t row = first_row[std::size_t(i)], entry = first_entry[std::size_t(i)];
    std::transform(piece.columns.begin(), piece.columns.end(), columns.get() + entry, [&](auto c) { return c - base; });
    std::copy(piece.values.begin(), piece.values.end(), values.get() + entry);
    std::move(piece.labels.begin(), piece.labels.end(), labels.begin() + row);
    for (const std::int64_t size : piece.sizes) offsets[std::size_t(++row)] = entry += size;
    piece = {};
  });
  Dataset data(CsrView<T>{rows, cols, offsets.get(), columns.get(), values.get()},
               std::make_shared<CsrParts>(CsrParts{offsets, columns, values}));
  // Zeros throughout are what writers put where there are no labels.
  if (std::all_of(labels.begin(), labels.end(), [](const auto& label) { return label == "0"; })) return data;
  data.labels = std::move(labels);
  data.label_name = "label";
  return data;
}

template <class T>
Dataset read_rows(const Bytes& bytes, const Execution& exec) {
  const auto texts = cut_into_pieces(bytes.text);
  std::vector<RowPiece<T>> pieces(texts.size());
  Execution start = exec;  // the limit as it is before anything is read
  start.memory_limit = memory_limit(exec);
  std::uint64_t entries = 0, rows = 0;
  parse_pieces(
      bytes, texts, exec, [&](std::size_t i, std::string_view text) { parse_rows(text, pieces[i]); },
      [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) entries += pieces[i].columns.size(), rows += pieces[i].sizes.size();
        require_memory(start, 2 * (entries * (4 + sizeof(T)) + rows * (8 + sizeof(std::string))),
                       fmt::format("{}: reading {} entries", shown_name(bytes.path), entries),
                       raise_option("memory_limit"));
      });
  if (rows == 0) throw DataError(fmt::format("{}: no line with data in it", shown_name(bytes.path)));
  return join_pieces(pieces, shown_name(bytes.path), exec);
}

}  // namespace

Dataset parse_svmlight(const Bytes& bytes, const ReadOptions& options, const Execution& exec) {
  if (options.precision == Precision::float32) return read_rows<float>(bytes, exec);
  return read_rows<double>(bytes, exec);
}

}  // namespace fewdim
