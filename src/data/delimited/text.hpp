#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/types.hpp"

/// Records and cells of delimited text, for the few that are looked at closely: the sample, the header, and the
/// record an error is about. The bulk goes through delimited_parse.
namespace fewdim::delimited {

/// One cell of a record.
struct Cell {
  std::string_view text;  ///< blanks around it and its quotes taken off; doubled quotes are still double
  bool quoted = false;
};

inline bool is_padding(char c) { return c == ' ' || c == '\t'; }

/// The text without blanks at its ends (and without a carriage return at the end).
std::string_view trimmed(std::string_view text);

/// Length of the record that starts at `from`, without its newline; a newline between quotes belongs to the record.
/// npos when the text ends inside quotes.
std::size_t record_length(std::string_view text, std::size_t from);

/// The cells of one record. The delimiter ' ' stands for runs of blanks. `cells` is reused.
void split_cells(std::string_view record, char delimiter, std::vector<Cell>& cells);

/// The cell's text with doubled quotes made single.
std::string cell_string(const Cell& cell);

/// Where the first record starts: after a byte order mark, blank lines and lines that start with '#'.
std::size_t skip_preamble(std::string_view text);

/// The text without the blank lines at its end. A tab is no blank when it is the delimiter.
std::string_view without_blank_end(std::string_view text, char delimiter);

/// 1-based number of the line that holds that position.
Index line_at(std::string_view text, std::size_t position);

}  // namespace fewdim::delimited
