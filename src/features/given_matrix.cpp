#include "features/given_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "data/checks.hpp"

namespace fewdim {

double given_entry(const Dataset& data, Index i, Index j) {
  if (const auto* v = data.dense<double>()) return (*v)(i, j);
  if (const auto* v = data.dense<float>()) return static_cast<double>((*v)(i, j));
  throw Error(ErrorKind::internal, "given_entry: the data set is not dense");
}

template <class C>
void copy_given(const Dataset& data, Index row, Index m, Index col, Index n, C* out) {
  const auto copy = [&](const auto& view) {
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) out[i * n + j] = static_cast<C>(view(row + i, col + j));
  };
  if (const auto* v = data.dense<double>()) return copy(*v);
  if (const auto* v = data.dense<float>()) return copy(*v);
  throw Error(ErrorKind::internal, "copy_given: the data set is not dense");
}

template void copy_given(const Dataset&, Index, Index, Index, Index, float*);
template void copy_given(const Dataset&, Index, Index, Index, Index, double*);

void require_symmetric(const Dataset& data, std::string_view who, std::string_view what, const Execution& exec) {
  if (!data.is_dense())
    throw Unsupported(fmt::format("{}: a {} matrix must be dense and in memory; convert it first", who, what));
  const Index n = data.rows();
  if (n != data.cols())
    throw DataError(fmt::format("{}: a {} matrix must be square, and this one has {} rows and {} columns", who, what, n,
                                data.cols()));
  require_finite(data, who, exec);
  std::vector<double> largest(static_cast<std::size_t>(n), 0.0);
  parallel_for(exec, n, [&](Index i) {
    for (Index j = 0; j < n; ++j)
      largest[static_cast<std::size_t>(i)] =
          std::max(largest[static_cast<std::size_t>(i)], std::abs(given_entry(data, i, j)));
  });
  const double scale = n > 0 ? *std::max_element(largest.begin(), largest.end()) : 0.0;
  const double allowed = (data.precision() == Precision::float32 ? 1e-5 : 1e-8) * scale;
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
