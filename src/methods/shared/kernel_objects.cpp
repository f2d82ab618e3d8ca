#include "methods/shared/kernel_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "features/string_kernel.hpp"
#include "operators/symmetric_tiles.hpp"

namespace fewdim {

namespace {

double finite_value(const PairKernel& k, Index i, Index j, std::string_view who, const char* first) {
  const double value = k(i, j);
  if (!std::isfinite(value))
    throw DataError(fmt::format("{}: the kernel of {} {} and object {} (counted from 0) is {}, and must be finite", who,
                                first, i, j, value));
  return value;
}

/// k(i,j) = k(j,i), on all pairs of a few objects or on some of many.
void require_symmetric_sample(Index count, const PairKernel& k, const Vector<double>& diagonal, std::string_view who) {
  constexpr Index kPairs = 100;
  constexpr double kTolerance = 1e-8;  // as for a given matrix
  const auto check = [&](Index i, Index j) {
    const double one = finite_value(k, i, j, who, "object"), other = finite_value(k, j, i, who, "object");
    const double size = std::max({std::abs(one), std::abs(other), std::sqrt(std::abs(diagonal[i] * diagonal[j]))});
    if (std::abs(one - other) > kTolerance * size)
      throw DataError(
          fmt::format("{}: the kernel of objects {} and {} (counted from 0) is {}, and {} the other way round; it must "
                      "be symmetric",
                      who, i, j, one, other));
  };
  if (count * (count - 1) / 2 <= kPairs) {
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < i; ++j) check(i, j);
    return;
  }
  const Random random(0, 6'000'000);
  for (Index pair = 0; pair < kPairs; ++pair) {
    const auto at = static_cast<std::uint64_t>(2 * pair);
    const auto i = static_cast<Index>(random.below(at, static_cast<std::uint64_t>(count)));
    const auto j = static_cast<Index>(random.below(at + 1, static_cast<std::uint64_t>(count)));
    if (i != j) check(i, j);
  }
}

}  // namespace

ObjectKernel kernel_of_texts(const Dataset& data, StringKernel kernel, std::string_view who, const Execution& exec) {
  constexpr Index kTile = SymmetricTiles<double>::kTile;
  const auto counts = std::make_shared<const SubstringCounts>(data.texts, kernel, kTile, who, exec);
  const Index n = counts->size(), too_short = counts->too_short();
  if (too_short == n)
    throw DataError(fmt::format("{}: no string has {} characters; {}", who, kernel.length, lower_option("length")));
  ObjectKernel out;
  if (too_short > 0) out.why = {Reason(ReasonKind::short_strings, too_short, n, kernel.length)};
  out.diagonal.resize(n);
  for (Index i = 0; i < n; ++i) out.diagonal[i] = counts->diagonal(i);
  out.tile = [counts](Index row, Index m, Index col, Index width, double* tile) {
    spectrum_tile(*counts, row / kTile, m, *counts, col / kTile, width, tile);
  };
  kernel.texts = data.texts;
  out.strings = std::move(kernel);
  return out;
}

ObjectKernel kernel_of_pairs(Index count, const PairKernel& k, std::string_view who, const Execution& exec) {
  ObjectKernel out;
  out.diagonal.resize(count);
  parallel_for(exec, count, [&](Index i) { out.diagonal[i] = finite_value(k, i, i, who, "object"); });
  require_symmetric_sample(count, k, out.diagonal, who);
  out.tile = [&k, who, diagonal = out.diagonal](Index row, Index m, Index col, Index n, double* tile) {
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) {
        const bool known = row == col && j >= i;  // the diagonal, and what is filled in from below it
        if (!known)
          tile[i * n + j] = finite_value(k, row + i, col + j, who, "object");
        else if (i == j)
          tile[i * n + j] = diagonal[row + i];
      }
    if (row != col) return;
    for (Index i = 0; i < m; ++i)
      for (Index j = i + 1; j < n; ++j) tile[i * n + j] = tile[j * n + i];
  };
  return out;
}

Matrix<double> kernel_values_of(Index new_count, Index count, const PairKernel& k, const Execution& exec) {
  require_memory(exec, static_cast<std::uint64_t>(new_count) * static_cast<std::uint64_t>(count) * sizeof(double),
                 fmt::format("kernel_values: {} x {} values", new_count, count), "give the new objects in parts");
  Matrix<double> out(new_count, count);
  parallel_for(exec, new_count, [&](Index i) {
    for (Index j = 0; j < count; ++j) out(i, j) = finite_value(k, i, j, "kernel_values", "new object");
  });
  return out;
}

}  // namespace fewdim
