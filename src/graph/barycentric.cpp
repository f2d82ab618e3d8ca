#include "graph/barycentric.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fewdim {

namespace {

/// Lower triangle of `a` + ridge·I to its Cholesky factor, in `l`; false where a pivot is not positive.
bool factor(const double* a, Index n, double ridge, double* l) {
  for (Index j = 0; j < n; ++j) {
    const double* row_j = l + j * n;
    for (Index i = j; i < n; ++i) {
      double* row_i = l + i * n;
      double sum = a[i * n + j] + (i == j ? ridge : 0.0);
      for (Index p = 0; p < j; ++p) sum -= row_i[p] * row_j[p];
      if (i == j) {
        if (!(sum > 0.0)) return false;
        row_i[j] = std::sqrt(sum);
      } else {
        row_i[j] = sum / row_j[j];
      }
    }
  }
  return true;
}

/// x ← (LLᵀ)⁻¹ 1
void solve_ones(const double* l, Index n, double* x) {
  for (Index i = 0; i < n; ++i) {
    double sum = 1.0;
    for (Index p = 0; p < i; ++p) sum -= l[i * n + p] * x[p];
    x[i] = sum / l[i * n + i];
  }
  for (Index i = n - 1; i >= 0; --i) {
    double sum = x[i];
    for (Index p = i + 1; p < n; ++p) sum -= l[p * n + i] * x[p];
    x[i] = sum / l[i * n + i];
  }
}

double form(const double* gram, Index n, const double* w) {
  double all = 0.0;
  for (Index i = 0; i < n; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < n; ++j) sum += gram[i * n + j] * w[j];
    all += w[i] * sum;
  }
  return all;
}

}  // namespace

void local_gram(const double* point, const MetricRows<double>& rows, std::span<const std::int32_t> neighbors,
                double* gram) {
  const Index k = std::ssize(neighbors), cols = rows.cols;
  thread_local std::vector<double> differences;
  differences.resize(static_cast<std::size_t>(k * cols));
  for (Index a = 0; a < k; ++a) {
    const double* row = rows.row(neighbors[static_cast<std::size_t>(a)]);
    double* to = differences.data() + a * cols;
    for (Index c = 0; c < cols; ++c) to[c] = row[c] - point[c];
  }
  for (Index a = 0; a < k; ++a)
    for (Index b = 0; b <= a; ++b) {
      const double *x = differences.data() + a * cols, *y = differences.data() + b * cols;
      double sum = 0.0;
      for (Index c = 0; c < cols; ++c) sum += x[c] * y[c];
      gram[a * k + b] = gram[b * k + a] = sum;
    }
}

void local_gram(const double* to_neighbors, const Matrix<double>& between, std::span<const std::int32_t> neighbors,
                double* gram) {
  const Index k = std::ssize(neighbors);
  for (Index a = 0; a < k; ++a)
    for (Index b = 0; b <= a; ++b) {
      const double d = a == b ? 0.0
                              : between(neighbors[static_cast<std::size_t>(std::max(a, b))],
                                        neighbors[static_cast<std::size_t>(std::min(a, b))]);
      gram[a * k + b] = gram[b * k + a] =
          0.5 * (to_neighbors[a] * to_neighbors[a] + to_neighbors[b] * to_neighbors[b] - d * d);
    }
}

double barycentric_weights(double* gram, Index count, double regularization, double* weights) {
  double trace = 0.0;
  for (Index a = 0; a < count; ++a) trace += gram[a * count + a];
  thread_local std::vector<double> l;
  l.resize(static_cast<std::size_t>(count * count));
  bool positive = trace > 0.0;
  for (double share = regularization; positive && !factor(gram, count, share * trace, l.data());
       share = std::max(10.0 * share, 1e-12))
    positive = share < 1e6;
  if (!positive) {
    std::fill_n(weights, count, 1.0 / static_cast<double>(count));
    return 0.0;
  }
  solve_ones(l.data(), count, weights);
  double sum = 0.0;
  for (Index a = 0; a < count; ++a) sum += weights[a];
  for (Index a = 0; a < count; ++a) weights[a] /= sum;
  return form(gram, count, weights);
}

}  // namespace fewdim
