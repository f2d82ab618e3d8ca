#include "solvers/factors/observed_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/column_choice.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index kTaskRows = 1024;

template <class Task>
void by_rows(const Execution& exec, Index rows, const Task& task) {
  parallel_for(exec, (rows + kTaskRows - 1) / kTaskRows,
               [&](Index t) { task(t, t * kTaskRows, std::min(rows, (t + 1) * kTaskRows)); });
}

std::string column_name(const Dataset& data, Index j) {
  return data.column_names.empty() ? fmt::format("column {}", j + 1)
                                   : fmt::format("column '{}'", data.column_names[static_cast<std::size_t>(j)]);
}

[[noreturn]] void refuse_infinite(const Dataset& data, Index i, Index j, std::string_view who) {
  throw DataError(fmt::format("{}: {}row {}, {}: the value is infinite; mend it, or mark it as missing (NaN)", who,
                              data.source.empty() ? "" : data.source + ": ", i + 1, column_name(data, j)));
}

/// Mean of the observed values, and the standard deviation where it is asked for.
void set_units(ObservedTable& t, const Dataset& data, const RowMatrix<double>& x, bool standardize, int ddof,
               std::string_view who) {
  const Index d = x.cols();
  t.center = Vector<double>::Zero(d);
  t.counts = Vector<double>::Zero(d);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < d; ++j)
      if (!std::isnan(x(i, j))) {
        t.center[j] += x(i, j);
        t.counts[j] += 1.0;
      }
  for (Index j = 0; j < d; ++j)
    if (t.counts[j] == 0.0)
      throw DataError(fmt::format("{}: {} has no value at all; use {}", who, column_name(data, j),
                                  set_option("drop", typed_column(data.column_names, j))));
  t.center.array() /= t.counts.array();
  if (!standardize) return;
  Vector<double> squares = Vector<double>::Zero(d);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < d; ++j)
      if (!std::isnan(x(i, j))) squares[j] += (x(i, j) - t.center[j]) * (x(i, j) - t.center[j]);
  t.scale.resize(d);
  for (Index j = 0; j < d; ++j) {
    t.scale[j] = t.counts[j] > 1.0 ? std::sqrt(squares[j] / (t.counts[j] - ddof)) : 0.0;
    if (!(t.scale[j] > 1e-13 * std::abs(t.center[j])) || t.scale[j] == 0.0)
      throw DataError(fmt::format("{}: {} is constant and can't be scaled; use {}", who, column_name(data, j),
                                  set_option("drop", typed_column(data.column_names, j))));
  }
}

}  // namespace

std::uint64_t observed_bytes(Index rows, Index cols) {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) * (2 * sizeof(double) + 2);
}

Index count_missing(const Dataset& data, const Execution& exec) {
  std::vector<Index> counts(static_cast<std::size_t>((std::max<Index>(data.rows(), 0) + kTaskRows - 1) / kTaskRows), 0);
  const auto count = [&](const auto& x) {
    by_rows(exec, x.rows, [&](Index task, Index first, Index last) {
      for (Index i = first; i < last; ++i)
        for (Index j = 0; j < x.cols; ++j) counts[static_cast<std::size_t>(task)] += std::isnan(x(i, j)) ? 1 : 0;
    });
  };
  if (const auto* x = data.dense<double>()) count(*x);
  if (const auto* x = data.dense<float>()) count(*x);
  return std::accumulate(counts.begin(), counts.end(), Index{0});
}

ObservedTable observe(const Dataset& data, bool standardize, int ddof, std::string_view who, const Execution& exec) {
  ObservedTable t;
  const RowMatrix<double> x = data.matrix<double>();
  const Index n = x.rows(), d = x.cols();
  RowMatrix<std::uint8_t> masks(n, d);
  by_rows(exec, n, [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      for (Index j = 0; j < d; ++j) {
        if (std::isinf(x(i, j))) refuse_infinite(data, i, j, who);
        masks(i, j) = std::isnan(x(i, j)) ? 0 : 1;
      }
  });
  set_units(t, data, x, standardize, ddof, who);
  t.observed = t.counts.sum();

  t.order.resize(static_cast<std::size_t>(n));
  std::iota(t.order.begin(), t.order.end(), Index{0});
  const auto compare = [&](Index a, Index b) {
    return std::memcmp(masks.data() + a * d, masks.data() + b * d, static_cast<std::size_t>(d));
  };
  std::stable_sort(t.order.begin(), t.order.end(), [&](Index a, Index b) { return compare(a, b) < 0; });

  std::vector<Index> first_of;  // the row that shows a pattern
  for (Index i = 0; i < n; ++i) {
    const Index row = t.order[static_cast<std::size_t>(i)];
    const bool another = i == 0 || compare(t.order[static_cast<std::size_t>(i - 1)], row) != 0;
    if (another) first_of.push_back(row);
    if (another || t.pieces.back().rows == ObservedTable::piece_rows)
      t.pieces.push_back({.first = i, .rows = 0, .pattern = std::ssize(first_of) - 1});
    ++t.pieces.back().rows;
  }
  t.masks.resize(std::ssize(first_of), d);
  for (Index p = 0; p < t.masks.rows(); ++p) t.masks.row(p) = masks.row(first_of[static_cast<std::size_t>(p)]);

  t.values.resize(n, d);
  by_rows(exec, n, [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Index row = t.order[static_cast<std::size_t>(i)];
      for (Index j = 0; j < d; ++j)
        t.values(i, j) = masks(row, j) == 0 ? 0.0 : (x(row, j) - t.center[j]) / (t.scale.size() > 0 ? t.scale[j] : 1.0);
    }
  });
  t.squares = Vector<double>::Zero(d);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j) t.squares[j] += t.values(i, j) * t.values(i, j);
  return t;
}

}  // namespace fewdim
