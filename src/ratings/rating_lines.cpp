#include "ratings/rating_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/remedy.hpp"
#include "data/delimited/number.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/input/number_scanner.hpp"
#include "links/edge_line.hpp"

namespace fewdim {

namespace {

using Words = std::vector<std::string_view>;

const Words kUsers{"user", "userid", "user_id", "users", "uid", "customer", "customer_id", "reviewer", "reviewerid"};
const Words kItems{"item", "itemid",  "item_id",    "items", "iid",   "movie",  "movieid", "movie_id", "isbn",
                   "asin", "product", "product_id", "joke",  "track", "artist", "book",    "book_id"};
const Words kValues{"rating", "ratings", "value", "score", "count", "stars", "plays", "preference", "weight"};

std::vector<std::string_view> cells_of(std::string_view line, const RatingsLayout& layout) {
  std::vector<std::string_view> cells;
  const char* at = line.data();
  for (Index n = 0; at; ++n) {
    const std::string_view cell = edges::take_cell(at, line.data() + line.size(), layout.delimiter);
    if (n % layout.step == 0) cells.push_back(cell);
  }
  return cells;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_number(std::string_view cell) {
  double value = 0.0;
  return delimited::number::parse_whole(cell, '.', value) && std::isfinite(value);
}

Index column_of(const std::string& asked, const Words& cells, bool header, const char* option,
                const std::string& name) {
  if (header)
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] == asked) return static_cast<Index>(i);
  if (!asked.empty() && asked.size() < 10 &&
      std::ranges::all_of(asked, [](unsigned char c) { return std::isdigit(c); })) {
    const Index number = std::stol(asked);
    if (number >= 1 && number <= std::ssize(cells)) return number - 1;
  }
  throw DataError(fmt::format("{}: {} '{}' is none of its {} columns{}", name, option_name(option), asked, cells.size(),
                              header ? fmt::format(", of which the first is '{}'", cells.front())
                                     : "; without a header they have numbers, from 1"));
}

Index named(const Words& cells, const Words& names) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (std::ranges::find(names, lower(cells[i])) != names.end()) return static_cast<Index>(i);
  return -1;
}

void choose_delimiter(std::string_view line, RatingsLayout& layout) {
  if (line.find("::") != std::string_view::npos) {
    layout.delimiter = ':';
    layout.step = 2;
    return;
  }
  for (const char delimiter : {'\t', ',', ';'})
    if (line.find(delimiter) != std::string_view::npos) {
      layout.delimiter = delimiter;
      return;
    }
  layout.delimiter = ' ';
}

std::string_view first_line(std::string_view text) {
  std::string_view found;
  each_rating_line(text, [&](std::string_view line) {
    found = line;
    return false;
  });
  return found;
}

}  // namespace

RatingsLayout ratings_layout(const Bytes& bytes, const RatingsOptions& options) {
  std::string_view text = bytes.text;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string name = shown_name(bytes.path);
  const std::string_view line = first_line(text);
  if (line.empty()) throw DataError(fmt::format("{}: it is empty; a rating is 'user,item,value' a line", name));
  RatingsLayout layout;
  layout.body = text;
  choose_delimiter(line, layout);
  if (options.delimiter != '\0') layout.delimiter = options.delimiter, layout.step = 1;
  const Words cells = cells_of(line, layout);
  if (cells.size() < 2)
    throw_at_line(bytes, {line.data(), fmt::format("a rating is 'user,item,value'; found {} column{}", cells.size(),
                                                   layout.delimiter == ' ' ? ", and no comma, tab or semicolon" : "")});
  const bool by_words = named(cells, kUsers) >= 0 && named(cells, kItems) >= 0;
  layout.header = options.header.value_or(by_words || (cells.size() > 2 && !is_number(cells[2])));
  const bool words = layout.header && by_words;
  const auto pick = [&](const std::string& asked, const Words& names, Index place, const char* option) {
    if (!asked.empty()) return column_of(asked, cells, layout.header, option, name);
    const Index found = words ? named(cells, names) : -1;
    return found >= 0 ? found : place;
  };
  layout.user = pick(options.user_column, kUsers, 0, "user_column");
  layout.item = pick(options.item_column, kItems, 1, "item_column");
  const Index third = std::ssize(cells) > 2 ? 2 : -1;
  layout.value = options.value_column == "none" ? -1 : pick(options.value_column, kValues, third, "value_column");
  if (layout.user == layout.item || layout.user == layout.value || layout.item == layout.value)
    throw DataError(
        fmt::format("{}: user, item and value are columns {}, {} and {}: name three that differ with {}, {} and {}",
                    name, layout.user + 1, layout.item + 1, layout.value + 1, set_option("user_column"),
                    set_option("item_column"), set_option("value_column")));
  if (layout.header) layout.body = text.substr(static_cast<std::size_t>(line.data() + line.size() - text.data()));
  if (first_line(layout.body).empty()) throw DataError(fmt::format("{}: there is no rating below the header", name));
  return layout;
}

