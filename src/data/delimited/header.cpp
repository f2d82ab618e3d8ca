#include "data/delimited/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/remedy.hpp"
#include "data/delimited/numbers_line.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"

// Header: "below" are the records of the sample after the first. The first record is one when
//   - it has text over columns of numbers and no number over any (a quoted number over unquoted ones is text, so
//     names that look like numbers are known by their quotes), or
//   - its first cell alone is empty, and no first cell below is, or
//   - its numbers are names by what they are (judge_numbers): 0, 1, 2 ... of pandas, years, numbers of genes.
// Where text and numbers stand over columns of numbers the numbers have to be names, too, or it is an error: a row must
// not vanish silently, and neither must a name become a row. What was decided about a line with numbers is always told.

namespace fewdim::delimited {

namespace {

/// Words that head a column of names, and are no name themselves.
bool is_heading(std::string_view text) {
  static constexpr std::array words{"id",      "ids",   "index",  "name", "names", "key",     "sample",
                                    "samples", "gene",  "genes",  "cell", "cells", "country", "date",
                                    "time",    "label", "row",    "rows", "code",  "city",    "state",
                                    "region",  "group", "object", "item", "case",  "probe"};
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(words.begin(), words.end(), lower) != words.end();
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// A column of text tells where its first cell is unlike the others: 2 for a word that heads such columns, 1 for one
/// without digits over s1, s2, s3, or one that does not come again over few that do.
int heads_text(const Cell& cell, const Column& below) {
  if (below.numeric() || below.cells < 2 || cell.text.empty() || below.values.contains(cell.text)) return 0;
  if (is_heading(cell.text)) return 2;
  const bool numbered = std::all_of(below.values.begin(), below.values.end(), has_digit);
  const bool repeated = below.cells >= 4 && 2 * std::ssize(below.values) <= below.cells;
  return (numbered && !has_digit(cell.text)) || repeated ? 1 : 0;
}

FirstLine judge_only_line(const Census& census) {
  const auto is_text = [&](const Cell& cell) { return census.kind(cell) == Kind::text; };
  const auto& cells = census.rows[0];
  const bool header =
      std::all_of(cells.begin(), cells.end(), [&](const Cell& c) { return c.text.empty() || is_text(c); }) &&
      std::any_of(cells.begin(), cells.end(), is_text);
  return {header, {}};
}

/// The cells of the first line over columns of numbers.
struct Over {
  const Cell* text = nullptr;        // the first that is text
  const Cell* quoted = nullptr;      // the first that is a number, quoted over unquoted ones
  std::vector<std::size_t> numbers;  // columns with a plain number
  std::size_t empty = 0;
  bool missing = false;  // a missing value there
  int heading = 0;       // of a column of text; see heads_text()

  bool headed() const { return heading > 1 || (heading > 0 && numbers.size() > 1); }
};

Over look_over(const Census& census, const std::vector<Column>& below) {
  Over over;
  const std::vector<Cell>& first = census.rows[0];
  for (std::size_t j = 0; j < first.size(); ++j) {
    const Cell& cell = first[j];
    const Kind kind = census.kind(cell);
    over.empty += cell.text.empty();
    over.heading = std::max(over.heading, heads_text(cell, below[j]));
    if (cell.text.empty() || !below[j].numeric()) continue;
    if (kind == Kind::text) {
      if (!over.text) over.text = &cell;
    } else if (cell.quoted && below[j].quoted == 0) {
      if (!over.quoted) over.quoted = &cell;
    } else if (kind == Kind::number) {
      over.numbers.push_back(j);
    } else {
      over.missing = true;
    }
  }
  return over;
}

FirstLine told_header(const std::string& reason) {
  return {true,
          fmt::format("the first line is a header ({}); use {} if it is data", reason, set_option("header", false))};
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason, const std::string& remedy) {
  throw DataError(
      fmt::format("{}: can't tell whether the first line is a header: {}; {}", shown_name(path), reason, remedy));
}

}  // namespace

FirstLine judge_first_line(const Census& census, const std::string& path) {
  static const std::string data =
      "the first line is data, of numbers as the lines below; use " + set_option("header", true) + " if it holds names";
  static const std::string settle =
      "use " + set_option("header", true) + " if it holds names, " + set_option("header", false) + " if it is data";
  const std::vector<Cell>& first = census.rows[0];
  if (census.rows.size() == 1) return judge_only_line(census);
  const std::vector<Column> below = census.columns(1, first.size());
  const Over over = look_over(census, below);
  const bool ragged = census.rows[1].size() != first.size();  // then the parser has the better message
  const Cell* const name = over.text ? over.text : over.quoted;
  if (name && (ragged || over.numbers.empty()))
    return over.text || ragged ? FirstLine{true, {}} : told_header("its numbers are in quotes, those below are not");
  const auto first_empty = [](const auto& row) { return row[0].text.empty(); };
  if (!name && first.size() > 1 && over.empty == 1 && first_empty(first) &&
      std::none_of(census.rows.begin() + 1, census.rows.end(), first_empty))
    return over.numbers.empty() ? FirstLine{true, {}} : told_header("its first cell is empty");
  if (over.numbers.empty()) return {};

  const Judged found = judge_numbers(census, below, over.numbers, name || over.headed());
  if (name && found.verdict != Verdict::header)
    refuse(path,
           fmt::format("\"{}\" in it is a name over numbers, {} is a number", shown_cell(*name),
                       first[over.numbers.front()].text),
           over.text ? fmt::format("use {} if it holds names, or make \"{}\" a missing value with {}",
                                   set_option("header", true), shown_cell(*name),
                                   set_option("na_words", typed_word(cell_string(*name))))
                     : settle);
  if (ragged || (over.missing && !name)) return {false, ragged ? "" : data};
  if (found.verdict == Verdict::header) return told_header(found.reason);
  if (found.verdict == Verdict::open) refuse(path, found.reason, settle);
  return {false, data};
}

}  // namespace fewdim::delimited
