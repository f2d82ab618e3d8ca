#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/memory.hpp"
#include "data/delimited.hpp"
#include "data/delimited_number.hpp"
#include "data/input.hpp"
#include "fewdim/error.hpp"

// What is detected, and how. "Below" are the records of the sample after the first. A cell is missing (one of the
// NA words), a number, or text; a column is one of numbers when it has a number below, or nothing but missing ones.
//
// Header: the first record is one when
//   - it has one field less than the records below (R's write.table: the row names have no header), or
//   - it has text over columns of numbers and no number over any (a quoted number over unquoted ones is text, so
//     names that look like numbers are known by their quotes), or
//   - it has text over some, and over the others the whole numbers 0, 1, 2 ... or 1, 2, 3 ... (pandas), or
//   - its first cell alone is empty, and no first cell below is.
//   Text over some columns of numbers and other numbers over others is an error: a row must not vanish silently.
// Row names: the first column holds them when it has an empty header or none (the case above), or when its cells
//   are all different and either all text or all quoted beside numbers that are not.
// Any other column without a number is an error that names --label and --drop. Nothing is dropped unasked.

namespace fewdim::delimited {

namespace {

enum class Kind { missing, number, text };

struct Column {
  Index numbers = 0, texts = 0, quoted = 0, cells = 0;
  Index grouped = 0;                  // texts that are numbers but for commas: "1,234"
  std::set<std::string_view> values;  // of the first column only
  std::string example;                // the first text

  bool numeric() const { return numbers > 0 || texts == 0; }
  bool all_different() const { return static_cast<Index>(values.size()) == cells; }
};

/// A cell as a message shows it: its first letters.
std::string shown_cell(const Cell& cell) {
  constexpr std::size_t most = 40;
  std::size_t size = std::min(cell.text.size(), most);
  while (size < cell.text.size() && size > 0 && (static_cast<unsigned char>(cell.text[size]) & 0xC0U) == 0x80U) --size;
  return cell_string({cell.text.substr(0, size), cell.quoted});
}

bool is_grouped(std::string_view text) {
  std::string bare(text);
  double value = 0;
  return std::erase(bare, ',') > 0 && number::parse_whole(bare, '.', value);
}

/// The sample cut into cells, with each column's census.
struct Census {
  std::vector<std::vector<Cell>> rows;
  MissingWords missing;
  char decimal;

  Census(const Sample& sample, char delimiter, char decimal_sign, const ReadOptions& options)
      : rows(sample.records.size()), missing(options.na_words, decimal_sign), decimal(decimal_sign) {
    for (std::size_t i = 0; i < rows.size(); ++i) split_cells(sample.records[i], delimiter, rows[i]);
  }

  Kind kind(const Cell& cell) const {
    double value = 0;
    if (missing.holds(cell.text)) return Kind::missing;
    return number::parse_whole(cell.text, decimal, value) ? Kind::number : Kind::text;
  }

  /// Counts the cells of rows `from` and on; fields beyond `fields` are left to the parser to complain about.
  std::vector<Column> columns(std::size_t from, std::size_t fields) const {
    std::vector<Column> columns(fields);
    for (std::size_t i = from; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < std::min(rows[i].size(), fields); ++j) {
        const Cell& cell = rows[i][j];
        Column& column = columns[j];
        ++column.cells;
        column.quoted += cell.quoted;
        if (j == 0) column.values.insert(cell.text);
        switch (kind(cell)) {
          case Kind::missing:
            break;
          case Kind::number:
            ++column.numbers;
            break;
          case Kind::text:
            if (column.texts++ == 0) column.example = shown_cell(cell);
            column.grouped += is_grouped(cell.text);
        }
      }
    }
    return columns;
  }
};

bool has_short_header(const Census& census) {
  if (census.rows.size() < 2) return false;
  const auto longer = [&](const auto& row) { return row.size() == census.rows[0].size() + 1; };
  const auto ends_empty = [](const auto& row) { return row.back().text.empty() && !row.back().quoted; };
  const bool all_longer = std::all_of(census.rows.begin() + 1, census.rows.end(), longer);
  const bool no_number = std::none_of(census.rows[0].begin(), census.rows[0].end(), [&](const Cell& cell) {
    return !cell.quoted && census.kind(cell) == Kind::number;
  });
  return all_longer && no_number && !std::all_of(census.rows.begin() + 1, census.rows.end(), ends_empty);
}

/// Whether the numbers are 0, 1, 2 ... or 1, 2, 3 ...
bool counts_up(const std::vector<double>& numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] != numbers[i - 1] + 1) return false;
  return !numbers.empty() && (numbers[0] == 0 || numbers[0] == 1);
}

