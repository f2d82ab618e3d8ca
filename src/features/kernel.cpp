#include "features/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/clones.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "base/vector_exp.hpp"

namespace fewdim {

namespace {

template <class C>
void products_tile(const MetricRows<C>& a, Index first_a, Index m, const MetricRows<C>& b, Index first_b, Index n,
                   double factor, C* out) {
  blas::gemm(true, false, n, m, a.cols, static_cast<C>(factor), b.row(first_b), b.cols, a.row(first_a), a.cols, C(0),
             out, n);
}

template <class C>
__attribute__((always_inline)) inline void raise(C* x, Index count, C offset, Index degree) {
  for (Index i = 0; i < count; ++i) {
    const C base = x[i] + offset;
    C power = base;
    for (Index p = 1; p < degree; ++p) power *= base;
    x[i] = power;
  }
}

template <class C>
__attribute__((always_inline)) inline void multiply(C* x, Index count, C factor) {
  for (Index i = 0; i < count; ++i) x[i] *= factor;
}

/// Σ (x−y)²/(x+y), a term with x = y = 0 being 0; eight running sums, as in every distance.
template <class C>
__attribute__((always_inline)) inline double chi2_of(const C* x, const C* y, Index cols) {
  double sums[8] = {};
  for (Index j = 0; j < cols; ++j) {
    const auto a = static_cast<double>(x[j]), b = static_cast<double>(y[j]);
    const double difference = a - b, sum = a + b;
    sums[j % 8] += sum > 0.0 ? difference * difference / sum : 0.0;
  }
  return std::accumulate(sums, sums + 8, 0.0);
}

#define FEWDIM_KERNEL_LOOPS(C)                                                                                 \
  FEWDIM_CLONES void raise_all(C* x, Index count, C offset, Index degree) { raise(x, count, offset, degree); } \
  FEWDIM_CLONES void multiply_all(C* x, Index count, C factor) { multiply(x, count, factor); }                 \
  FEWDIM_CLONES void chi2_row(const C* x, const C* y, Index n, Index cols, C* out) {                           \
    for (Index j = 0; j < n; ++j) out[j] = static_cast<C>(chi2_of(x, y + j * cols, cols));                     \
  }
FEWDIM_KERNEL_LOOPS(float)
FEWDIM_KERNEL_LOOPS(double)
#undef FEWDIM_KERNEL_LOOPS

}  // namespace

Metric kernel_metric(KernelKind kind) {
  if (kind == KernelKind::laplacian) return Metric::manhattan;
  if (kind == KernelKind::cosine) return Metric::cosine;
  return Metric::euclidean;
}

Vector<double> kernel_center(const Dataset& data, const Kernel& kernel, const Execution& exec) {
  return kernel.kind == KernelKind::gaussian ? metric_center(data, Metric::euclidean, exec) : Vector<double>();
}

template <class C>
MetricRows<C> pack_rows(const Dataset& data, const Kernel& kernel, const Vector<double>& center, std::string_view who,
                        const Execution& exec) {
  MetricRows<C> rows = pack_rows<C>(data, kernel_metric(kernel.kind), center, who, exec);
  if (kernel.kind == KernelKind::chi2)
    for (Index i = 0; i < rows.rows; ++i)
      for (Index j = 0; j < rows.cols; ++j)
        if (rows.row(i)[j] < C(0))
          throw DataError(
              fmt::format("{}: row {}, column {} is {}, and the chi2 kernel takes no negative numbers; use {}", who,
                          i + 1, j + 1, rows.row(i)[j], set_option("kernel", "gaussian")));
  return rows;
}

template <class C>
void kernel_tile(const Kernel& kernel, const MetricRows<C>& a, Index first_a, Index m, const MetricRows<C>& b,
                 Index first_b, Index n, C* out) {
  const Index count = m * n;
  switch (kernel.kind) {
    case KernelKind::linear:
    case KernelKind::cosine:
      return products_tile(a, first_a, m, b, first_b, n, 1.0, out);
    case KernelKind::polynomial:
      products_tile(a, first_a, m, b, first_b, n, kernel.gamma, out);
      return raise_all(out, count, static_cast<C>(kernel.offset), kernel.degree);
    case KernelKind::gaussian:
      distance_tile(a, first_a, m, b, first_b, n, true, out);
      multiply_all(out, count, static_cast<C>(-kernel.gamma));
      return exp_in_place(out, count);
    case KernelKind::laplacian:
      distance_tile(a, first_a, m, b, first_b, n, false, out);
      multiply_all(out, count, static_cast<C>(-kernel.gamma));
      return exp_in_place(out, count);
    case KernelKind::sigmoid:
      products_tile(a, first_a, m, b, first_b, n, kernel.gamma, out);
      for (Index i = 0; i < count; ++i) out[i] = std::tanh(out[i] + static_cast<C>(kernel.offset));
      return;
    case KernelKind::chi2:
      for (Index i = 0; i < m; ++i) chi2_row(a.row(first_a + i), b.row(first_b), n, a.cols, out + i * n);
      multiply_all(out, count, static_cast<C>(-kernel.gamma));
      return exp_in_place(out, count);
    case KernelKind::spectrum:
    case KernelKind::precomputed:
      break;
  }
  throw Error(ErrorKind::internal, "kernel_tile: not a kernel between rows");
}

template <class C>
double kernel_diagonal(const Kernel& kernel, const MetricRows<C>& rows, Index i) {
  switch (kernel.kind) {
    case KernelKind::gaussian:
    case KernelKind::laplacian:
    case KernelKind::cosine:
    case KernelKind::chi2:
      return 1.0;
    default:
      break;
  }
  C value;
  kernel_tile(kernel, rows, i, 1, rows, i, 1, &value);
  return static_cast<double>(value);
}

template <class C>
double median_distance(const MetricRows<C>& rows, Seed seed, const Execution& exec) {
  constexpr Index kMost = 1000;
  const Index count = std::min(kMost, rows.rows);
  const auto chosen = draw_without_replacement(rows.rows, count, seed, 5'000'000);
  std::vector<double> distances(static_cast<std::size_t>(count * (count - 1) / 2));
  parallel_for(exec, count, [&](Index i) {
    for (Index j = 0; j < i; ++j)
      distances[static_cast<std::size_t>(i * (i - 1) / 2 + j)] =
          distance(rows, chosen[static_cast<std::size_t>(i)], rows, chosen[static_cast<std::size_t>(j)]);
  });
  const auto middle = distances.begin() + std::ssize(distances) / 2;
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

template <class C>
double median_distance(const MetricRows<C>& rows, Seed seed, std::string_view who, const Execution& exec) {
  if (rows.rows < 2)
    throw DataError(fmt::format("{}: the median distance needs two rows or more; give {}", who, set_option("gamma")));
  const double median = median_distance(rows, seed, exec);
  if (!(median > 0.0))
    throw DataError(fmt::format("{}: more than half of the rows are equal, so the median distance is 0; give {} or {}",
                                who, set_option("gamma"), set_option("sigma")));
  return median;
}

#define FEWDIM_INSTANTIATE(C)                                                                                      \
  template MetricRows<C> pack_rows(const Dataset&, const Kernel&, const Vector<double>&, std::string_view,         \
                                   const Execution&);                                                              \
  template void kernel_tile(const Kernel&, const MetricRows<C>&, Index, Index, const MetricRows<C>&, Index, Index, \
                            C*);                                                                                   \
  template double kernel_diagonal(const Kernel&, const MetricRows<C>&, Index);                                     \
  template double median_distance(const MetricRows<C>&, Seed, const Execution&);                                   \
  template double median_distance(const MetricRows<C>&, Seed, std::string_view, const Execution&);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
