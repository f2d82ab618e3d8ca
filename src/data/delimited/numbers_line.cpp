#include "data/delimited/numbers_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

// Numbers are names of columns only where all of this holds: they are different, and they are unlike values of the
// table. To lose a row is as bad as to fit a header, so that both need evidence; between them the user is asked.
//
//   spaced    whole numbers a, a+h, a+2h ... (0, 1, 2; 2019, 2020; 400, 410), two only where h = 1, while fewer than
//   half
//             of the rows below are spaced as well (a table of 1,2,3 over 4,5,6 is data)
//   unlike    whole over a column of fractions, or outside of its range by more than that range
//   a header  spaced and unlike; or spaced, five at least or beside a name; or five at least, or beside a name,
//   different
//             whole numbers that are all unlike and half of them outside (numbers of genes); or five fractions at least
//             that rise and are all outside (wavelengths)
//   open      what falls short of these by the number of columns, or where a row of data would look the same: the line
//             continues a column's 1, 2, 3, or lies near the next row
//   data      all else, what two rows at most speak against alone, and the first row of a symmetric table (0, 1, 2 are
//   distances of points on a line)

namespace fewdim::delimited {

namespace {

constexpr std::size_t many = 5;  // that so many are names by chance is out of the question

bool is_spaced(const std::vector<double>& v) {
  if (v.size() < 2) return false;
  const double step = v[1] - v[0];
  if (v.size() == 2) return step == 1.0 && v[0] == std::floor(v[0]);
  if (step == 0.0) return false;
  for (std::size_t i = 2; i < v.size(); ++i)
    if (std::abs(v[i] - v[i - 1] - step) > 1e-9 * std::abs(step)) return false;
  return true;
}

/// Numbers of one line; empty where one is missing.
std::vector<double> numbers_of(const Census& census, std::size_t row, const std::vector<std::size_t>& columns) {
  std::vector<double> out;
  for (const std::size_t j : columns) {
    const double value = j < census.rows[row].size() ? census.value(census.rows[row][j]) : std::nan("");
    if (!std::isfinite(value)) return {};
    out.push_back(value);
  }
  return out;
}

/// Outside of the column's range by more than the range; of two rows or one, by more than their size, too.
bool is_outside(double value, const Column& column) {
  double span = column.most - column.least;
  if (span == 0.0 || column.numbers < 3) span = std::max({span, std::abs(column.least), std::abs(column.most)});
  return span > 0.0 && (value < column.least - span || value > column.most + span);
}

/// The column goes on from the first line: f, f+h, f+2h, f+3h.
bool continues_column(const Census& census, std::size_t column) {
  constexpr std::size_t looked_at = 4;
  if (census.rows.size() < looked_at) return false;
  std::vector<double> v;
  for (std::size_t i = 0; i < looked_at; ++i) {
    const auto one = numbers_of(census, i, {column});
    if (one.empty()) return false;
    v.push_back(one[0]);
  }
  return is_spaced(v);
}

bool is_symmetric(const Census& census, const std::vector<double>& first, const std::vector<std::size_t>& columns) {
  if (census.rows.size() != columns.size() || first[0] != 0.0) return false;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const auto across = numbers_of(census, i, {columns[0]});
    if (across.empty() || across[0] != first[i]) return false;
  }
  return true;
}

struct Evidence {
  std::size_t count = 0, fractional = 0, outside = 0, unlike = 0;
  bool different = false, whole = true, rising = true, spaced = false;
  bool like_a_row = false;  ///< continues a column, or is near the next row
  Index rows = 0;           ///< below
};

Evidence weigh(const Census& census, const std::vector<Column>& below, const std::vector<std::size_t>& columns,
               const std::vector<double>& first) {
  Evidence e;
  e.count = columns.size();
  e.rows = std::ssize(census.rows) - 1;
  e.different = std::set<double>(first.begin(), first.end()).size() == first.size();
  e.rising = std::is_sorted(first.begin(), first.end());
  const std::vector<double> next = numbers_of(census, 1, columns);
  bool near = !next.empty();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = below[columns[i]];
    const bool outside = is_outside(first[i], column);
    const bool fractional = Census::is_whole(census.rows[0][columns[i]].text) && column.fractional();
    e.whole = e.whole && Census::is_whole(census.rows[0][columns[i]].text);
    e.outside += outside;
    e.fractional += fractional;
    e.unlike += outside || fractional;
    e.like_a_row = e.like_a_row || continues_column(census, columns[i]);
    near = near && std::abs(first[i] - next[i]) <= 0.25 * (column.most - column.least);
  }
  e.like_a_row = e.like_a_row || (near && e.rows > 2);
  Index spaced_rows = 0;
  for (std::size_t r = 1; r < census.rows.size(); ++r) spaced_rows += is_spaced(numbers_of(census, r, columns));
  e.spaced = is_spaced(first) && (2 * spaced_rows < e.rows);
  return e;
}

std::string shown(const Census& census, const std::vector<std::size_t>& columns) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, columns.size()); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", census.rows[0][columns[i]].text);
  return columns.size() > 3 ? text + ", ..." : text;
}

}  // namespace

Judged judge_numbers(const Census& census, const std::vector<Column>& below, const std::vector<std::size_t>& columns,
                     bool named) {
  const std::vector<double> first = numbers_of(census, 0, columns);
  if (first.empty() || is_symmetric(census, first, columns)) return {};
  const Evidence e = weigh(census, below, columns, first);
  if (!e.different) return {};
  const bool sure = e.count >= many || named;
  const bool all_unlike = e.unlike == e.count, all_outside = e.outside == e.count;
  const std::string numbers = shown(census, columns);
  const std::string counts = fmt::format("it counts {}", numbers);
  if (e.whole && (e.spaced || (named && counts_up(first)))) {
    const std::string reason =
        counts_up(first) ? counts : fmt::format("{} follow each other, and the rows below are other numbers", numbers);
    if (all_unlike) return {e.like_a_row && !sure ? Verdict::open : Verdict::header, reason};
    if (sure) return {Verdict::header, reason};
    const bool years = first[0] >= 1500 && first[0] <= 2100;
    return {(e.count > 2 || years) && e.rows > 2 ? Verdict::open : Verdict::data, reason};
  }
  const std::string reason = fmt::format("{} are unlike the numbers below", numbers);
  if (!e.whole) return {all_outside && e.rising && e.count >= many ? Verdict::header : Verdict::data, reason};
  if (e.rows < 3) return {named ? Verdict::open : Verdict::data, reason};
  if (all_outside && e.count > 1) return {sure ? Verdict::header : Verdict::open, reason};
  if (all_unlike && sure && (named || 2 * e.outside >= e.count)) return {Verdict::header, reason};
  if (all_unlike && sure && !e.like_a_row) return {Verdict::open, reason};
  return {};
}

}  // namespace fewdim::delimited