bool detect_header(const Census& census, const std::string& path) {
  const std::vector<Cell>& first = census.rows[0];
  if (census.rows.size() == 1) {
    const auto is_text = [&](const Cell& cell) { return census.kind(cell) == Kind::text; };
    return std::all_of(first.begin(), first.end(), [&](const Cell& c) { return c.text.empty() || is_text(c); }) &&
           std::any_of(first.begin(), first.end(), is_text);
  }
  const std::vector<Column> below = census.columns(1, first.size());
  const Cell *text = nullptr, *plain = nullptr;
  std::vector<double> numbers;
  std::size_t empty = 0;
  for (std::size_t j = 0; j < first.size(); ++j) {
    const Cell& cell = first[j];
    const Kind kind = census.kind(cell);
    empty += cell.text.empty();
    if (cell.text.empty() || !below[j].numeric()) continue;
    if (kind == Kind::text || (cell.quoted && below[j].quoted == 0)) {
      if (!text) text = &cell;
    } else if (kind == Kind::number) {
      if (!plain) plain = &cell;
      double value = 0;
      number::parse_whole(cell.text, census.decimal, value);
      numbers.push_back(value);
    }
  }
  const bool ragged = census.rows[1].size() != first.size();  // then the parser has the better message
  if (text && plain && !ragged && !counts_up(numbers))
    throw DataError(
        fmt::format("{}: can't tell whether the first line is a header: \"{}\" in it is a name over numbers, {} is "
                    "a number; say --header or --no-header",
                    shown_name(path), shown_cell(*text), shown_cell(*plain)));
  if (text) return true;
  const auto first_empty = [](const auto& row) { return row[0].text.empty(); };
  return first.size() > 1 && empty == 1 && first_empty(first) &&
         std::none_of(census.rows.begin() + 1, census.rows.end(), first_empty);
}

bool detect_row_names(const std::vector<Column>& columns, const Layout& layout) {
  if (layout.fields < 2) return false;
  if (layout.header && layout.names[0].empty()) return true;
  const Column& first = columns[0];
  if (first.cells == 0 || !first.all_different()) return false;
  if (first.numbers == 0 && first.texts > first.grouped) return true;
  const auto unquoted = [](const Column& column) { return column.numbers > 0 && column.quoted == 0; };
  return first.quoted == first.cells && std::any_of(columns.begin() + 1, columns.end(), unquoted);
}

void refuse_text_columns(const std::vector<Column>& columns, const Layout& layout, const std::string& path) {
  std::string found, drop;
  Index count = 0, some = -1;
  constexpr Index shown = 5;
  for (const Index j : layout.choice.kept) {
    const Column& column = columns[static_cast<std::size_t>(j)];
    if (column.numeric()) continue;
    if (some < 0) some = j;
    if (++count > shown) continue;
    found += fmt::format("{}{} (\"{}\" ...)", count > 1 ? ", " : "", shown_column(layout.names, j), column.example);
    drop += fmt::format(" --drop {}", typed_column(layout.names, j));
  }
  if (count == 0) return;
  if (const Column& column = columns[static_cast<std::size_t>(some)]; column.grouped == column.texts)
    throw DataError(
        fmt::format("{}: {} has commas inside its numbers (\"{}\" ...); write them without, and a decimal point",
                    shown_name(path), shown_column(layout.names, some), column.example));
  if (count > shown) found += fmt::format(" and {} more", count - shown), drop += " ...";
  const std::string as =
      some == 0 ? fmt::format("--id {}, --label {}", typed_column(layout.names, some), typed_column(layout.names, some))
                : fmt::format("--label {}", typed_column(layout.names, some));
  throw DataError(fmt::format("{}: {} {} text, not numbers; use {} or{}", shown_name(path), found,
                              count == 1 ? "holds" : "hold", as, drop));
}

void check_delimiter(char delimiter, const std::string& path) {
  const auto byte = static_cast<unsigned char>(delimiter);
  const bool printable = delimiter == '\t' || (byte >= 0x20 && byte < 0x7f);
  if (printable && !std::isalnum(byte) && std::string_view("\"+-.#").find(delimiter) == std::string_view::npos) return;
  throw InvalidOption(shown_name(path), "delimiter", fmt::format("0x{:02x}", byte), "can't separate numbers",
                      "use a comma, ';', '|', a tab or a blank");
}

}  // namespace

