#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/delimited/delimited.hpp"

/// The sample cut into cells, and what each column holds: all that is decided about a text is decided by these counts.
namespace fewdim::delimited {

/// A cell as a message shows it: its first letters.
std::string shown_cell(const Cell& cell);

/// Missing is one of the NA words.
enum class Kind { missing, number, text };

/// The cells of a column below the first record, or of all of it.
struct Column {
  Index numbers = 0, texts = 0, quoted = 0, cells = 0;
  Index whole = 0;                    ///< numbers without a fraction or an exponent in their spelling
  Index zeros = 0;                    ///< numbers that are 0
  double least = 0.0, most = 0.0;     ///< of the finite numbers
  Index grouped = 0;                  ///< texts that are numbers but for commas: "1,234"
  std::set<std::string_view> values;  ///< of the first column, and of columns with text: what they hold
  std::string example;                ///< the first text

  /// A column is one of numbers when it has a number, or nothing but missing ones.
  bool numeric() const { return numbers > 0 || texts == 0; }
  bool all_different() const { return static_cast<Index>(values.size()) == cells; }
  /// Half of what is not 0 or more is spelled with a fraction.
  bool fractional() const { return 2 * (numbers - whole) >= numbers - zeros && numbers > whole; }
};

struct Census {
  std::vector<std::vector<Cell>> rows;
  MissingWords missing;
  char decimal;

  Census(const Sample& sample, char delimiter, char decimal_sign, const ReadOptions& options);

  Kind kind(const Cell& cell) const;
  /// The number of a cell; NaN where it is none.
  double value(const Cell& cell) const;
  /// Spelled as a whole number: digits, perhaps a sign.
  static bool is_whole(std::string_view text);
  /// Counts the cells of rows `from` and on; fields beyond `fields` are left to the parser to complain about.
  std::vector<Column> columns(std::size_t from, std::size_t fields) const;
  /// Whether the cells of a column, from row `from` on, are 0, 1, 2 ... or 1, 2, 3 ...; three of them at least.
  bool counts_down_column(std::size_t column, std::size_t from) const;
};

/// Whether the numbers are 0, 1, 2 ... or 1, 2, 3 ...
bool counts_up(const std::vector<double>& numbers);

}  // namespace fewdim::delimited
