#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/options.hpp"

/// Small matters of text.
namespace fewdim::cli {

/// "a, b" or one per element; an element in double quotes may hold commas.
std::vector<std::string> split_list(const std::string& text);
std::vector<std::string> split_at(std::string_view text, char separator);

/// "4G" and "4GiB" are 2^32 bytes, "1.5GB" is 1.5e9, a bare number is bytes. `flag` is for the message.
std::uint64_t parse_bytes(const std::string& text, const std::string& flag);
/// A whole number of at least `minimum`.
Index parse_whole(const std::string& text, const std::string& flag, Index minimum);
double parse_real(const std::string& text, const std::string& flag);
std::uint64_t parse_seed(const std::string& text);

std::string show_bytes(std::uint64_t bytes);  ///< "3.2 MiB"
std::string show_seconds(double seconds);     ///< "12 ms", "3.4 s", "2 min 5 s"
std::string show_count(std::int64_t number);  ///< "1,797"
std::string show_option(const OptionValue& value);
std::string flag_of(const std::string& name);  ///< "row_weights": "--row-weights"

std::string one_of(const std::vector<std::string>& choices);  ///< "a, b or c"
std::string all_of(const std::vector<std::string>& things);   ///< "a, b and c"

/// The candidate that is meant by `word`, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Without what a terminal would obey: control characters, and those that turn the direction of writing, become U+FFFD;
/// so does what is not UTF-8.
std::string printable(std::string_view text);

/// Breaks at blanks; every line after the first starts with `indent` blanks.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width);
/// Columns of the terminal, or of $COLUMNS; 80 when neither tells.
std::size_t terminal_width();

/// Rows of cells as aligned columns, two blanks apart. The first row is the header. Numbers go to the right. The last
/// column is wrapped.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width = terminal_width());

}  // namespace fewdim::cli
