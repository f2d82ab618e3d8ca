#include "features/distance_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "features/given_matrix.hpp"

namespace fewdim {

namespace {

std::string named(const Dataset& data, Index i) {
  if (data.row_names.empty()) return std::to_string(i + 1);
  return fmt::format("{} ({})", i + 1, data.row_names[static_cast<std::size_t>(i)]);
}

/// True where all above the diagonal is NaN and nothing below it is.
bool lower_triangle(const Dataset& data) {
  const Index n = data.rows();
  if (n < 2 || n != data.cols()) return false;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j)
      if (!std::isnan(given_entry(data, i, j))) return false;
  return true;
}

/// N with N(N−1)/2 = count, or 0.
Index condensed_size(Index count) {
  const auto n = static_cast<Index>(std::llround((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(count))) / 2.0));
  return n >= 2 && n * (n - 1) / 2 == count ? n : 0;
}

void copy_names(const Dataset& from, Dataset& to) {
  to.row_names =
      from.row_names.empty() && std::ssize(from.column_names) == to.rows() ? from.column_names : from.row_names;
  to.column_names = to.row_names;
  to.row_names_header = from.row_names_header;
  to.labels = from.labels;
  to.label_name = from.label_name;
  to.weights = from.weights;
  to.source = from.source;
  to.hash = from.hash;
}

template <class C>
Dataset from_lower(const Dataset& data) {
  const Index n = data.rows();
  Matrix<C> full(n, n);
  for (Index i = 0; i < n; ++i) {
    const double own = given_entry(data, i, i);
    full(i, i) = std::isnan(own) ? C(0) : static_cast<C>(own);
    for (Index j = 0; j < i; ++j) full(i, j) = full(j, i) = static_cast<C>(given_entry(data, i, j));
  }
  Dataset out(std::move(full));
  copy_names(data, out);
  return out;
}

template <class C>
Dataset from_condensed(const Dataset& data, Index n) {
  Matrix<C> full = Matrix<C>::Zero(n, n);
  Index at = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j, ++at)
      full(i, j) = full(j, i) = static_cast<C>(data.rows() == 1 ? given_entry(data, 0, at) : given_entry(data, at, 0));
  Dataset out(std::move(full));
  out.source = data.source;
  out.hash = data.hash;
  return out;
}

void require_distances(const Dataset& data, std::string_view who, const Execution& exec) {
  require_symmetric(data, who, "distance", exec);
  const Extent extent = extent_of(data, exec);
  const double allowed = (data.precision() == Precision::float32 ? 1e-5 : 1e-8) * extent.largest;
  for (Index i = 0; i < data.rows(); ++i)
    if (const double d = given_entry(data, i, i); std::abs(d) > allowed)
      throw DataError(
          fmt::format("{}: the distance of object {} to itself is {}, and must be 0; are these similarities?", who,
                      named(data, i), d));
  if (extent.lowest >= 0.0) return;
  for (Index i = 0; i < data.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (const double d = given_entry(data, i, j); d < 0.0)
        throw DataError(
            fmt::format("{}: the distance of objects {} and {} is {}, and can't be negative; are these "
                        "similarities?",
                        who, named(data, i), named(data, j), d));
}

}  // namespace

bool looks_like_distances(const Dataset& data, const Execution& exec) {
  const Index n = data.rows();
  if (!data.is_dense() || n < 3 || n != data.cols()) return false;
  const Extent extent = extent_of(data, exec);
  if (extent.lowest < 0.0) return false;
  const double allowed = rounding_of(data, exec);
  for (Index i = 0; i < n; ++i)
    if (std::abs(given_entry(data, i, i)) > allowed) return false;
  if (!lower_triangle(data)) return asymmetry_of(data, exec) <= allowed;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      if (!std::isfinite(given_entry(data, i, j))) return false;
  return true;
}

Dataset full_distances(const Dataset& data, std::string_view who, const Execution& exec) {
  if (!data.is_dense())
    throw Unsupported(fmt::format("{}: a distance matrix must be dense and in memory; convert it first", who));
  const bool single = data.precision() == Precision::float32;
  Dataset full = data;
  if (data.rows() == 1 || data.cols() == 1) {
    const Index n = condensed_size(std::max(data.rows(), data.cols()));
    if (n == 0)
      throw DataError(fmt::format("{}: {} numbers are no condensed distances: those of N objects are N(N-1)/2", who,
                                  std::max(data.rows(), data.cols())));
    full = single ? from_condensed<float>(data, n) : from_condensed<double>(data, n);
  } else if (lower_triangle(data)) {
    full = single ? from_lower<float>(data) : from_lower<double>(data);
  }
  require_distances(full, who, exec);
  return full;
}

TriangleBreaches triangle_breaches(const Dataset& distances, const Execution& exec) {
  const Index n = distances.rows();
  const double allowed = rounding_of(distances, exec);
  const Matrix<double> d = distances.matrix<double>();
  std::vector<TriangleBreaches> parts(static_cast<std::size_t>(n));
  parallel_for(exec, n, [&](Index i) {
    TriangleBreaches& part = parts[static_cast<std::size_t>(i)];
    for (Index j = 0; j < i; ++j)
      for (Index k = 0; k < n; ++k) {
        const double excess = d(j, i) - d(k, i) - d(k, j);
        if (excess <= allowed || k == i || k == j) continue;
        ++part.count;
        if (excess > part.excess) part = {part.count, i, j, k, excess};
      }
  });
  TriangleBreaches all;
  for (const TriangleBreaches& part : parts) {
    const std::int64_t count = all.count + part.count;
    if (part.excess > all.excess) all = part;
    all.count = count;
  }
  return all;
}

}  // namespace fewdim
