#include "links/edge_parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/remedy.hpp"
#include "data/delimited/number.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/input/number_scanner.hpp"
#include "links/edge_line.hpp"
#include "links/formats.hpp"

namespace fewdim {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_header(std::string_view line, char delimiter) {
  static constexpr std::array<std::string_view, 9> from{"source",       "from",  "src",       "start", "fromnodeid",
                                                        "from_node_id", "node1", "source_id", "citing"};
  static constexpr std::array<std::string_view, 10> to{"target",     "to",   "dst",   "end",       "tonodeid",
                                                       "to_node_id", "dest", "node2", "target_id", "cited"};
  const char* at = line.data();
  const std::string first = lower(edges::take_cell(at, line.data() + line.size(), delimiter));
  const std::string second = lower(edges::take_cell(at, line.data() + line.size(), delimiter));
  return std::ranges::find(from, first) != from.end() && std::ranges::find(to, second) != to.end();
}

double take_weight(std::string_view cell) {
  double weight = 0.0;
  const char* const end = cell.data() + cell.size();
  const char* const next = cell.empty() ? nullptr : delimited::number::scan_in_range(cell.data(), end, '.', weight);
  if (next != end)
    throw TextFault{cell.data(), "the weight should be a number, found " + shown_token(cell.data(), end)};
  if (std::string fault = weight_fault(weight); !fault.empty()) throw TextFault{cell.data(), std::move(fault)};
  return weight;
}

/// A whole number below 2^32 without zeros before it; null where there is none.
inline const char* scan_vertex(const char* at, const char* end, std::uint32_t& value) {
  const char* const start = at;
  std::uint64_t sum = 0;
  while (at != end && delimited::number::is_digit(*at)) sum = sum * 10 + static_cast<unsigned>(*at++ - '0');
  if (at == start || at - start > 10 || sum > UINT32_MAX || (*start == '0' && at - start > 1)) return nullptr;
  value = static_cast<std::uint32_t>(sum);
  return at;
}

}  // namespace

std::string_view first_data_line(std::string_view text) {
  std::string_view found;
  edges::each_line(text, [&](std::string_view line) {
    found = line;
    return false;
  });
  return found;
}

char edge_delimiter(std::string_view line) {
  for (const char delimiter : {'\t', ',', ';'})
    if (line.find(delimiter) != std::string_view::npos) return delimiter;
  return ' ';
}

Index count_cells(std::string_view line, char delimiter) {
  Index cells = 0;
  for (const char* at = line.data(); at; ++cells) edges::take_cell(at, line.data() + line.size(), delimiter);
  return cells;
}

EdgeLayout layout_of(const Bytes& bytes, const LinkOptions& options) {
  std::string_view text = bytes.text;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string_view line = first_data_line(text);
  if (line.empty()) throw DataError(fmt::format("{}: there is no link in it", shown_name(bytes.path)));
  EdgeLayout layout{.delimiter = edge_delimiter(line), .weighted = false, .body = text};
  std::string_view sample = line;
  if (options.header.value_or(is_header(line, layout.delimiter))) {
    layout.body = text.substr(static_cast<std::size_t>(line.data() + line.size() - text.data()));
    sample = first_data_line(layout.body);
    if (sample.empty()) throw DataError(fmt::format("{}: there is no link below the header", shown_name(bytes.path)));
  }
  const Index cells = count_cells(sample, layout.delimiter);
  if (cells < 2 || cells > 3)
    throw_at_line(
        bytes, {sample.data(),
                fmt::format(
                    "a link is 'from to' or 'from to weight'; found {} column{}{}", cells, cells == 1 ? "" : "s",
                    cells > 3 ? "; cut the others off, or use " + set_option("format", "csv") + " for a matrix" : "")});
  layout.weighted = cells == 3;
  return layout;
}

void parse_names(std::string_view text, const EdgeLayout& layout, EdgePiece& piece) {
  piece.clear();
  edges::each_line(text, [&](std::string_view line) {
    const char *at = line.data(), *const end = at + line.size();
    const auto vertex = [&](const char* which) {
      const char* const place = at ? at : end;
      const std::string_view cell = edges::take_cell(at, end, layout.delimiter);
      if (cell.empty()) throw TextFault{place, fmt::format("the vertex that the link {} is missing", which)};
      return static_cast<std::uint32_t>(piece.names.number_of(cell));
    };
    const std::uint32_t from = vertex("comes from"), to = vertex("leads to");
    if (layout.weighted) {
      if (!at) throw TextFault{end, "the weight is missing, which other links have"};
      piece.weights.push_back(take_weight(edges::take_cell(at, end, layout.delimiter)));
    }
    if (at && at != end)
      throw TextFault{at, fmt::format("the link should end here, as the first has {} columns; found {}",
                                      layout.weighted ? 3 : 2, shown_token(at, end))};
    piece.from.push_back(from);
    piece.to.push_back(to);
    return true;
  });
}

bool parse_numbers(std::string_view text, const EdgeLayout& layout, EdgePiece& piece) {
  piece.clear();
  piece.from.reserve(text.size() / 12);
  piece.to.reserve(text.size() / 12);
  const char *at = text.data(), *const end = at + text.size();
  const char delimiter = layout.delimiter;
  const bool closed = text.ends_with('\n');  // the fast scan may look at the byte after a number
  const auto separator = [&] {
    const char* const start = at;
    while (at != end && *at != delimiter && edges::is_space(*at)) ++at;
    if (delimiter == ' ') {
      while (at != end && edges::is_space(*at)) ++at;
      return at != start;
    }
    if (at == end || *at != delimiter) return false;
    ++at;
    while (at != end && *at == ' ') ++at;
    return true;
  };
  while (at != end) {
    while (at != end && edges::is_space(*at)) ++at;
    if (at == end) break;
    std::uint32_t from = 0, to = 0;
    const char* next = scan_vertex(at, end, from);
    if (!next) {
      if (*at == '\r' && at + 1 != end && at[1] == '\n') ++at;
      if (*at != '\n') {
        if (!edges::is_comment(at, end)) return false;
        at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        if (!at) break;
      }
      ++at;
      continue;
    }
    at = next;
    if (!separator()) return false;
    at = scan_vertex(at, end, to);
    if (!at) return false;
    if (layout.weighted) {
      if (!separator()) return false;
      double weight = 0.0;
      at = closed ? delimited::number::scan(at, end, '.', weight)
                  : delimited::number::scan_in_range(at, end, '.', weight);
      if (!at || !weight_fault(weight).empty()) return false;
      piece.weights.push_back(weight);
    }
    while (at != end && (edges::is_space(*at) || *at == '\r')) ++at;
    if (at != end && *at++ != '\n') return false;
    piece.from.push_back(from);
    piece.to.push_back(to);
  }
  return true;
}

}  // namespace fewdim
