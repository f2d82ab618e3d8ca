#include "data/table/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/column_choice.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index task_cells = 65536;

/// What was found among some rows.
struct Findings {
  Index missing = 0, infinite = 0;
  Index row = -1, column = -1;  // the first, by rows
  std::vector<bool> columns;    // those with any, or empty when there are none

  template <class T>
  void note(T value, Index i, Index j, Index cols) {
    if (std::isfinite(value)) return;
    if (row < 0) row = i, column = j, columns.resize(static_cast<std::size_t>(cols));
    ++(std::isnan(value) ? missing : infinite);
    columns[static_cast<std::size_t>(j)] = true;
  }

  void add(const Findings& later) {
    if (later.row < 0) return;
    if (row < 0) {
      *this = later;
      return;
    }
    missing += later.missing;
    infinite += later.infinite;
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (later.columns[j]) columns[j] = true;
  }
};

/// 0 x is 0 for every finite x and NaN for all others, so one sum tells; several side by side keep the adders busy.
template <class T>
bool all_finite(const T* values, Index count) {
  constexpr Index lanes = 64 / sizeof(T);
  T sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes)
    for (Index k = 0; k < lanes; ++k) sums[k] += values[i + k] * T(0);
  T total = 0;
  for (; i < count; ++i) total += values[i] * T(0);
  for (const T sum : sums) total += sum;
  return total == T(0);
}

template <class T>
bool all_finite(const DenseView<T>& rows) {
  if (rows.col_stride == 1 && rows.row_stride == rows.cols) return all_finite(rows.data, rows.rows * rows.cols);
  const bool by_columns = rows.row_stride == 1;
  if (!by_columns && rows.col_stride != 1) {
    for (Index i = 0; i < rows.rows; ++i)
      for (Index j = 0; j < rows.cols; ++j)
        if (!std::isfinite(rows(i, j))) return false;
    return true;
  }
  const Index runs = by_columns ? rows.cols : rows.rows, step = by_columns ? rows.col_stride : rows.row_stride;
  for (Index r = 0; r < runs; ++r)
    if (!all_finite(rows.data + r * step, by_columns ? rows.rows : rows.cols)) return false;
  return true;
}

template <class T>
Findings search(const DenseView<T>& rows, Index first_row) {
  Findings found;
  if (all_finite(rows)) return found;
  for (Index i = 0; i < rows.rows; ++i)
    for (Index j = 0; j < rows.cols; ++j) found.note(rows(i, j), first_row + i, j, rows.cols);
  return found;
}

template <class T>
Findings search(const CsrView<T>& csr, Index first, Index rows) {
  Findings found;
  const std::int64_t begin = csr.offsets[first], end = csr.offsets[first + rows];
  if (all_finite(csr.values + begin, end - begin)) return found;
  for (Index i = first; i < first + rows; ++i)
    for (std::int64_t e = csr.offsets[i]; e < csr.offsets[i + 1]; ++e)
      found.note(csr.values[e], i, csr.columns[e], csr.cols);
  return found;
}

template <class Search>
Findings search_tasks(Index rows, Index cells_a_row, const Execution& exec, const Search& search_rows) {
  const Index each = std::max<Index>(1, task_cells / std::max<Index>(1, cells_a_row));
  const Index tasks = (rows + each - 1) / each;
  std::vector<Findings> found(static_cast<std::size_t>(tasks));
  parallel_for(exec, tasks, [&](Index t) {
    found[static_cast<std::size_t>(t)] = search_rows(t * each, std::min(each, rows - t * each));
  });
  Findings all;
  for (const Findings& part : found) all.add(part);
  return all;
}

std::string counted(Index count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// `5 ("x5")`, 1-based.
std::string place_text(Index at, const std::vector<std::string>& names) {
  const bool named = at < static_cast<Index>(names.size()) && !names[static_cast<std::size_t>(at)].empty();
  return named ? fmt::format("{} (\"{}\")", at + 1, names[static_cast<std::size_t>(at)]) : std::to_string(at + 1);
}

[[noreturn]] void refuse(const Findings& found, const Dataset& data, std::string_view who) {
  std::string what;
  if (found.missing > 0) what = counted(found.missing, "missing value") + " (NaN)";
  if (found.infinite > 0) what += (what.empty() ? "" : " and ") + counted(found.infinite, "infinite value");
  const Index affected = std::count(found.columns.begin(), found.columns.end(), true);
  std::string remedy = "fill them or drop their rows first";
  if (affected < static_cast<Index>(found.columns.size()) && affected <= 3) {
    std::string dropped;
    const bool named = data.column_names.size() == found.columns.size();
    for (std::size_t j = 0; j < found.columns.size(); ++j)
      if (found.columns[j])
        dropped += fmt::format("{}{}", dropped.empty() ? "" : ",",
                               typed_column(named ? data.column_names : std::vector<std::string>{}, Index(j)));
    remedy = "fill or drop them first, e.g. " + set_option("drop", dropped);
  }
  if (found.missing > 0 && found.infinite == 0)
    remedy += who == "ppca"  ? std::string("; ppca takes them where the rows are dense and fit in memory")
              : who == "pca" ? "; or fit to what is there with " + set_option("missing", "em")
                             : fmt::format("; {} with {}, and {} take them", use_method("pca"),
                                           set_option("missing", "em"), use_method("ppca"));
  throw DataError(fmt::format("{}: {} in {}, the first at row {}, column {}; {}", who, what,
                              counted(affected, "column"), place_text(found.row, data.row_names),
                              place_text(found.column, data.column_names), remedy));
}

}  // namespace

