#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "operators/sparse_symmetric.hpp"

/// Sparse symmetric matrices with spectra that are known.
namespace fewdim::test {

/// Entries by place, both triangles.
using Entries = std::map<std::pair<Index, Index>, double>;

inline SparseSymmetric sparse_of(Index size, const Entries& entries) {
  SparseSymmetric a;
  a.offsets.assign(static_cast<std::size_t>(size) + 1, 0);
  for (const auto& [place, value] : entries) {  // in order of rows, then of columns
    ++a.offsets[static_cast<std::size_t>(place.first) + 1];
    a.columns.push_back(static_cast<std::int32_t>(place.second));
    a.values.push_back(value);
  }
  std::partial_sum(a.offsets.begin(), a.offsets.end(), a.offsets.begin());
  return a;
}

using Edges = std::vector<std::pair<Index, Index>>;

/// The Laplacian D − W of a graph with weights 1.
inline SparseSymmetric laplacian(Index size, const Edges& edges, double scale = 1.0) {
  Entries entries;
  for (Index i = 0; i < size; ++i) entries[{i, i}] = 0.0;
  for (const auto& [i, j] : edges) {
    entries[{i, i}] += scale, entries[{j, j}] += scale;
    entries[{i, j}] -= scale, entries[{j, i}] -= scale;
  }
  return sparse_of(size, entries);
}

inline Edges path(Index size) {
  Edges edges;
  for (Index i = 0; i + 1 < size; ++i) edges.emplace_back(i, i + 1);
  return edges;
}

inline Edges cycle(Index size) {
  Edges edges = path(size);
  edges.emplace_back(size - 1, 0);
  return edges;
}

inline Edges grid(Index rows, Index cols) {
  Edges edges;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < cols; ++c) {
      if (r + 1 < rows) edges.emplace_back(r * cols + c, (r + 1) * cols + c);
      if (c + 1 < cols) edges.emplace_back(r * cols + c, r * cols + c + 1);
    }
  return edges;
}

/// BᵀB + I/100 with `row_entries` uniform numbers in each row of B, at random columns.
inline SparseSymmetric random_positive(Index size, Index row_entries, Seed seed) {
  Entries entries;
  for (Index i = 0; i < size; ++i) entries[{i, i}] += 0.01;
  const Random random(seed, 0);
  std::uint64_t draw = 0;
  for (Index r = 0; r < size; ++r) {
    std::vector<std::pair<Index, double>> row;
    for (Index k = 0; k < row_entries; ++k) {
      const auto column = static_cast<Index>(random.below(draw++, static_cast<std::uint64_t>(size)));
      row.emplace_back(column, random.uniform(draw++) - 0.5);
    }
    for (const auto& [i, x] : row)
      for (const auto& [j, y] : row) entries[{std::min(i, j), std::max(i, j)}] += (i == j ? 1.0 : 0.5) * x * y;
  }
  Entries both;
  for (const auto& [place, value] : entries) both[place] = both[{place.second, place.first}] = value;
  return sparse_of(size, both);
}

/// Row and column k of the result are those of order[k].
inline SparseSymmetric permuted(const SparseSymmetric& a, const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
  Entries entries;
  for (Index i = 0; i < a.size(); ++i)
    for (auto e = a.offsets[static_cast<std::size_t>(i)]; e < a.offsets[static_cast<std::size_t>(i) + 1]; ++e)
      entries[{position[static_cast<std::size_t>(i)],
               position[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)])]}] =
          a.values[static_cast<std::size_t>(e)];
  return sparse_of(a.size(), entries);
}

/// 1/√N in each entry: the null space of a connected graph.
inline Matrix<double> constant_vector(Index size) {
  return Matrix<double>::Constant(size, 1, 1.0 / std::sqrt(static_cast<double>(size)));
}

}  // namespace fewdim::test
