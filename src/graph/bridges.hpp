#pragma once

#include <functional>

#include "graph/parts.hpp"

namespace fewdim {

/// For each part but the first, in order, the shortest link from it to a vertex outside; of equal ones that with the
/// lower first, then the lower second vertex.
using OutwardLinks = std::function<std::vector<Link>(const Parts&)>;

/// The links that join all parts with the least total length, the longest of them as short as can be, shortest first:
/// Borůvka's rounds, in which every part but the largest takes its shortest link outward.
std::vector<Link> shortest_bridges(const Parts& parts, const OutwardLinks& outward_links);

/// By the metric of rows, exactly. The arguments must outlive the result.
template <class C>
OutwardLinks outward_links_of(const MetricRows<C>& points, std::string_view who, const Execution& exec);

/// By a matrix of distances, of which the lower triangle counts.
template <class T>
OutwardLinks outward_links_of(const DenseView<T>& distances, const Execution& exec);

/// Entry (i, j) of a symmetric matrix, read from its lower triangle.
template <class T>
double lower_entry(const DenseView<T>& matrix, Index i, Index j) {
  return static_cast<double>(matrix.data[std::max(i, j) * matrix.row_stride + std::min(i, j) * matrix.col_stride]);
}

}  // namespace fewdim
