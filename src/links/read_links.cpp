#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "data/card_named.hpp"
#include "data/delimited/delimited.hpp"
#include "data/input/file_format.hpp"
#include "data/input/input.hpp"
#include "data/memory_budget.hpp"
#include "fewdim/error.hpp"
#include "links/formats.hpp"

namespace fewdim {

namespace {

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

/// More columns than a link has.
bool looks_like_matrix(std::string_view text) {
  const std::string_view line = first_data_line(text);
  return !line.empty() && count_cells(line, edge_delimiter(line)) > 3;
}

LinkGraph links_of(Dataset matrix, const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  matrix.source = shown_name(bytes.path);
  return make_links(matrix, options, exec);
}

LinkGraph read_matrix_market(const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  return links_of(parse_matrix_market(bytes, ReadOptions{}, exec), bytes, options, exec);
}

LinkGraph read_matrix(const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  return links_of(parse_delimited(bytes, ReadOptions{}, exec), bytes, options, exec);
}

LinkGraph read_edges(const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  delimited::refuse_binary(bytes.text, bytes.path);
  return parse_edges(bytes, options, exec);
}

LinkGraph read_gml(const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  delimited::refuse_binary(bytes.text, bytes.path);
  return parse_gml(bytes, options, exec);
}

constexpr std::string_view edge_list = "edges";

const LinkFormatCard& format_of_links(const Bytes& bytes) {
  for (const LinkFormatCard& card : link_formats())
    if (has_ending(bytes.path, card.endings)) return card;
  for (const LinkFormatCard& card : link_formats())
    if (card.recognize && card.recognize(bytes.text)) return card;
  return link_format(edge_list);
}

}  // namespace

const std::vector<LinkFormatCard>& link_formats() {
  static const std::vector<LinkFormatCard> cards{
      {.name = std::string(edge_list),
       .about = "a link a line: from, to, and maybe a weight, between tabs, commas, semicolons or blanks",
       .read = read_edges},
      {.name = "mtx",
       .about = "Matrix Market: the adjacency matrix",
       .endings = {".mtx"},
       .recognize = [](std::string_view text) { return text.starts_with("%%MatrixMarket"); },
       .read = read_matrix_market},
      {.name = "gml",
       .about = "Graph Modelling Language",
       .endings = {".gml"},
       .recognize = looks_like_gml,
       .read = read_gml},
      {.name = "csv",
       .about = "the adjacency matrix as delimited text",
       .recognize = looks_like_matrix,
       .read = read_matrix},
  };
  return cards;
}

const LinkFormatCard& link_format(std::string_view name) { return card_named(link_formats(), name, "links"); }

LinkGraph read_links(const std::string& path, const LinkOptions& options, const Execution& whole) {
  const Bytes bytes = decompress(load(path, whole), whole);
  const Execution exec = beside(whole, held_bytes(bytes));
  if (bytes.text.empty()) throw DataError(fmt::format("{}: it is empty; there is no link in it", shown_name(path)));
  const LinkFormatCard& card = options.format.empty() ? format_of_links(bytes) : link_format(options.format);
  return card.read(bytes, options, exec);
}

}  // namespace fewdim
