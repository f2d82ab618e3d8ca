#include <fmt/format.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "data/delimited/number.hpp"
#include "data/delimited/parse.hpp"
#include "data/input/input.hpp"
#include "data/input/number_scanner.hpp"
#include "fewdim/error.hpp"

namespace fewdim::delimited {

namespace {

/// The cell as a message can show it: one line, not too long.
std::string shown_text(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown;
  for (const char c : text.substr(0, most))
    if (static_cast<unsigned char>(c) < 0x20)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      shown += c;
  return text.size() > most ? shown + "..." : shown;
}

std::string delimiter_name(char delimiter) {
  if (delimiter == '\t') return "a tab";
  return delimiter == ' ' ? "a blank" : fmt::format("'{}'", delimiter);
}

std::string number_hint(std::string_view text, const Layout& layout, Index field) {
  double value = 0;
  std::string other(text);
  std::replace(other.begin(), other.end(), layout.decimal == ',' ? '.' : ',', layout.decimal);
  if (number::parse_whole(other, layout.decimal, value) && text.find_first_of(".,") != std::string_view::npos)
    return fmt::format("the file's decimal sign is '{}', write it so", layout.decimal);
  std::erase_if(other, [](char c) { return c == ',' || c == '.' || c == '\'' || c == ' '; });
  if (number::parse_whole(other, '.', value)) return "write it without thousands separators";
  const std::string word = typed_word(text);
  const std::string missing = word.empty()
                                  ? "write NA where a value is missing"
                                  : fmt::format("add it to the NA words with {}", set_option("na_words", word));
  if (layout.features || layout.cols() < 2) return missing;
  const std::string column = typed_column(layout.names, field);
  std::string ways = fmt::format("{}", set_option("drop", column));
  if (layout.choice.label < 0) ways += fmt::format(", {}", set_option("label", column));
  if (layout.choice.id < 0) ways += fmt::format(", {}", set_option("id", column));
  return fmt::format("use {}, or {}", ways, missing);
}

}  // namespace

void report_problem(const Problem& problem, std::string_view text, Index first_line, const Layout& layout,
                    const std::string& path) {
  const auto line = [&](const char* at) {
    return first_line - 1 + line_at(text, static_cast<std::size_t>(at - text.data()));
  };
  const std::string_view rest = text.substr(static_cast<std::size_t>(problem.record - text.data()));
  const std::string_view record = rest.substr(0, record_length(rest, 0));
  const std::string file = shown_name(path);
  const std::string name = layout.names.empty() ? "" : layout.names[static_cast<std::size_t>(problem.field)];
  const std::string cell_place = fmt::format("{}:{}:{}{}", file, line(problem.at), problem.field + 1,
                                             name.empty() ? "" : fmt::format(" ({})", name));
  std::vector<Cell> cells;
  split_cells(record, layout.delimiter, cells);
  const auto place = static_cast<std::size_t>(problem.field);
  const std::string found = place < cells.size() ? cell_string(cells[place]) : "";
  switch (problem.kind) {
    case Problem::Kind::not_a_number:
      throw DataError(fmt::format("{}: found \"{}\", expected a number; {}", cell_place, shown_text(found),
                                  number_hint(found, layout, problem.field)));
    case Problem::Kind::beyond_float32:
    case Problem::Kind::beyond_float64:
      throw DataError(fmt::format("{}: found \"{}\", {}, or write NA there", cell_place, shown_text(found),
                                  too_large_text(problem.kind == Problem::Kind::beyond_float32)));
    case Problem::Kind::fields:
      throw DataError(fmt::format(
          "{}:{}: {} {}, expected {} as in the first line; fill the missing cells, or quote a cell that holds {}", file,
          line(problem.record), cells.size(), cells.size() == 1 ? "field" : "fields", layout.fields,
          delimiter_name(layout.delimiter)));
    case Problem::Kind::blank_line:
      throw DataError(fmt::format("{}:{}: a blank line among the rows; delete it, or write NA for a missing value",
                                  file, line(problem.record)));
    case Problem::Kind::stray_quote:
      throw DataError(
          fmt::format("{}: a quote inside a cell; put the whole cell in quotes and double the one inside", cell_place));
    case Problem::Kind::open_quote:
      throw DataError(fmt::format(
          "{}: a quote opens here and is never closed; close it, or double a quote that is meant", cell_place));
  }
  throw DataError(fmt::format("{}:{}: can't be read", file, line(problem.record)));
}

}  // namespace fewdim::delimited
