#pragma once

#include <string_view>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

/// Distances between objects that come as data.
namespace fewdim {

/// True for a dense matrix that is square and symmetric, with zeros on the diagonal and nothing negative: what a table
/// of distances looks like, and hardly ever a table of features. NaN above the diagonal is a lower triangle.
bool looks_like_distances(const Dataset& data, const Execution& exec);

/// The full N×N matrix from what people store: full, lower triangle with NaN above it, or condensed (one row or column
/// of N(N−1)/2 numbers, row by row of the upper triangle, as SciPy's pdist and R's dist have it). Throws DataError
/// where it is not symmetric, has a diagonal that is not zero, a negative or a missing entry, naming the first.
Dataset full_distances(const Dataset& data, std::string_view who, const Execution& exec);

/// Triples with d(i,j) > d(i,k) + d(k,j), of full distances: how many, and the worst of them.
struct TriangleBreaches {
  std::int64_t count = 0;
  Index i = 0, j = 0, k = 0;  ///< of the worst
  double excess = 0.0;        ///< d(i,j) − d(i,k) − d(k,j)
};
TriangleBreaches triangle_breaches(const Dataset& distances, const Execution& exec);

}  // namespace fewdim