RatingLine rating_line(std::string_view line, const RatingsLayout& layout, bool needs_value) {
  RatingLine out;
  const Index last = std::max({layout.user, layout.item, layout.value});
  const char *at = line.data(), *const end = at + line.size();
  for (Index column = 0; column <= last; ++column) {
    const char* const place = at ? at : end;
    if (!at && !(column == layout.value && !needs_value))
      throw TextFault{end, fmt::format("the line ends after {} column{}; column {} is the {}", column,
                                       column == 1 ? "" : "s", column + 1,
                                       column == layout.user   ? "user"
                                       : column == layout.item ? "item"
                                                               : "value")};
    const std::string_view cell = edges::take_cell(at, end, layout.delimiter);
    if (layout.step == 2 && at) edges::take_cell(at, end, layout.delimiter);
    if (column == layout.user || column == layout.item) {
      if (cell.empty())
        throw TextFault{place, fmt::format("the {} is missing", column == layout.user ? "user" : "item")};
      (column == layout.user ? out.user : out.item) = cell;
    } else if (column == layout.value) {
      if (cell.empty() && !needs_value) {
        out.value = NAN;
        continue;
      }
      const char* const stop = cell.data() + cell.size();
      if (cell.empty() || delimited::number::scan_in_range(cell.data(), stop, '.', out.value) != stop)
        throw TextFault{place, fmt::format("the value should be a number, found {}",
                                           cell.empty() ? "nothing" : shown_token(cell.data(), stop))};
      if (!std::isfinite(out.value))
        throw TextFault{place,
                        fmt::format("the value is {}; leave out what is missing", shown_token(cell.data(), stop))};
    }
  }
  return out;
}

bool looks_like_ratings(const std::string& path, const RatingsOptions& options) {
  if (!options.user_column.empty() || !options.item_column.empty() || !options.value_column.empty()) return true;
  const std::unique_ptr<ByteSource> source = open_source(path);
  std::string head(std::size_t{1} << 16, '\0');
  std::size_t size = 0;
  while (size < head.size())
    if (const std::size_t got = source->read(head.data() + size, head.size() - size); got > 0)
      size += got;
    else
      break;
  head.resize(size);
  if (head.find('\0') != std::string::npos || head.starts_with("%%MatrixMarket")) return false;
  const std::string_view line = first_line(head);
  RatingsLayout layout;
  choose_delimiter(line, layout);
  if (options.delimiter != '\0') layout.delimiter = options.delimiter, layout.step = 1;
  const Words cells = cells_of(line, layout);
  if (layout.step == 2 && cells.size() >= 3) return true;
  if (named(cells, kUsers) >= 0 && named(cells, kItems) >= 0) return true;
  const auto whole = [](std::string_view cell) {
    return !cell.empty() && std::ranges::all_of(cell, [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  return (cells.size() == 3 || cells.size() == 4) && whole(cells[0]) && whole(cells[1]) && is_number(cells[2]);
}

}  // namespace fewdim
