#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/neighbor_graph.hpp"
#include "support/data.hpp"

/// Slow and plain twins of what is tested.
namespace fewdim::test {

template <class C>
MetricRows<C> packed(const Matrix<C>& x, Metric metric = Metric::euclidean) {
  return pack_rows<C>(Dataset(x), metric, metric_center(Dataset(x), metric, {}), "test", {});
}

/// Neighbors by sorting all distances; self left out when the two are one object.
template <class C>
NeighborLists naive_neighbors(const MetricRows<C>& queries, const MetricRows<C>& points, Index k,
                              double radius = std::numeric_limits<double>::infinity()) {
  NeighborLists lists;
  for (Index i = 0; i < queries.rows; ++i) {
    std::vector<std::pair<double, std::int32_t>> all;
    for (Index j = 0; j < points.rows; ++j)
      if (&queries != &points || i != j) all.emplace_back(distance(queries, i, points, j), static_cast<int>(j));
    std::sort(all.begin(), all.end());
    for (std::size_t s = 0; s < all.size() && std::ssize(lists.indices) - lists.offsets.back() < k; ++s)
      if (all[s].first <= radius) {
        lists.distances.push_back(all[s].first);
        lists.indices.push_back(all[s].second);
      }
    lists.offsets.push_back(std::ssize(lists.indices));
  }
  return lists;
}

inline void expect_same(const NeighborLists& a, const NeighborLists& b, const std::string& what) {
  EXPECT_EQ(a.offsets, b.offsets) << what;
  EXPECT_EQ(a.indices, b.indices) << what;
  EXPECT_EQ(a.distances, b.distances) << what;
}

/// A spiral sheet in space, as in tests of Isomap.
template <class C = double>
Matrix<C> swiss_roll(Index n, Seed seed = 1) {
  Matrix<C> x(n, 3);
  const Random angle(seed, 0), height(seed, 1);
  for (Index i = 0; i < n; ++i) {
    const double t = 4.71238898 * (1.0 + 2.0 * angle.uniform(static_cast<std::uint64_t>(i)));
    x(i, 0) = static_cast<C>(t * std::cos(t));
    x(i, 1) = static_cast<C>(21.0 * height.uniform(static_cast<std::uint64_t>(i)));
    x(i, 2) = static_cast<C>(t * std::sin(t));
  }
  return x;
}

/// All shortest paths (Floyd 1962, Warshall 1962).
inline Matrix<double> floyd_warshall(const NeighborGraph& graph) {
  const Index n = graph.vertices();
  Matrix<double> d = Matrix<double>::Constant(n, n, std::numeric_limits<double>::infinity());
  for (Index i = 0; i < n; ++i) {
    d(i, i) = 0.0;
    for (auto e = graph.offsets[static_cast<std::size_t>(i)]; e < graph.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      d(i, graph.targets[static_cast<std::size_t>(e)]) = graph.lengths[static_cast<std::size_t>(e)];
  }
  for (Index via = 0; via < n; ++via)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) d(i, j) = std::min(d(i, j), d(i, via) + d(via, j));
  return d;
}

}  // namespace fewdim::test
