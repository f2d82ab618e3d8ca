#include "data/table/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

std::string suggestion(const std::vector<std::string>& names, Index count, const std::string& wanted) {
  if (names.empty()) return fmt::format("the columns have no names; use a number from 1 to {}", count);
  constexpr std::size_t shown = 12;
  const std::string nearest = nearest_name(wanted, names);
  std::string text = nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest);
  text += "the columns are ";
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    text += fmt::format("{}\"{}\"", i > 0 ? ", " : "", names[i]);
  if (names.size() > shown) text += fmt::format(", ... ({} in all)", names.size());
  return text;
}

struct Chooser {
  const std::vector<std::string>& names;
  Index count;
  const std::string& path;
  std::vector<std::string> taken;  // which option has taken a column

  bool is_free(Index column) { return owner(column).empty(); }
  std::string& owner(Index column) { return taken[static_cast<std::size_t>(column)]; }

  /// The features by name; a table that lacks one is refused, or false.
  bool take_features(const std::vector<std::string>& features, bool optional, std::vector<Index>& kept) {
    std::vector<bool> used(taken.size());
    for (std::size_t j = 0; j < taken.size(); ++j) used[j] = !taken[j].empty();
    const NameMatch match = match_names(names, features, used);
    if (optional && !match.missing.empty()) return false;
    require_match(match, names, shown_name(path));
    kept = match.places;
    for (const Index column : kept) owner(column) = "features";
    return true;
  }

  /// Columns that are named as labels take no part; one of them is the label, unless an option named another.
  void take_labels(const std::vector<Index>& labels, bool wanted, ColumnChoice& choice) {
    std::vector<Index> free;
    for (const Index column : labels)
      if (is_free(column)) free.push_back(column);
    if (wanted && free.size() > 1)
      throw DataError(fmt::format("{}: {} and {} are both named as labels; choose one with {}", shown_name(path),
                                  shown_column(names, free[0]), shown_column(names, free[1]),
                                  set_option("label", typed_column(names, free[0]))));
    for (const Index column : free) {
      owner(column) = "label";
      if (wanted && choice.label < 0)
        choice.label = column, choice.label_found = true;
      else
        choice.unused.push_back(column);
    }
  }

  Index take(const char* option, const std::string& wanted) {
    const Index column = find(option, wanted);
    std::string& owner = taken[static_cast<std::size_t>(column)];
    if (!owner.empty()) {
      const std::string bound = owner == option ? "is given twice" : fmt::format("is taken by {} already", owner);
      throw InvalidOption(shown_name(path), option, wanted, bound, "name each column once");
    }
    owner = option;
    return column;
  }

  Index find(const char* option, const std::string& wanted) const {
    const auto same = std::count(names.begin(), names.end(), wanted);
    if (same > 1)
      throw InvalidOption(shown_name(path), option, wanted, fmt::format("is the name of {} columns", same),
                          fmt::format("use a number from 1 to {}", count));
    const Index column = find_column(names, count, wanted);
    if (column < 0)
      throw InvalidOption(shown_name(path), option, wanted, "is no column there", suggestion(names, count, wanted));
    return column;
  }
};

}  // namespace

Index find_column(const std::vector<std::string>& names, Index count, const std::string& wanted) {
  const auto named = std::find(names.begin(), names.end(), wanted);
  if (named != names.end() && !wanted.empty()) return named - names.begin();
  Index number = 0;
  const char* end = wanted.data() + wanted.size();
  const auto result = std::from_chars(wanted.data(), end, number);
  const bool whole = result.ec == std::errc() && result.ptr == end;
  return whole && number >= 1 && number <= count ? number - 1 : -1;
}

ColumnChoice choose_columns(const std::vector<std::string>& names, Index count, const ReadOptions& options,
                            const FoundColumns& found, const std::string& path) {
  Chooser chooser{names, count, path, std::vector<std::string>(static_cast<std::size_t>(count))};
  ColumnChoice choice;
  if (!options.id.empty() && options.id != "none") choice.id = chooser.take("id", options.id);
  if (!options.label.empty() && options.label != "none") choice.label = chooser.take("label", options.label);
  for (const std::string& wanted : options.drop) chooser.take("drop", wanted);
  for (const std::string& wanted : options.columns) choice.kept.push_back(chooser.take("columns", wanted));
  const bool by_name = options.columns.empty() && !options.features.empty() && !names.empty() &&
                       chooser.take_features(options.features, options.features_optional, choice.kept);
  if (options.id.empty() && found.id >= 0 && chooser.is_free(found.id)) {
    choice.id = found.id;
    chooser.owner(found.id) = "id";
  }
  if (options.label != "none") chooser.take_labels(found.labels, options.label.empty(), choice);
  for (Index column = 0; column < count && options.columns.empty(); ++column)
    if (chooser.is_free(column)) (by_name ? choice.unused : choice.kept).push_back(column);
  return choice;
}

std::string shown_column(const std::vector<std::string>& names, Index column) {
  const std::string name = names.empty() ? "" : names[static_cast<std::size_t>(column)];
  return name.empty() ? fmt::format("column {}", column + 1) : fmt::format("column {} \"{}\"", column + 1, name);
}

std::string typed_column(const std::vector<std::string>& names, Index column) {
  const std::string name = names.empty() ? "" : names[static_cast<std::size_t>(column)];
  const std::string number = std::to_string(column + 1);
  if (name.empty() || name == "none" || std::count(names.begin(), names.end(), name) > 1) return number;
  const std::string word = typed_word(name);
  return word.empty() ? number : word;
}

std::string typed_word(std::string_view word) {
  if (word == "true" || word == "false") return "";  // values of switches
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 ||
           std::string_view("._-+:%/").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (std::all_of(word.begin(), word.end(), plain) && (!word.starts_with('-') || word == "-")) return std::string(word);
  const auto typed = [](unsigned char c) { return c >= 0x20 && c != '\'' && c != '"' && c != ',' && c != 0x7f; };
  const bool trimmed = !word.starts_with(' ') && !word.ends_with(' ') && !word.starts_with('-');
  return trimmed && std::all_of(word.begin(), word.end(), typed) ? std::string(word) : "";
}

}  // namespace fewdim
