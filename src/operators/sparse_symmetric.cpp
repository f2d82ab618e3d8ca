#include "operators/sparse_symmetric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "base/parallel.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index kRows = 512;   // of a task
constexpr Index kColumns = 8;  // multiplied in one pass over the matrix

/// A cache line of doubles; rounded lane by lane, so every width of vector gives the same bits.
using Line __attribute__((vector_size(64))) = double;

/// Rows first .. last of y = A x, where x has kColumns numbers a row.
FEWDIM_CLONES void multiply_rows(const std::int64_t* offsets, const std::int32_t* columns, const double* values,
                                 const Line* x, Index first, Index last, Line* y) {
  for (Index i = first; i < last; ++i) {
    Line sum{};
    for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e) sum += values[e] * x[columns[e]];
    y[i - first] = sum;
  }
}

}  // namespace

void SparseSymmetric::apply(ConstBlock<double> x, Block<double> y, const Execution& exec) const {
  const Index n = size(), tasks = (n + kRows - 1) / kRows;
  std::vector<Line> wide(static_cast<std::size_t>(n));
  for (Index start = 0; start < x.cols(); start += kColumns) {
    const Index count = std::min(kColumns, x.cols() - start);
    parallel_for(exec, tasks, [&](Index task) {
      for (Index i = task * kRows; i < std::min(n, (task + 1) * kRows); ++i) {
        Line line{};
        for (Index c = 0; c < count; ++c) line[c] = x(i, start + c);
        wide[static_cast<std::size_t>(i)] = line;
      }
    });
    parallel_for(exec, tasks, [&](Index task) {
      const Index first = task * kRows, last = std::min(n, first + kRows);
      Line rows[kRows];
      multiply_rows(offsets.data(), columns.data(), values.data(), wide.data(), first, last, rows);
      for (Index c = 0; c < count; ++c)
        for (Index i = first; i < last; ++i) y(i, start + c) = rows[i - first][c];
    });
  }
}

SymmetricOperator SparseSymmetric::products(const Execution& exec) const {
  return SymmetricOperator(size(), [this, &exec](ConstBlock<double> x, Block<double> y) { apply(x, y, exec); });
}

double SparseSymmetric::trace() const {
  double sum = 0.0;
  for (Index i = 0; i < size(); ++i)
    for (auto e = offsets[static_cast<std::size_t>(i)]; e < offsets[static_cast<std::size_t>(i) + 1]; ++e)
      if (columns[static_cast<std::size_t>(e)] == i) sum += values[static_cast<std::size_t>(e)];
  return sum;
}

double SparseSymmetric::norm_bound() const {
  double largest = 0.0;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    double sum = 0.0;
    for (auto e = offsets[i]; e < offsets[i + 1]; ++e) sum += std::abs(values[static_cast<std::size_t>(e)]);
    largest = std::max(largest, sum);
  }
  return largest;
}

Matrix<double> SparseSymmetric::dense() const {
  Matrix<double> out = Matrix<double>::Zero(size(), size());
  for (Index i = 0; i < size(); ++i)
    for (auto e = offsets[static_cast<std::size_t>(i)]; e < offsets[static_cast<std::size_t>(i) + 1]; ++e)
      out(i, columns[static_cast<std::size_t>(e)]) = values[static_cast<std::size_t>(e)];
  return out;
}

void SparseSymmetric::require_symmetric(const std::string& who) const {
  for (Index i = 0; i < size(); ++i) {
    std::int32_t previous = -1;
    for (auto e = offsets[static_cast<std::size_t>(i)]; e < offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const std::int32_t j = columns[static_cast<std::size_t>(e)];
      const double value = values[static_cast<std::size_t>(e)];
      if (j <= previous || j >= size())
        throw DataError(fmt::format("{}: row {} of a sparse matrix has column {} out of place", who, i + 1, j + 1));
      previous = j;
      if (!std::isfinite(value))
        throw DataError(fmt::format("{}: entry ({}, {}) of the matrix is {}", who, i + 1, j + 1, value));
      const auto begin = columns.begin() + offsets[static_cast<std::size_t>(j)],
                 end = columns.begin() + offsets[static_cast<std::size_t>(j) + 1];
      const auto mirror = std::lower_bound(begin, end, static_cast<std::int32_t>(i));
      if (mirror == end || *mirror != i || values[static_cast<std::size_t>(mirror - columns.begin())] != value)
        throw DataError(fmt::format("{}: entries ({}, {}) and its mirror image differ", who, i + 1, j + 1));
    }
  }
}

}  // namespace fewdim
