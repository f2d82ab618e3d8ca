#include "data/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/describe.hpp"
#include "data/input.hpp"
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
