#include "features/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/clones.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/block.hpp"
#include "data/table/checks.hpp"

namespace fewdim {

namespace {

constexpr Index kRowsPerTask = 256;

template <class C, class S>
void copy_row(const DenseView<S>& view, Index i, C* out) {
  const S* source = view.data + i * view.row_stride;
  for (Index j = 0; j < view.cols; ++j) out[j] = static_cast<C>(source[j * view.col_stride]);
}

template <class C, class S>
void copy_row(const CsrView<S>& view, Index i, C* out) {
  std::fill_n(out, view.cols, C(0));
  for (std::int64_t e = view.offsets[i]; e < view.offsets[i + 1]; ++e)
    out[view.columns[e]] = static_cast<C>(view.values[e]);
}

template <class C>
void copy_row(const Dataset& data, Index i, C* out) {
  if (const auto* v = data.dense<double>()) return copy_row(*v, i, out);
  if (const auto* v = data.dense<float>()) return copy_row(*v, i, out);
  if (const auto* v = data.sparse<double>()) return copy_row(*v, i, out);
  if (const auto* v = data.sparse<float>()) return copy_row(*v, i, out);
}

template <class C>
double mean_of(const C* row, Index cols) {
  double sum = 0.0;
  for (Index j = 0; j < cols; ++j) sum += static_cast<double>(row[j]);
  return sum / static_cast<double>(cols);
}

template <class C>
double square_of(const C* row, Index cols) {
  double sum = 0.0;
  for (Index j = 0; j < cols; ++j) sum += static_cast<double>(row[j]) * static_cast<double>(row[j]);
  return sum;
}

/// Makes one row ready; false when it has no direction.
template <class C>
bool make_ready(Metric metric, const Vector<double>& center, C* row, Index cols) {
  if (metric == Metric::euclidean) {
    for (Index j = 0; j < center.size(); ++j) row[j] = static_cast<C>(static_cast<double>(row[j]) - center[j]);
    return true;
  }
  if (metric != Metric::cosine && metric != Metric::correlation) return true;
  double largest = 0.0;
  for (Index j = 0; j < cols; ++j) largest = std::max(largest, std::abs(static_cast<double>(row[j])));
  const double mean = metric == Metric::correlation ? mean_of(row, cols) : 0.0;
  double square = 0.0;
  for (Index j = 0; j < cols; ++j) {
    const double x = static_cast<double>(row[j]) - mean;
    square += x * x;
  }
  // Equal numbers differ from their mean by rounding alone: that is no direction.
  const double length = std::sqrt(square);
  if (!(length > 1e-14 * largest * std::sqrt(static_cast<double>(cols)))) return false;
  for (Index j = 0; j < cols; ++j) row[j] = static_cast<C>((static_cast<double>(row[j]) - mean) / length);
  return true;
}

/// Eight running sums, so that every vector width adds in the same order.
constexpr Index kSums = 8;

template <class C, class Add, class Join>
__attribute__((always_inline)) inline double over_columns(const C* x, const C* y, Index cols, Add add, Join join) {
  double sums[kSums] = {};
  Index j = 0;
  for (; j + kSums <= cols; j += kSums)
    for (Index s = 0; s < kSums; ++s)
      sums[s] = add(sums[s], static_cast<double>(x[j + s]), static_cast<double>(y[j + s]));
  for (Index s = 0; j < cols; ++j, ++s) sums[s] = add(sums[s], static_cast<double>(x[j]), static_cast<double>(y[j]));
  double all = sums[0];
  for (Index s = 1; s < kSums; ++s) all = join(all, sums[s]);
  return all;
}

template <class C>
__attribute__((always_inline)) inline double by_differences(Metric metric, const C* x, const C* y, Index cols) {
  const auto plus = [](double a, double b) { return a + b; };
  switch (metric) {
    case Metric::euclidean:
      return std::sqrt(over_columns(
          x, y, cols, [](double sum, double a, double b) { return sum + (a - b) * (a - b); }, plus));
    case Metric::cosine:
    case Metric::correlation:  // of unit rows: 1 − x·y = ‖x−y‖²/2
      return 0.5 * over_columns(
                       x, y, cols, [](double sum, double a, double b) { return sum + (a - b) * (a - b); }, plus);
    case Metric::manhattan:
      return over_columns(
          x, y, cols, [](double sum, double a, double b) { return sum + std::abs(a - b); }, plus);
    case Metric::chebyshev: {
      const auto larger = [](double a, double b) { return a > b ? a : b; };
      return over_columns(
          x, y, cols, [&](double most, double a, double b) { return larger(most, std::abs(a - b)); }, larger);
    }
    case Metric::hamming:
      return over_columns(
                 x, y, cols, [](double sum, double a, double b) { return sum + (a != b ? 1.0 : 0.0); }, plus) /
             static_cast<double>(cols);
    case Metric::precomputed:
    case Metric::automatic:
      break;
  }
  return 0.0;
}

#define FEWDIM_DISTANCE_LOOPS(C)                                                                          \
  FEWDIM_CLONES double one_distance(Metric metric, const C* x, const C* y, Index cols) {                  \
    return by_differences(metric, x, y, cols);                                                            \
  }                                                                                                       \
  FEWDIM_CLONES void distance_row(Metric metric, const C* x, const C* y, Index n, Index cols, C* out) {   \
    for (Index j = 0; j < n; ++j) out[j] = static_cast<C>(by_differences(metric, x, y + j * cols, cols)); \
  }                                                                                                       \
  FEWDIM_CLONES void finish_squares(double square, const double* squares, Index n, C* out) {              \
    const C own = static_cast<C>(square);                                                                 \
    for (Index j = 0; j < n; ++j) {                                                                       \
      const C d = (own + static_cast<C>(squares[j])) + out[j];                                            \
      out[j] = d > C(0) ? d : C(0);                                                                       \
    }                                                                                                     \
  }                                                                                                       \
  FEWDIM_CLONES void finish_cosines(Index n, C* out) {                                                    \
    for (Index j = 0; j < n; ++j) out[j] = out[j] < C(1) ? C(1) - out[j] : C(0);                          \
  }                                                                                                       \
  FEWDIM_CLONES void roots_in_place(Index n, C* out) {                                                    \
    for (Index j = 0; j < n; ++j) out[j] = std::sqrt(out[j]);                                             \
  }
FEWDIM_DISTANCE_LOOPS(float)
FEWDIM_DISTANCE_LOOPS(double)
#undef FEWDIM_DISTANCE_LOOPS

}  // namespace

Vector<double> metric_center(const Dataset& data, Metric metric, const Execution& exec) {
  if (metric != Metric::euclidean || data.rows() <= 0) return {};
  const Index rows = data.rows(), cols = data.cols();
  constexpr Index kParts = 16;
  std::vector<Vector<double>> sums(kParts);
  parallel_for(exec, kParts, [&](Index part) {
    Vector<double>& sum = sums[static_cast<std::size_t>(part)];
    sum = Vector<double>::Zero(cols);
    std::vector<double> row(static_cast<std::size_t>(cols));
    for (Index i = rows * part / kParts; i < rows * (part + 1) / kParts; ++i) {
      copy_row(data, i, row.data());
      for (Index j = 0; j < cols; ++j) sum[j] += row[static_cast<std::size_t>(j)];
    }
  });
  for (std::size_t part = 1; part < sums.size(); ++part) sums[0] += sums[part];
  return sums[0] / static_cast<double>(rows);
}

bool compares_rows(Metric metric) { return metric != Metric::precomputed && metric != Metric::automatic; }

template <class C>
MetricRows<C> pack_rows(const Dataset& data, Metric metric, const Vector<double>& center, std::string_view who,
                        const Execution& exec) {
  if (!compares_rows(metric)) throw Error(ErrorKind::internal, "pack_rows: not a metric between rows");
  if (data.is_stream())
    throw Unsupported(
        fmt::format("{}: needs the rows in memory, and these arrive as a stream; use a file that fits, "
                    "or reduce it with pca first",
                    who));
  require_finite(data, who, exec);
  MetricRows<C> out{.metric = metric, .rows = data.rows(), .cols = data.cols()};
  const auto size = static_cast<std::uint64_t>(out.rows) * static_cast<std::uint64_t>(out.cols);
  require_memory(exec, size * sizeof(C), fmt::format("{}: the rows", who),
                 "reduce the columns with pca first, or take fewer rows");
  const auto values = make_large_array<C>(size);
  if (metric == Metric::euclidean) out.squares.resize(out.rows);
  const Index tasks = (out.rows + kRowsPerTask - 1) / kRowsPerTask;
  std::vector<Index> without(static_cast<std::size_t>(tasks), -1);
  parallel_for(exec, tasks, [&](Index task) {
    for (Index i = task * kRowsPerTask; i < std::min(out.rows, (task + 1) * kRowsPerTask); ++i) {
      C* row = values.get() + i * out.cols;
      copy_row(data, i, row);
      if (!make_ready(metric, center, row, out.cols) && without[static_cast<std::size_t>(task)] < 0)
        without[static_cast<std::size_t>(task)] = i;
      if (metric == Metric::euclidean) out.squares[i] = square_of(row, out.cols);
    }
  });
  for (const Index i : without)
    if (i >= 0)
      throw DataError(
          fmt::format("{}: row {}{} {}, so it has no {} distance; drop such rows, or use {}", who, i + 1,
                      data.row_names.empty() ? "" : fmt::format(" ({})", data.row_names[static_cast<std::size_t>(i)]),
                      metric == Metric::cosine ? "is all zeros" : "is constant", enum_text(metric),
                      set_option("metric", "euclidean")));
  out.values = values;
  return out;
}

template <class C>
MetricRows<C> some_rows(const MetricRows<C>& from, std::span<const std::int32_t> which) {
  MetricRows<C> out{.metric = from.metric, .rows = std::ssize(which), .cols = from.cols};
  const auto values = make_large_array<C>(static_cast<std::size_t>(out.rows * out.cols));
  if (from.squares.size() > 0) out.squares.resize(out.rows);
  for (Index i = 0; i < out.rows; ++i) {
    const Index row = which[static_cast<std::size_t>(i)];
    std::copy_n(from.row(row), out.cols, values.get() + i * out.cols);
    if (from.squares.size() > 0) out.squares[i] = from.squares[row];
  }
  out.values = values;
  return out;
}

template <class C>
void distance_tile(const MetricRows<C>& a, Index first_a, Index m, const MetricRows<C>& b, Index first_b, Index n,
                   bool squared, C* out) {
  const bool cosines = a.metric == Metric::cosine || a.metric == Metric::correlation;
  if (a.metric != Metric::euclidean && !cosines) {
    for (Index i = 0; i < m; ++i) distance_row(a.metric, a.row(first_a + i), b.row(first_b), n, a.cols, out + i * n);
    return;
  }
  blas::gemm(true, false, n, m, a.cols, cosines ? C(1) : C(-2), b.row(first_b), b.cols, a.row(first_a), a.cols, C(0),
             out, n);
  for (Index i = 0; i < m; ++i) {
    if (cosines) {
      finish_cosines(n, out + i * n);
      continue;
    }
    finish_squares(a.squares[first_a + i], b.squares.data() + first_b, n, out + i * n);
    if (!squared) roots_in_place(n, out + i * n);
  }
}

template <class C>
void square_distances(C* distances, Index count, double distance_shift, double square_shift) {
  const auto shift = static_cast<C>(distance_shift), extra = static_cast<C>(square_shift);
  for (Index i = 0; i < count; ++i) {
    const C d = distances[i];
    distances[i] = d == C(0) ? C(0) : (d + shift) * (d + shift) + extra;
  }
}

template <class C>
double distance(const MetricRows<C>& a, Index i, const MetricRows<C>& b, Index j) {
  return one_distance(a.metric, a.row(i), b.row(j), a.cols);
}

FEWDIM_CLONES void squares_by_columns(const double* columns, Index n, Index cols, const double* x, double* out) {
  for (Index i = 0; i < n; ++i) out[i] = 0.0;
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < n; ++i) {
      const double difference = x[j] - columns[j * n + i];
      out[i] += difference * difference;
    }
}

void roots_of_squares(Index n, double* out) { roots_in_place(n, out); }

#define FEWDIM_INSTANTIATE(C)                                                                                          \
  template MetricRows<C> pack_rows(const Dataset&, Metric, const Vector<double>&, std::string_view, const Execution&); \
  template MetricRows<C> some_rows(const MetricRows<C>&, std::span<const std::int32_t>);                               \
  template void distance_tile(const MetricRows<C>&, Index, Index, const MetricRows<C>&, Index, Index, bool, C*);       \
  template void square_distances(C*, Index, double, double);                                                           \
  template double distance(const MetricRows<C>&, Index, const MetricRows<C>&, Index);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
