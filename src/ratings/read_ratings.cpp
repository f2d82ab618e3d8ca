#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/delimited/delimited.hpp"
#include "data/hash.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/memory_budget.hpp"
#include "ratings/rating_lines.hpp"

namespace fewdim {

namespace {

/// Ratings of one piece of the text; users and items count in its own tables.
struct Piece {
  std::vector<std::int32_t> users{}, items{};
  std::vector<double> values{};
  NameTable user_names{}, item_names{};

  void clear() {
    users.clear(), items.clear(), values.clear();
    if (!user_names.names().empty()) user_names.clear();
    if (!item_names.names().empty()) item_names.clear();
  }
};

struct Triples3 {
  std::vector<std::int32_t> users{}, items{};
  std::vector<double> values{};
  NameTable user_names{}, item_names{};
};

std::vector<std::int32_t> join_names(const NameTable& part, NameTable& all) {
  std::vector<std::int32_t> places(part.names().size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = all.number_of(part.names()[i], part.hash_at(i));
  return places;
}

Triples3 parse_ratings(const Bytes& bytes, const RatingsLayout& layout, const Execution& exec) {
  const std::vector<std::string_view> pieces = cut_into_pieces(layout.body);
  Triples3 all;
  std::vector<Piece> wave(std::min(pieces.size(), pieces_a_wave));
  parse_pieces(
      bytes, pieces, exec,
      [&](std::size_t i, std::string_view text) {
        Piece& piece = wave[i % pieces_a_wave];
        piece.clear();
        each_rating_line(text, [&](std::string_view line) {
          const RatingLine rating = rating_line(line, layout, true);
          piece.users.push_back(piece.user_names.number_of(rating.user));
          piece.items.push_back(piece.item_names.number_of(rating.item));
          piece.values.push_back(rating.value);
          return true;
        });
      },
      [&](std::size_t first, std::size_t last) {
        for (std::size_t p = 0; p < last - first; ++p) {
          const Piece& piece = wave[p];
          const std::vector<std::int32_t> users = join_names(piece.user_names, all.user_names),
                                          items = join_names(piece.item_names, all.item_names);
          require_memory(exec, 40 * (all.users.size() + piece.users.size()),
                         fmt::format("{}: its ratings", shown_name(bytes.path)), raise_option("memory_limit"));
          for (const std::int32_t user : piece.users) all.users.push_back(users[static_cast<std::size_t>(user)]);
          for (const std::int32_t item : piece.items) all.items.push_back(items[static_cast<std::size_t>(item)]);
          all.values.insert(all.values.end(), piece.values.begin(), piece.values.end());
        }
      });
  return all;
}

/// Where the user has rated the item twice: looked for again, as it is rare.
[[noreturn]] void refuse_repeat(const Bytes& bytes, const RatingsLayout& layout, std::string_view user,
                                std::string_view item) {
  std::vector<std::size_t> lines;
  each_rating_line(layout.body, [&](std::string_view line) {
    const RatingLine rating = rating_line(line, layout, true);
    if (rating.user == user && rating.item == item)
      lines.push_back(static_cast<std::size_t>(std::count(bytes.text.data(), line.data(), '\n')) + 1);
    return lines.size() < 2;
  });
  throw DataError(fmt::format(
      "{}:{}: user '{}' has rated item '{}' before, in line {}; correct it, or use {}, {} or {}",
      shown_name(bytes.path), lines.size() > 1 ? lines[1] : 0, user, item, lines.empty() ? 0 : lines[0],
      set_option("duplicates", "mean"), set_option("duplicates", "first"), set_option("duplicates", "last")));
}

/// Rows by user in the order of the file, then each by item; a repeat is marked by a count of 0 entries kept.
Csr<double> rows_of(Triples3& all, const Bytes& bytes, const RatingsLayout& layout, RepeatedRatings repeated,
                    const Execution& exec) {
  Csr<double> out;
  out.rows = std::ssize(all.user_names.names());
  out.cols = std::ssize(all.item_names.names());
  out.offsets.assign(static_cast<std::size_t>(out.rows) + 1, 0);
  for (const std::int32_t user : all.users) ++out.offsets[static_cast<std::size_t>(user) + 1];
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  out.columns.resize(all.items.size());
  out.values.resize(all.items.size());
  std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (std::size_t e = 0; e < all.users.size(); ++e) {
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(all.users[e])]++);
    out.columns[to] = all.items[e];
    out.values[to] = all.values[e];
  }
  std::vector<std::int64_t> kept(static_cast<std::size_t>(out.rows), 0);
  std::vector<std::int32_t> repeats(static_cast<std::size_t>(out.rows), -1);
  constexpr Index kUsersPerTask = 256;
  parallel_for(exec, (out.rows + kUsersPerTask - 1) / kUsersPerTask, [&](Index task) {
    std::vector<std::pair<std::int32_t, double>> row;
    for (Index u = task * kUsersPerTask; u < std::min(out.rows, (task + 1) * kUsersPerTask); ++u) {
      const auto first = static_cast<std::size_t>(out.offsets[static_cast<std::size_t>(u)]),
                 last = static_cast<std::size_t>(out.offsets[static_cast<std::size_t>(u) + 1]);
      row.clear();
      for (std::size_t e = first; e < last; ++e) row.emplace_back(out.columns[e], out.values[e]);
      std::ranges::stable_sort(row, {}, &std::pair<std::int32_t, double>::first);
      std::size_t to = first;
      for (std::size_t e = 0; e < row.size();) {
        std::size_t end = e + 1;
        double sum = row[e].second;
        for (; end < row.size() && row[end].first == row[e].first; ++end) sum += row[end].second;
        if (end - e > 1 && repeats[static_cast<std::size_t>(u)] < 0)
          repeats[static_cast<std::size_t>(u)] = row[e].first;
        out.columns[to] = row[e].first;
        out.values[to++] = repeated == RepeatedRatings::last    ? row[end - 1].second
                           : repeated == RepeatedRatings::first ? row[e].second
                                                                : sum / static_cast<double>(end - e);
        e = end;
      }
      kept[static_cast<std::size_t>(u)] = static_cast<std::int64_t>(to - first);
    }
  });
  std::size_t to = 0;
  for (std::size_t u = 0; u < kept.size(); ++u) {
    if (repeats[u] >= 0 && repeated == RepeatedRatings::refuse)
      refuse_repeat(bytes, layout, all.user_names.names()[u],
                    all.item_names.names()[static_cast<std::size_t>(repeats[u])]);
    const auto first = static_cast<std::size_t>(out.offsets[u]);
    out.offsets[u] = static_cast<std::int64_t>(to);
    for (std::int64_t e = 0; e < kept[u]; ++e, ++to) {
      out.columns[to] = out.columns[first + static_cast<std::size_t>(e)];
      out.values[to] = out.values[first + static_cast<std::size_t>(e)];
    }
  }
  out.offsets.back() = static_cast<std::int64_t>(to);
  out.columns.resize(to);
  out.values.resize(to);
  return out;
}

Bytes text_of(const std::string& path, const Execution& exec, std::string& hash) {
  const Bytes stored = load(path, exec);
  hash = hash_of(stored.text);
  Bytes bytes = decompress(stored, exec);
  delimited::refuse_binary(bytes.text, bytes.path);
  return bytes;
}

}  // namespace

