#pragma once

#include <string_view>
#include <vector>

#include "data/formats.hpp"
#include "fewdim/link_graph.hpp"
#include "links/name_table.hpp"

/// Lines of edge lists as links.
namespace fewdim {

/// How an edge list is written: told by its first line.
struct EdgeLayout {
  char delimiter = ' ';
  bool weighted = false;
  std::string_view body;  ///< without the header
};

/// Links of one piece of the text.
struct EdgePiece {
  std::vector<std::uint32_t> from, to;
  std::vector<double> weights;
  NameTable names;  ///< of this piece; from and to count in it

  void clear() {
    from.clear(), to.clear(), weights.clear();
    if (!names.names().empty()) names.clear();
  }
};

/// Throws DataError where there is no link, or the first has too few or too many columns.
EdgeLayout layout_of(const Bytes& bytes, const LinkOptions& options);

/// Any names. The authority on what is wrong with a line: throws TextFault.
void parse_names(std::string_view text, const EdgeLayout& layout, EdgePiece& piece);

/// Whole numbers below 2^32 only; false at the first line that is anything else.
bool parse_numbers(std::string_view text, const EdgeLayout& layout, EdgePiece& piece);

}  // namespace fewdim
