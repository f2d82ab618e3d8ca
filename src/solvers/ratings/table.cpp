#include "solvers/ratings/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index kRows = 1024;               // of one task
constexpr std::int64_t kEntries = 1 << 14;  // of one task, about

[[noreturn]] void refuse(const Dataset& data, const char* who, Index row, Index col) {
  const auto named = [](const std::vector<std::string>& names, Index at) {
    return names.empty() ? std::string() : fmt::format(" ('{}')", names[static_cast<std::size_t>(at)]);
  };
  throw DataError(
      fmt::format("{}: the value at row {}{}, column {}{} is not finite; leave it empty where it is missing", who,
                  row + 1, named(data.row_names, row), col + 1, named(data.column_names, col)));
}

/// Column of the first value of the row that is neither finite nor NaN, or −1.
template <class T>
Index first_infinite(const DenseView<T>& x, Index row) {
  for (Index j = 0; j < x.cols; ++j)
    if (std::isinf(x(row, j))) return j;
  return -1;
}
template <class T>
Index first_infinite(const CsrView<T>& x, Index row) {
  for (std::int64_t e = x.offsets[row]; e < x.offsets[row + 1]; ++e)
    if (std::isinf(x.values[e])) return x.columns[e];
  return -1;
}

template <class T>
std::int64_t count_row(const DenseView<T>& x, Index row) {
  std::int64_t count = 0;
  for (Index j = 0; j < x.cols; ++j) count += std::isnan(x(row, j)) ? 0 : 1;
  return count;
}
template <class T>
std::int64_t count_row(const CsrView<T>& x, Index row) {
  std::int64_t count = 0;
  for (std::int64_t e = x.offsets[row]; e < x.offsets[row + 1]; ++e) count += std::isnan(x.values[e]) ? 0 : 1;
  return count;
}

template <class T, class Use>
void each_entry(const DenseView<T>& x, Index row, Use&& use) {
  for (Index j = 0; j < x.cols; ++j)
    if (!std::isnan(x(row, j))) use(static_cast<std::int32_t>(j), static_cast<double>(x(row, j)));
}
template <class T, class Use>
void each_entry(const CsrView<T>& x, Index row, Use&& use) {
  for (std::int64_t e = x.offsets[row]; e < x.offsets[row + 1]; ++e)
    if (!std::isnan(x.values[e])) use(x.columns[e], static_cast<double>(x.values[e]));
}

template <class View>
Csr<double> gathered(const View& x, const Dataset& data, const char* who, const Execution& exec) {
  Csr<double> out;
  out.rows = x.rows;
  out.cols = x.cols;
  out.offsets.assign(static_cast<std::size_t>(x.rows) + 1, 0);
  const Index tasks = (x.rows + kRows - 1) / kRows;
  std::vector<Index> bad(static_cast<std::size_t>(tasks), -1);
  parallel_for(exec, tasks, [&](Index task) {
    for (Index i = task * kRows; i < std::min(x.rows, (task + 1) * kRows); ++i) {
      out.offsets[static_cast<std::size_t>(i) + 1] = count_row(x, i);
      if (bad[static_cast<std::size_t>(task)] < 0 && first_infinite(x, i) >= 0) bad[static_cast<std::size_t>(task)] = i;
    }
  });
  for (const Index row : bad)
    if (row >= 0) refuse(data, who, row, first_infinite(x, row));
  for (std::size_t i = 1; i < out.offsets.size(); ++i) out.offsets[i] += out.offsets[i - 1];
  if (out.offsets.back() == 0) throw DataError(fmt::format("{}: every value is missing; there is nothing to fit", who));
  out.columns.resize(static_cast<std::size_t>(out.offsets.back()));
  out.values.resize(out.columns.size());
  parallel_for(exec, tasks, [&](Index task) {
    for (Index i = task * kRows; i < std::min(x.rows, (task + 1) * kRows); ++i) {
      auto to = static_cast<std::size_t>(out.offsets[static_cast<std::size_t>(i)]);
      each_entry(x, i, [&](std::int32_t column, double value) {
        out.columns[to] = column;
        out.values[to++] = value;
      });
    }
  });
  return out;
}