void require_finite(const Dataset& data, std::string_view who, const Execution& exec) {
  Findings found;
  const auto check_dense = [&](const auto& view) {
    found = search_tasks(view.rows, view.cols, exec, [&](Index first, Index rows) {
      auto part = view;
      part.data += first * view.row_stride;
      part.rows = rows;
      return search(part, first);
    });
  };
  const auto check_sparse = [&](const auto& view) {
    const Index cells_a_row = view.rows > 0 ? view.nonzeros() / view.rows + 1 : 1;
    found =
        search_tasks(view.rows, cells_a_row, exec, [&](Index first, Index rows) { return search(view, first, rows); });
  };
  if (const auto* view = data.dense<double>()) check_dense(*view);
  if (const auto* view = data.dense<float>()) check_dense(*view);
  if (const auto* view = data.sparse<double>()) check_sparse(*view);
  if (const auto* view = data.sparse<float>()) check_sparse(*view);
  if (found.row >= 0) refuse(found, data, who);
}

template <class T>
void require_finite_rows(const DenseView<T>& rows, Index first_row, const Dataset& data, std::string_view who) {
  const Findings found = search(rows, first_row);
  if (found.row >= 0) refuse(found, data, who);
}

void require_numbers(const Dataset& data, std::string_view who) {
  if (data.is_text())
    throw DataError(fmt::format("{}: the data are text, and numbers are needed; strings are compared by {} with {}",
                                who, use_method("kernel-pca"), set_option("kernel", "spectrum")));
}

void require_nonempty(const Dataset& data, std::string_view who) {
  if (data.empty()) throw DataError(fmt::format("{}: there is no data; read or generate some first", who));
  require_numbers(data, who);
  if (data.rows() == 0) throw DataError(fmt::format("{}: the data have no rows; one is needed at least", who));
  if (data.cols() == 0) throw DataError(fmt::format("{}: the data have no columns; one is needed at least", who));
}

template <class T>
void validate_csr(const CsrView<T>& csr, std::string_view who) {
  const auto fail = [&](Index row, const std::string& what) {
    throw DataError(fmt::format("{}: row {} of the sparse data: {}", who, row + 1, what));
  };
  if (csr.rows < 0 || csr.cols < 0) throw DataError(fmt::format("{}: sparse data of {} x {}", who, csr.rows, csr.cols));
  if (csr.rows == 0) return;
  if (csr.offsets[0] != 0) fail(0, fmt::format("its offset is {}, must be 0", csr.offsets[0]));
  for (Index i = 0; i < csr.rows; ++i)
    if (csr.offsets[i + 1] < csr.offsets[i])
      fail(i, fmt::format("its end {} lies before its start {}; offsets must never fall", csr.offsets[i + 1],
                          csr.offsets[i]));
  for (Index i = 0; i < csr.rows; ++i) {
    std::int64_t last = -1;
    for (std::int64_t e = csr.offsets[i]; e < csr.offsets[i + 1]; ++e) {
      const std::int64_t column = csr.columns[e];
      if (column < 0 || column >= csr.cols)
        fail(i, fmt::format("column {} must lie between 0 and {}", column, csr.cols - 1));
      if (column <= last)
        fail(i, fmt::format("column {} follows column {}; columns must rise without repeats", column, last));
      last = column;
    }
  }
}

template void require_finite_rows(const DenseView<float>&, Index, const Dataset&, std::string_view);
template void require_finite_rows(const DenseView<double>&, Index, const Dataset&, std::string_view);
template void validate_csr(const CsrView<float>&, std::string_view);
template void validate_csr(const CsrView<double>&, std::string_view);

}  // namespace fewdim
