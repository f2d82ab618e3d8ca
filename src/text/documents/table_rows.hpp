#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/documents/text_input.hpp"

namespace fewdim {

/// A row of a table with a column of text.
struct TableRow {
  std::vector<std::string> fields;
  std::size_t count = 0;  ///< of them; the strings behind are kept for their memory
  Index line = 0;

  /// A short row lacks its last fields.
  std::string_view field(std::size_t column) const {
    return column < count ? std::string_view(fields[column]) : std::string_view();
  }
};

/// RFC 4180, with any line end; tables with tabs have quotes around whole fields at most, never a line end in them.
class TableRows {
 public:
  TableRows(TextInput& input, bool tabs) : input_(input), tabs_(tabs), delimiter_(tabs ? '\t' : ',') {}

  /// Empty lines are skipped.
  bool next(TableRow& row);

  /// By the first line: a table without commas may have semicolons.
  void choose_delimiter(std::string_view first_line) {
    if (!tabs_ && first_line.find(',') == std::string_view::npos && first_line.find(';') != std::string_view::npos)
      delimiter_ = ';';
  }

 private:
  std::string_view take();
  void read_plain(std::string& out);
  void read_field(std::string& out, Index first_line);

  TextInput& input_;
  bool tabs_;
  char delimiter_;
  std::string_view rest_{};
  bool more_ = false;
};

}  // namespace fewdim
