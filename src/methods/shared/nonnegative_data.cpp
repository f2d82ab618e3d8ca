#include "methods/shared/nonnegative_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/first_place.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index kRows = 256;

std::string place_text(Index at, const std::vector<std::string>& names) {
  const bool named = at < std::ssize(names) && !names[static_cast<std::size_t>(at)].empty();
  return named ? fmt::format("{} (\"{}\")", at + 1, names[static_cast<std::size_t>(at)]) : std::to_string(at + 1);
}

/// The first row in which has_negative(row) is true; -1 where there is none.
template <class Test>
Index first_row(Index rows, const Execution& exec, const Test& has_negative) {
  FirstPlace first;
  parallel_for(exec, (rows + kRows - 1) / kRows, [&](Index task) {
    for (Index i = task * kRows; i < std::min(rows, (task + 1) * kRows); ++i)
      if (has_negative(i)) return first.note(i);
  });
  return first.any() ? first.get() : -1;
}

[[noreturn]] void refuse(const Dataset& data, std::string_view who, Index row, Index column, double value) {
  throw DataError(fmt::format(
      "{}: {:.6g} at row {}, column {} is negative, and parts that only add up can't make it; shift or "
      "clip the data, drop the column, or use {}",
      who, value, place_text(row, data.row_names), place_text(column, data.column_names), use_method("pca")));
}

template <class T>
void check(const DenseView<T>& x, const Dataset& data, std::string_view who, const Execution& exec) {
  const Index row = first_row(x.rows, exec, [&](Index i) {
    bool negative = false;  // no early exit, so that it is vectorized
    for (Index j = 0; j < x.cols; ++j) negative |= x(i, j) < T(0);
    return negative;
  });
  for (Index j = 0; row >= 0 && j < x.cols; ++j)
    if (x(row, j) < T(0)) refuse(data, who, row, j, static_cast<double>(x(row, j)));
}

template <class T>
void check(const CsrView<T>& x, const Dataset& data, std::string_view who, const Execution& exec) {
  const Index row = first_row(x.rows, exec, [&](Index i) {
    return std::any_of(x.values + x.offsets[i], x.values + x.offsets[i + 1], [](T value) { return value < T(0); });
  });
  if (row < 0) return;
  for (std::int64_t e = x.offsets[row]; e < x.offsets[row + 1]; ++e)
    if (x.values[e] < T(0)) refuse(data, who, row, x.columns[e], static_cast<double>(x.values[e]));
}

}  // namespace

void require_no_negative(const Dataset& data, std::string_view who, const Execution& exec) {
  if (const auto* x = data.dense<double>()) check(*x, data, who, exec);
  if (const auto* x = data.dense<float>()) check(*x, data, who, exec);
  if (const auto* x = data.sparse<double>()) check(*x, data, who, exec);
  if (const auto* x = data.sparse<float>()) check(*x, data, who, exec);
}

}  // namespace fewdim
