#include "features/given_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "data/table/checks.hpp"

namespace fewdim {

double given_entry(const Dataset& data, Index i, Index j) {
  if (const auto* v = data.dense<double>()) return (*v)(i, j);
  if (const auto* v = data.dense<float>()) return static_cast<double>((*v)(i, j));
  throw Error(ErrorKind::internal, "given_entry: the data set is not dense");
}

template <class C>
void copy_given(const Dataset& data, Index row, Index m, Index col, Index n, C* out) {
  const auto copy = [&](const auto& view) {
    for (Index i = 0; i < m; ++i) {
      if (view.row_major())
        std::copy_n(view.data + (row + i) * view.row_stride + col, n, out + i * n);
      else
        for (Index j = 0; j < n; ++j) out[i * n + j] = static_cast<C>(view(row + i, col + j));
    }
  };
  if (const auto* v = data.dense<double>()) return copy(*v);
  if (const auto* v = data.dense<float>()) return copy(*v);
  throw Error(ErrorKind::internal, "copy_given: the data set is not dense");
}

template void copy_given(const Dataset&, Index, Index, Index, Index, float*);
template void copy_given(const Dataset&, Index, Index, Index, Index, double*);

Extent extent_of(const Dataset& data, const Execution& exec) {
  constexpr Index kRows = 64;
  const Index tasks = (data.rows() + kRows - 1) / kRows;
  std::vector<Extent> parts(static_cast<std::size_t>(tasks));
  const auto look = [&](const auto& view) {
    constexpr Index kLanes = 8;
    constexpr double kMost = std::numeric_limits<double>::max();
    parallel_for(exec, tasks, [&](Index task) {
      double largest[kLanes] = {}, lowest[kLanes] = {};
      for (Index i = task * kRows; i < std::min(view.rows, (task + 1) * kRows); ++i) {
        const auto* row = view.data + i * view.row_stride;
        Index j = 0;
        for (; view.col_stride == 1 && j + kLanes <= view.cols; j += kLanes)
          for (Index l = 0; l < kLanes; ++l) {
            const auto value = static_cast<double>(row[j + l]);
            const double size = std::abs(value) <= kMost ? std::abs(value) : 0.0;
            largest[l] = size > largest[l] ? size : largest[l];
            lowest[l] = value < lowest[l] && size > 0.0 ? value : lowest[l];
          }
        for (; j < view.cols; ++j) {
          const auto value = static_cast<double>(view(i, j));
          if (!std::isfinite(value)) continue;
          largest[0] = std::max(largest[0], std::abs(value));
          lowest[0] = std::min(lowest[0], value);
        }
      }
      Extent& part = parts[static_cast<std::size_t>(task)];
      for (Index l = 0; l < kLanes; ++l) {
        part.largest = std::max(part.largest, largest[l]);
        part.lowest = std::min(part.lowest, lowest[l]);
      }
    });
  };
  if (const auto* v = data.dense<double>()) look(*v);
  if (const auto* v = data.dense<float>()) look(*v);
  Extent all;
  for (const Extent& part : parts) {
    all.largest = std::max(all.largest, part.largest);
    all.lowest = std::min(all.lowest, part.lowest);
  }
  return all;
}

double asymmetry_of(const Dataset& data, const Execution& exec) {
  constexpr Index kBlock = 64;  // two such blocks stay in the first cache
  const Index blocks = (data.rows() + kBlock - 1) / kBlock;
  std::vector<double> worst(static_cast<std::size_t>(blocks), 0.0);
  const auto look = [&](const auto& view) {
    parallel_for(exec, blocks, [&](Index task) {
      double most = 0.0;
      const Index row = task * kBlock, end = std::min(view.rows, row + kBlock);
      for (Index col = 0; col <= row; col += kBlock)
        for (Index i = row; i < end; ++i)
          for (Index j = col; j < std::min(i, col + kBlock); ++j) {
            const double off = std::abs(static_cast<double>(view(i, j)) - static_cast<double>(view(j, i)));
            if (!(off <= most)) most = off;
          }
      worst[static_cast<std::size_t>(task)] = most;
    });
  };
  if (const auto* v = data.dense<double>()) look(*v);
  if (const auto* v = data.dense<float>()) look(*v);
  double most = 0.0;
  for (const double part : worst)
    if (!(part <= most)) most = part;
  return most;
}

double rounding_of(const Dataset& data, const Execution& exec) {
  return (data.precision() == Precision::float32 ? 1e-5 : 1e-8) * extent_of(data, exec).largest;
}

void require_symmetric(const Dataset& data, std::string_view who, std::string_view what, const Execution& exec) {
  if (!data.is_dense())
    throw Unsupported(fmt::format("{}: a {} matrix must be dense and in memory; convert it first", who, what));
  const Index n = data.rows();
  if (n != data.cols())
    throw DataError(fmt::format("{}: a {} matrix must be square, and this one has {} rows and {} columns", who, what, n,
                                data.cols()));
  require_finite(data, who, exec);
  const double allowed = rounding_of(data, exec);
  if (asymmetry_of(data, exec) <= allowed) return;
  std::vector<Index> first(static_cast<std::size_t>(n), -1);
  parallel_for(exec, n, [&](Index i) {
    for (Index j = 0; j < i && first[static_cast<std::size_t>(i)] < 0; ++j)
      if (std::abs(given_entry(data, i, j) - given_entry(data, j, i)) > allowed) first[static_cast<std::size_t>(i)] = j;
  });
  for (Index i = 0; i < n; ++i)
    if (const Index j = first[static_cast<std::size_t>(i)]; j >= 0)
      throw DataError(fmt::format(
          "{}: the {} matrix is not symmetric: row {}, column {} is {}, and row {}, column {} is {}; average the two "
          "halves, or check the file",
          who, what, i + 1, j + 1, given_entry(data, i, j), j + 1, i + 1, given_entry(data, j, i)));
}

}  // namespace fewdim
