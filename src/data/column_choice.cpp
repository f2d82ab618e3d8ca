#include "data/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

#include "data/input.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

/// Edits (insert, delete, replace) between two words, without regard to case.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto low = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (low(a[i - 1]) != low(b[j - 1]) ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string suggestion(const std::vector<std::string>& names, Index count, const std::string& wanted) {
  if (names.empty()) return fmt::format("the columns have no names; use a number from 1 to {}", count);
  std::string text, nearest;
  std::size_t best = 1 + wanted.size() / 3;
  constexpr std::size_t shown = 12;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 1000); ++i) {
    const std::size_t length_gap = std::max(names[i].size(), wanted.size()) - std::min(names[i].size(), wanted.size());
    if (names[i].empty() || length_gap > best) continue;
    if (const std::size_t edits = edit_distance(wanted, names[i]); edits <= best && (nearest.empty() || edits < best))
      best = edits, nearest = names[i];
  }
  if (!nearest.empty()) text = fmt::format("did you mean \"{}\"? ", nearest);
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
                            Index detected_id, const std::string& path) {
  Chooser chooser{names, count, path, std::vector<std::string>(static_cast<std::size_t>(count))};
  ColumnChoice choice;
  if (!options.id.empty() && options.id != "none") choice.id = chooser.take("id", options.id);
  if (!options.label.empty()) choice.label = chooser.take("label", options.label);
  for (const std::string& wanted : options.drop) chooser.take("drop", wanted);
  for (const std::string& wanted : options.columns) choice.kept.push_back(chooser.take("columns", wanted));
  const auto is_free = [&](Index column) { return chooser.taken[static_cast<std::size_t>(column)].empty(); };
  if (options.id.empty() && detected_id >= 0 && is_free(detected_id)) {
    choice.id = detected_id;
    chooser.taken[static_cast<std::size_t>(detected_id)] = "id";
  }
  if (options.columns.empty())
    for (Index column = 0; column < count; ++column)
      if (is_free(column)) choice.kept.push_back(column);
  return choice;
}

std::string shown_column(const std::vector<std::string>& names, Index column) {
  const std::string name = names.empty() ? "" : names[static_cast<std::size_t>(column)];
  return name.empty() ? fmt::format("column {}", column + 1) : fmt::format("column {} \"{}\"", column + 1, name);
}

std::string typed_column(const std::vector<std::string>& names, Index column) {
  const std::string name = names.empty() ? "" : names[static_cast<std::size_t>(column)];
  if (name.empty() || std::count(names.begin(), names.end(), name) > 1) return std::to_string(column + 1);
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 ||
           std::string_view("._-+:%/").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return std::all_of(name.begin(), name.end(), plain) ? name : fmt::format("'{}'", name);
}

}  // namespace fewdim