MissingWords::MissingWords(const std::vector<std::string>& given, char decimal) : words(given) {
  double value = 0;
  for (const std::string& word : words)
    if (number::parse_whole(word, decimal, value) && std::isfinite(value)) values.push_back(value);
}

bool MissingWords::holds(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A cell takes some bytes of text, and a hundred while the layout is decided.
void require_layout_memory(const Sample& sample, const ReadOptions& options, const std::string& path,
                           const Execution& exec) {
  const std::string delimiters = options.delimiter != '\0' ? std::string(1, options.delimiter) : ",\t;| ";
  std::uint64_t cells = 0, widest = 0;
  const std::string_view* longest = nullptr;
  for (const std::string_view& record : sample.records) {
    std::uint64_t most = 0;
    for (const char c : delimiters) most = std::max(most, static_cast<std::uint64_t>(std::ranges::count(record, c)));
    cells += most + 1;
    if (most + 1 > widest) widest = most + 1, longest = &record;
  }
  if (longest == nullptr || cells < 100'000) return;
  // Each column's census, its name (twice) and its places; the cells, in a vector that grows by doubling.
  constexpr std::uint64_t column_bytes = sizeof(Column) + 2 * sizeof(std::string) + 4 * sizeof(Index);
  const char* const text = sample.records.front().data() - sample.begin;
  const auto place = static_cast<std::size_t>(longest->data() - text);
  require_memory(exec, widest * column_bytes + 2 * cells * sizeof(Cell),
                 fmt::format("{}:{}: a record of {} and {} cells", shown_name(path), line_at({text, place}, place),
                             format_bytes(longest->size()), widest),
                 "check its line ends, or raise the limit with --memory-limit");
}

Layout decide_layout(const Sample& sample, const ReadOptions& options, const std::string& path) {
  if (sample.records.empty()) throw DataError(fmt::format("{}: is empty", shown_name(path)));
  Layout layout;
  layout.delimiter = sniff_delimiter(sample, options);
  check_delimiter(layout.delimiter, path);
  layout.decimal = sniff_decimal(sample, layout.delimiter);
  const Census census(sample, layout.delimiter, layout.decimal, options);
  layout.missing = census.missing;

  const bool short_header = options.header.value_or(true) && has_short_header(census);
  layout.header = options.header ? *options.header : short_header || detect_header(census, path);
  layout.fields = static_cast<Index>(census.rows[0].size()) + (short_header ? 1 : 0);
  layout.data_begin = layout.header ? sample.second : sample.begin;
  if (layout.header) {
    if (short_header) layout.names.emplace_back();
    for (const Cell& cell : census.rows[0]) layout.names.push_back(cell_string(cell));
    if (census.rows.size() == 1)
      throw DataError(fmt::format("{}: no rows, only a header of {} {}", shown_name(path), layout.fields,
                                  layout.fields == 1 ? "column" : "columns"));
  }
  const std::vector<Column> columns = census.columns(layout.header ? 1 : 0, static_cast<std::size_t>(layout.fields));
  const bool row_names = short_header || detect_row_names(columns, layout);
  layout.choice = choose_columns(layout.names, layout.fields, options, row_names ? 0 : -1, path);
  refuse_text_columns(columns, layout, path);
  if (layout.choice.kept.empty())
    throw DataError(
        fmt::format("{}: no column of numbers is left; keep one out of --id, --label and --drop", shown_name(path)));

  layout.roles.assign(static_cast<std::size_t>(layout.fields), skipped);
  for (std::size_t k = 0; k < layout.choice.kept.size(); ++k)
    layout.roles[static_cast<std::size_t>(layout.choice.kept[k])] = static_cast<Index>(k);
  if (layout.choice.id >= 0) layout.roles[static_cast<std::size_t>(layout.choice.id)] = row_name;
  if (layout.choice.label >= 0) layout.roles[static_cast<std::size_t>(layout.choice.label)] = row_label;
  return layout;
}

void set_names(Dataset& data, const Layout& layout) {
  if (layout.names.empty()) return;
  for (const Index j : layout.choice.kept) data.column_names.push_back(layout.names[static_cast<std::size_t>(j)]);
  if (layout.choice.id >= 0) data.row_names_header = layout.names[static_cast<std::size_t>(layout.choice.id)];
  if (layout.choice.label >= 0) data.label_name = layout.names[static_cast<std::size_t>(layout.choice.label)];
}

}  // namespace fewdim::delimited
