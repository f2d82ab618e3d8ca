#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "data/delimited/delimited.hpp"
#include "data/delimited/header.hpp"
#include "data/delimited/number.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"

// What is detected, and how; of the header delimited_header.cpp tells. "Below" are the records of the sample after the
// first, or all where that is no header.
//
// Short header: R's write.table writes one field less than the records below have; the row names have no header.
// Row names: the first column holds them when it has an empty header, or none, or pandas' "Unnamed: 0", when its cells
// are
//   all different and either all text or all quoted beside numbers that are not, and when it is named "id" or the like
//   and holds different whole numbers. One that counts 1, 2, 3 under another name is a feature, and that is told.
// Label: the column that is named "label", or "label:NAME" as the writer names it.
// Any other column without a number is an error that names --label and --drop. Nothing is dropped unasked, unless a
// model says which columns it knows.

namespace fewdim::delimited {

namespace {

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

/// A name that says that the column numbers the rows.
bool names_row_numbers(std::string_view name) {
  static constexpr std::array words{"id",    "ids",    "index",    "idx",       "row",
                                    "rowid", "row_id", "rownames", "row.names", "nr"};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(words.begin(), words.end(), lower) != words.end();
}

/// Whether the first column holds the row names; what to tell goes to `note`.
bool detect_row_names(const std::vector<Column>& columns, const Layout& layout, const Census& census,
                      std::string& note) {
  if (layout.fields < 2) return false;
  const std::string name = layout.header ? layout.names[0] : "";
  if (layout.header && name.empty()) return true;
  const Column& first = columns[0];
  if (first.cells == 0) return false;
  const std::string shown = shown_column(layout.names, 0);
  const bool different = first.all_different(), numbered = first.whole == first.cells;
  if (layout.header && (name == "Unnamed: 0" || (names_row_numbers(name) && different && numbered))) {
    note = fmt::format("{} holds the rows' names; use {} if it is a feature", shown, set_option("id", "none"));
    return true;
  }
  if (different && first.numbers == 0 && first.texts > first.grouped) return true;
  const auto unquoted = [](const Column& column) { return column.numbers > 0 && column.quoted == 0; };
  if (different && first.quoted == first.cells && std::any_of(columns.begin() + 1, columns.end(), unquoted))
    return true;
  if (census.counts_down_column(0, layout.header ? 1 : 0))
    note = fmt::format("{} counts the rows and is taken as a feature; use {} if it holds their names", shown,
                       set_option("id", typed_column(layout.names, 0)));
  return false;
}

void refuse_text_columns(const std::vector<Column>& columns, const Layout& layout, const std::string& path) {
  constexpr std::size_t shown = 5, typed = 30;
  std::vector<Index> texts;
  for (const Index j : layout.choice.kept)
    if (!columns[static_cast<std::size_t>(j)].numeric()) texts.push_back(j);
  if (texts.empty()) return;
  const Column& some = columns[static_cast<std::size_t>(texts[0])];
  if (some.grouped == some.texts)
    throw DataError(
        fmt::format("{}: {} has commas inside its numbers (\"{}\" ...); write them without, and a decimal point",
                    shown_name(path), shown_column(layout.names, texts[0]), some.example));
  std::string found;
  for (std::size_t i = 0; i < std::min(texts.size(), shown); ++i)
    found += fmt::format("{}{} (\"{}\" ...)", i > 0 ? ", " : "", shown_column(layout.names, texts[i]),
                         columns[static_cast<std::size_t>(texts[i])].example);
  if (texts.size() > shown) found += fmt::format(" and {} more", texts.size() - shown);
  const auto list = [&](std::size_t from) {
    std::string words;
    for (std::size_t i = from; i < texts.size(); ++i)
      words += fmt::format("{}{}", i > from ? "," : "", typed_column(layout.names, texts[i]));
    return words;
  };
  const std::string where =
      fmt::format("{}: {} {} text, not numbers", shown_name(path), found, texts.size() == 1 ? "holds" : "hold");
  if (layout.features) throw DataError(fmt::format("{}, which the model needs", where));
  if (texts.size() == layout.choice.kept.size())
    throw DataError(fmt::format("{}, and no column of numbers is there; give the {} that is between them", where,
                                set_option("delimiter")));
  if (texts.size() > typed)
    throw DataError(fmt::format("{}; name the columns of numbers with {}", where, set_option("columns")));
  const std::string first = typed_column(layout.names, texts[0]);
  const std::string others = texts.size() > 1 ? fmt::format(" {}", set_option("drop", list(1))) : "";
  std::string ways;
  if (texts[0] == 0 && layout.choice.id < 0) ways += fmt::format("{}{}, ", set_option("id", first), others);
  if (layout.choice.label < 0) ways += fmt::format("{}{} or ", set_option("label", first), others);
  if (ways.ends_with(", ")) ways.replace(ways.size() - 2, 2, " or ");
  throw DataError(fmt::format("{}; use {}{}", where, ways, set_option("drop", list(0))));
}

void check_delimiter(char delimiter, const std::string& path) {
  const auto byte = static_cast<unsigned char>(delimiter);
  const bool printable = delimiter == '\t' || (byte >= 0x20 && byte < 0x7f);
  if (printable && !std::isalnum(byte) && std::string_view("\"+-.#").find(delimiter) == std::string_view::npos) return;
  throw InvalidOption(shown_name(path), "delimiter", fmt::format("0x{:02x}", byte), "can't separate numbers",
                      "use a comma, ';', '|', a tab or a blank");
}

/// The columns that a model knows are all in the line: then it is a header, whatever they look like.
bool names_features(const std::vector<Cell>& cells, const std::vector<std::string>& features) {
  if (features.empty()) return false;
  std::vector<std::string> names;
  for (const Cell& cell : cells) names.push_back(without_label_mark(cell_string(cell)));
  return match_names(names, features).missing.empty();
}

/// A column of labels may be asked for as it stands in the file, too: label:species.
ReadOptions without_marks(ReadOptions options) {
  options.id = without_label_mark(options.id);
  options.label = without_label_mark(options.label);
  for (auto* list : {&options.drop, &options.columns})
    for (std::string& name : *list) name = without_label_mark(name);
  return options;
}

void tell_choice(Layout& layout, const ReadOptions& options, const std::string& note) {
  const ColumnChoice& choice = layout.choice;
  const bool taken = std::find(choice.kept.begin(), choice.kept.end(), 0) != choice.kept.end();
  const bool asked = !options.id.empty() || !options.columns.empty() || (taken && !options.features.empty());
  if (!note.empty() && !asked && (choice.id == 0 || taken))
    layout.decisions.push_back({ReadDecision::About::row_names, note});
  const bool by_name = !options.features.empty() && choice.kept.size() == options.features.size();
  if (choice.label_found && !by_name)  // else the model tells what is a feature
    layout.decisions.push_back({ReadDecision::About::label,
                                fmt::format("{} is the label, not a feature; use {} if it is one",
                                            shown_column(layout.names, choice.label), set_option("label", "none"))});
  if (choice.unused.empty()) return;
  std::vector<std::string> names;
  for (const Index j : choice.unused) {
    const std::string& name = layout.names[static_cast<std::size_t>(j)];
    names.push_back(name.empty() ? fmt::format("column {}", j + 1) : name);
  }
  layout.decisions.push_back(
      {ReadDecision::About::unused, !options.features.empty()
                                        ? unused_text(names)
                                        : fmt::format("{} is named as a label, and left out", some_names(names))});
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
                 "check its line ends, or " + raise_option("memory_limit"));
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
  if (options.header) {
    layout.header = *options.header;
  } else if (short_header || names_features(census.rows[0], options.features)) {
    layout.header = true;
  } else {
    FirstLine first = judge_first_line(census, path);
    layout.header = first.header;
    if (!first.text.empty()) layout.decisions.push_back({ReadDecision::About::header, std::move(first.text)});
  }
  layout.fields = static_cast<Index>(census.rows[0].size()) + (short_header ? 1 : 0);
  layout.data_begin = layout.header ? sample.second : sample.begin;
  FoundColumns found;
  if (layout.header) {
    if (short_header) layout.names.emplace_back();
    for (const Cell& cell : census.rows[0]) {
      const std::string name = cell_string(cell);
      if (is_label_name(name)) found.labels.push_back(std::ssize(layout.names));
      layout.names.push_back(without_label_mark(name));
    }
    if (census.rows.size() == 1)
      throw DataError(fmt::format("{}: no rows, only a header of {} {}", shown_name(path), layout.fields,
                                  layout.fields == 1 ? "column" : "columns"));
  }
  const std::vector<Column> columns = census.columns(layout.header ? 1 : 0, static_cast<std::size_t>(layout.fields));
  std::string note;
  if (short_header || detect_row_names(columns, layout, census, note)) found.id = 0;
  layout.choice = choose_columns(layout.names, layout.fields, without_marks(options), found, path);
  layout.features = !options.features.empty() && !options.features_optional;
  tell_choice(layout, options, note);
  refuse_text_columns(columns, layout, path);
  if (layout.choice.kept.empty())
    throw DataError(fmt::format("{}: no column of numbers is left; keep one out of {}, {} and {}", shown_name(path),
                                option_name("id"), option_name("label"), option_name("drop")));

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