Index empty_rows(const Csr<double>& rows) {
  Index count = 0;
  for (std::size_t i = 1; i < rows.offsets.size(); ++i) count += rows.offsets[i] == rows.offsets[i - 1] ? 1 : 0;
  return count;
}

}  // namespace

Csr<double> observed_entries(const Dataset& data, const char* who, const Execution& exec) {
  if (data.cols() > std::numeric_limits<std::int32_t>::max())
    throw DataError(fmt::format("{}: {} columns are more than 2^31; leave some out", who, data.cols()));
  if (const auto* x = data.dense<double>()) return gathered(*x, data, who, exec);
  if (const auto* x = data.dense<float>()) return gathered(*x, data, who, exec);
  if (const auto* x = data.sparse<double>()) return gathered(*x, data, who, exec);
  if (const auto* x = data.sparse<float>()) return gathered(*x, data, who, exec);
  throw Unsupported(fmt::format("{}: takes rows that lie in memory, not a stream; {}", who, leave_out("stream")));
}

Csr<double> transposed(const Csr<double>& rows, const Execution& exec) {
  Csr<double> out;
  out.rows = rows.cols;
  out.cols = rows.rows;
  out.offsets.assign(static_cast<std::size_t>(rows.cols) + 1, 0);
  for (const std::int32_t column : rows.columns) ++out.offsets[static_cast<std::size_t>(column) + 1];
  for (std::size_t j = 1; j < out.offsets.size(); ++j) out.offsets[j] += out.offsets[j - 1];
  out.columns.resize(rows.columns.size());
  out.values.resize(rows.values.size());
  std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (Index i = 0; i < rows.rows; ++i)
    for (std::int64_t e = rows.offsets[static_cast<std::size_t>(i)]; e < rows.offsets[static_cast<std::size_t>(i) + 1];
         ++e) {
      const auto to =
          static_cast<std::size_t>(next[static_cast<std::size_t>(rows.columns[static_cast<std::size_t>(e)])]++);
      out.columns[to] = static_cast<std::int32_t>(i);
      out.values[to] = rows.values[static_cast<std::size_t>(e)];
    }
  report_progress(exec, "transpose", rows.rows, rows.rows, "rows");
  return out;
}

RatingsTable make_ratings(Csr<double> rows, const Execution& exec) {
  RatingsTable out;
  out.rows = std::move(rows);
  out.columns = transposed(out.rows, exec);
  out.empty_rows = empty_rows(out.rows);
  out.empty_columns = empty_rows(out.columns);
  const auto [low, high] = std::ranges::minmax(out.rows.values);
  out.lowest = low, out.highest = high;
  double sum = 0.0, squares = 0.0;
  for (const double value : out.rows.values) sum += value - low;
  const auto count = static_cast<double>(out.rows.values.size());
  out.mean = low + sum / count;
  for (const double value : out.rows.values) squares += (value - out.mean) * (value - out.mean);
  out.deviation = std::sqrt(squares / count);
  return out;
}

std::uint64_t ratings_bytes(Index rows, Index cols, std::int64_t entries) {
  return 24 * static_cast<std::uint64_t>(entries) + 8 * static_cast<std::uint64_t>(rows + 2 * cols);
}

std::vector<Index> cut_by_entries(const Csr<double>& rows) {
  std::vector<Index> starts{0};
  std::int64_t begun = 0;
  for (Index i = 0; i < rows.rows; ++i) {
    const std::int64_t end = rows.offsets[static_cast<std::size_t>(i) + 1];
    if (end - begun + 16 * (i + 1 - starts.back()) < kEntries && i + 1 < rows.rows) continue;
    starts.push_back(i + 1);
    begun = end;
  }
  return starts;
}

}  // namespace fewdim
