#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fewdim/types.hpp"

/// The measures of an embedding as their definitions have them, from whole matrices of distances, in O(N³).
namespace fewdim::test {

inline Matrix<double> all_distances(const Matrix<double>& x) {
  Matrix<double> d(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j) d(i, j) = (x.row(i) - x.row(j)).norm();
  return d;
}

/// rank(i, j): 1 for the nearest of i; the lower row first among equals; 0 for i itself.
inline Matrix<double> ranks_of(const Matrix<double>& d) {
  const Index n = d.rows();
  Matrix<double> rank = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (i == j) continue;
      rank(i, j) = 1.0;
      for (Index k = 0; k < n; ++k)
        if (k != i && k != j && (d(i, k) < d(i, j) || (d(i, k) == d(i, j) && k < j))) rank(i, j) += 1.0;
    }
  return rank;
}

/// Venna & Kaski 2001, with original and embedding in this order; in the other order it is the continuity.
inline double trustworthiness_twin(const Matrix<double>& original, const Matrix<double>& embedding, Index neighbors) {
  const auto n = static_cast<double>(original.rows()), k = static_cast<double>(neighbors);
  const Matrix<double> there = ranks_of(original), here = ranks_of(embedding);
  double penalty = 0.0;
  for (Index i = 0; i < there.rows(); ++i)
    for (Index j = 0; j < there.cols(); ++j)
      if (i != j && here(i, j) <= k && there(i, j) > k) penalty += there(i, j) - k;
  return 1.0 - 2.0 / (n * k * (2.0 * n - 3.0 * k - 1.0)) * penalty;
}

/// q(k, l), of rank k+1 in the original and l+1 in the embedding (Lee & Verleysen 2009).
inline Matrix<double> co_ranking(const Matrix<double>& original, const Matrix<double>& embedding) {
  const Matrix<double> there = ranks_of(original), here = ranks_of(embedding);
  Matrix<double> q = Matrix<double>::Zero(there.rows() - 1, there.rows() - 1);
  for (Index i = 0; i < there.rows(); ++i)
    for (Index j = 0; j < there.cols(); ++j)
      if (i != j) q(static_cast<Index>(there(i, j)) - 1, static_cast<Index>(here(i, j)) - 1) += 1.0;
  return q;
}

inline double kept_twin(const Matrix<double>& q, Index k) {
  return q.topLeftCorner(k, k).sum() / (static_cast<double>(k) * static_cast<double>(q.rows() + 1));
}

inline double beyond_chance_twin(const Matrix<double>& q, Index k) {
  const auto others = static_cast<double>(q.rows()), size = static_cast<double>(k);
  return (others * kept_twin(q, k) - size) / (others - size);
}

inline double area_twin(const Matrix<double>& q) {
  double sum = 0.0, weights = 0.0;
  for (Index k = 1; k < q.rows(); ++k) {
    sum += beyond_chance_twin(q, k) / static_cast<double>(k);
    weights += 1.0 / static_cast<double>(k);
  }
  return sum / weights;
}

/// Entries above the diagonal.
inline Vector<double> upper(const Matrix<double>& d) {
  std::vector<double> out;
  for (Index i = 0; i < d.rows(); ++i)
    for (Index j = i + 1; j < d.cols(); ++j) out.push_back(d(i, j));
  return Eigen::Map<Vector<double>>(out.data(), std::ssize(out));
}

inline double pearson_twin(const Vector<double>& x, const Vector<double>& y) {
  const Vector<double> a = x.array() - x.mean(), b = y.array() - y.mean();
  return a.dot(b) / (a.norm() * b.norm());
}

/// The mean of the places that a value and its equals take.
inline Vector<double> mid_ranks_twin(const Vector<double>& x) {
  Vector<double> out(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const auto below = static_cast<double>((x.array() < x[i]).count()),
               equal = static_cast<double>((x.array() == x[i]).count());
    out[i] = below + 0.5 * (equal + 1.0);
  }
  return out;
}

/// Székely, Rizzo & Bakirov 2007, by doubly centered matrices.
inline double distance_correlation_twin(const Matrix<double>& d, const Matrix<double>& e) {
  const auto centered = [](const Matrix<double>& m) {
    const Matrix<double> j = Matrix<double>::Identity(m.rows(), m.rows()).array() - 1.0 / static_cast<double>(m.rows());
    return Matrix<double>(j * m * j);
  };
  const Matrix<double> a = centered(d), b = centered(e);
  return std::sqrt(a.cwiseProduct(b).sum() / std::sqrt(a.squaredNorm() * b.squaredNorm()));
}

}  // namespace fewdim::test