Dataset read_ratings(const std::string& path, const RatingsOptions& options, const Execution& whole) {
  std::string hash;
  const Bytes bytes = text_of(path, whole, hash);
  const Execution exec = beside(whole, held_bytes(bytes));
  const RatingsLayout layout = ratings_layout(bytes, options);
  Triples3 all = parse_ratings(bytes, layout, exec);
  Dataset out(rows_of(all, bytes, layout, options.repeated, exec));
  out.row_names.assign(all.user_names.names().begin(), all.user_names.names().end());
  out.column_names.assign(all.item_names.names().begin(), all.item_names.names().end());
  out.row_names_header = "user";
  out.source = shown_name(path);
  out.hash = hash;
  return out;
}

std::vector<RatedPair> read_rated_pairs(const std::string& path, const RatingsOptions& options, const Execution& exec) {
  std::string hash;
  const Bytes bytes = text_of(path, exec, hash);
  const RatingsLayout layout = ratings_layout(bytes, options);
  std::vector<RatedPair> out;
  try {
    each_rating_line(layout.body, [&](std::string_view line) {
      const RatingLine rating = rating_line(line, layout, false);
      out.push_back({std::string(rating.user), std::string(rating.item), layout.value < 0 ? NAN : rating.value});
      return true;
    });
  } catch (const TextFault& fault) {
    throw_at_line(bytes, fault);
  }
  return out;
}

}  // namespace fewdim
