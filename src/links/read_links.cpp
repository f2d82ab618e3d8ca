#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "data/delimited/delimited.hpp"
#include "data/input/input.hpp"
#include "data/memory_budget.hpp"
#include "fewdim/error.hpp"
#include "links/formats.hpp"

namespace fewdim {

namespace {

std::string without_compression(std::string path) {
  for (const char* ending : {".gz", ".zst"})
    if (path.ends_with(ending)) path.resize(path.size() - std::string_view(ending).size());
  return path;
}

/// Keys and lists in brackets, of which one is the graph.
bool looks_like_gml(std::string_view text) {
  text = text.substr(0, 4096);
  for (std::size_t at = text.find("graph"); at != std::string_view::npos; at = text.find("graph", at + 1)) {
    const bool begins = at == 0 || std::string_view(" \t\r\n").find(text[at - 1]) != std::string_view::npos;
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + 5);
    if (begins && next != std::string_view::npos && text[next] == '[') return true;
  }
  return false;
}

LinkFormat format_of(const Bytes& bytes) {
  const std::string name = without_compression(bytes.path);
  if (name.ends_with(".mtx") || bytes.text.starts_with("%%MatrixMarket")) return LinkFormat::matrix_market;
  if (name.ends_with(".gml") || looks_like_gml(bytes.text)) return LinkFormat::gml;
  // More columns than a link has: a matrix.
  const std::string_view line = first_data_line(bytes.text);
  if (!line.empty() && count_cells(line, edge_delimiter(line)) > 3) return LinkFormat::csv;
  return LinkFormat::edges;
}

Dataset matrix_of(const Bytes& bytes, LinkFormat format, const Execution& exec) {
  Dataset matrix = format == LinkFormat::csv ? parse_delimited(bytes, ReadOptions{}, exec)
                                             : parse_matrix_market(bytes, ReadOptions{}, exec);
  matrix.source = shown_name(bytes.path);
  return matrix;
}

}  // namespace

LinkGraph read_links(const std::string& path, const LinkOptions& options, const Execution& whole) {
  const Bytes bytes = decompress(load(path, whole), whole);
  const Execution exec = beside(whole, held_bytes(bytes));
  if (bytes.text.empty()) throw DataError(fmt::format("{}: it is empty; there is no link in it", shown_name(path)));
  const LinkFormat format = options.format == LinkFormat::automatic ? format_of(bytes) : options.format;
  if (format == LinkFormat::csv || format == LinkFormat::matrix_market)
    return make_links(matrix_of(bytes, format, exec), options, exec);
  delimited::refuse_binary(bytes.text, bytes.path);
  return format == LinkFormat::gml ? parse_gml(bytes, options, exec) : parse_edges(bytes, options, exec);
}

}  // namespace fewdim
