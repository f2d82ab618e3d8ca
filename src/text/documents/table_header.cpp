#include "text/documents/table_header.hpp"

#include <algorithm>
#include <set>

#include "text/documents/field_choice.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {  // bytes beyond ASCII are parts of letters, mostly
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// Digits and signs, no letter: 12, -3.5, 1,400, 2024-05-01, 12:30.
bool is_number(std::string_view field) {
  return std::ranges::any_of(field, is_digit) && std::ranges::none_of(field, is_letter);
}

/// Runs of letters as one a, of digits as one 0: "c12" and "m3" are "a0", "PMC-10" is "a-0".
std::string shape_of(std::string_view field) {
  std::string shape;
  for (const char c : field) {
    const char kind = is_digit(c) ? '0' : is_letter(c) ? 'a' : c;
    if (shape.empty() || shape.back() != kind || (kind != '0' && kind != 'a')) shape += kind;
  }
  return shape;
}

std::size_t words_in(std::string_view field) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : field) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    words += !blank && !inside ? 1 : 0;
    inside = !blank;
  }
  return words;
}

/// What the fields of a column below the first line have in common.
struct Column {
  std::string_view first;
  bool numbers = true;        ///< all of them that are not empty, and some are not
  bool like_first = false;    ///< four fifths have the shape of the first, which has a digit
  bool unlike_first = false;  ///< four fifths have a digit, and the first has none
  std::size_t words = 0;      ///< median
};

Column column_of(const TableRow& line, const std::deque<TableRow>& rows, std::size_t at) {
  Column out{.first = trimmed(line.field(at))};
  const std::string shape = shape_of(out.first);
  const bool digit = std::ranges::any_of(out.first, is_digit);
  std::vector<std::size_t> words;
  std::size_t filled = 0, like = 0, with_digit = 0;
  for (const TableRow& row : rows) {
    const std::string_view field = trimmed(row.field(at));
    words.push_back(words_in(field));
    if (field.empty()) continue;
    ++filled;
    out.numbers = out.numbers && is_number(field);
    like += digit && shape_of(field) == shape ? 1 : 0;
    with_digit += std::ranges::any_of(field, is_digit) ? 1 : 0;
  }
  out.numbers = out.numbers && filled > 0;
  out.like_first = filled > 0 && 5 * like >= 4 * filled;
  out.unlike_first = filled > 0 && !digit && !out.first.empty() && 5 * with_digit >= 4 * filled;
  std::ranges::nth_element(words, words.begin() + std::ssize(words) / 2);
  out.words = words[words.size() / 2];
  return out;
}

bool is_usual(std::string_view name) {
  const auto among = [&](const auto& names) {
    return std::ranges::any_of(names, [&](std::string_view usual) { return same_name(name, usual); });
  };
  return among(usual_texts) || among(usual_titles) || among(usual_ids);
}

/// Short, with a letter, as names of columns are.
bool is_name(std::string_view field) {
  return !field.empty() && field.size() <= 40 && words_in(field) <= 3 && std::ranges::any_of(field, is_letter);
}

}  // namespace

bool has_header(const TableRow& first, const std::deque<TableRow>& rows) {
  std::size_t usual = 0;
  for (std::size_t i = 0; i < first.count; ++i) usual += is_usual(trimmed(first.field(i))) ? 1 : 0;
  if (rows.empty() || usual > 1) return usual > 0;
  std::vector<Column> columns;
  for (std::size_t i = 0; i < first.count; ++i) columns.push_back(column_of(first, rows, i));

  bool name_above_numbers = false, number_above_numbers = false, like = false, unlike = false;
  const std::size_t text = longest_column(first, rows, first.count);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    if (column.numbers) (is_number(column.first) ? number_above_numbers : name_above_numbers) |= !column.first.empty();
    if (i == text && columns.size() > 1) continue;
    like = like || column.like_first;
    unlike = unlike || column.unlike_first;
  }
  if (usual == 1) return !number_above_numbers && !like;  // "17 <tab> name" is a document of one word
  if (name_above_numbers != number_above_numbers) return name_above_numbers;
  if (like != unlike) return unlike;
  const std::size_t words = words_in(columns[text].first);
  std::set<std::string_view> names;
  for (const Column& column : columns)
    if (is_name(column.first)) names.insert(column.first);
  return names.size() == columns.size() && columns[text].words > 2 * words;
}

std::size_t longest_column(const TableRow& first, const std::deque<TableRow>& rows, std::size_t columns) {
  std::vector<std::size_t> bytes(columns, 0);
  for (std::size_t i = 0; i < columns; ++i) {
    bytes[i] = first.field(i).size();
    for (const TableRow& row : rows) bytes[i] += row.field(i).size();
  }
  return static_cast<std::size_t>(std::ranges::max_element(bytes) - bytes.begin());
}

std::size_t distinct_column(const TableRow& first, const std::deque<TableRow>& rows, std::size_t text) {
  constexpr std::size_t longest = 100;
  const auto is_id = [](std::string_view field) { return words_in(field) == 1 && field.size() <= longest; };
  for (std::size_t i = 0; i < first.count; ++i) {
    std::set<std::string_view> seen{trimmed(first.field(i))};
    const auto is_new = [&](const TableRow& row) {
      const std::string_view field = trimmed(row.field(i));
      return is_id(field) && seen.insert(field).second;
    };
    if (i != text && is_id(*seen.begin()) && std::ranges::all_of(rows, is_new)) return i;
  }
  return std::string::npos;
}

}  // namespace fewdim
