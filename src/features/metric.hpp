#pragma once

#include <array>
#include <memory>
#include <span>

#include "base/describe.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/metric.hpp"

namespace fewdim {

template <>
struct EnumNames<Metric> {
  static constexpr std::array names{
      std::pair{Metric::euclidean, "euclidean"},     std::pair{Metric::cosine, "cosine"},
      std::pair{Metric::correlation, "correlation"}, std::pair{Metric::manhattan, "manhattan"},
      std::pair{Metric::chebyshev, "chebyshev"},     std::pair{Metric::hamming, "hamming"},
      std::pair{Metric::precomputed, "precomputed"}, std::pair{Metric::automatic, "auto"}};
};

/// Rows made ready for a metric, packed row-major: euclidean ones less a center (which changes no distance but saves
/// the digits that a large mean would cost), cosine ones of unit length, correlation ones less their own mean and of
/// unit length, others as they are.
template <class C>
struct MetricRows {
  Metric metric = Metric::euclidean;
  Index rows = 0;
  Index cols = 0;
  std::shared_ptr<const C[]> values{};
  Vector<double> squares{};  ///< ‖row‖², euclidean only

  const C* row(Index i) const { return values.get() + i * cols; }
};

/// The point that euclidean rows are packed about, the mean of the columns; empty for the other metrics. New rows must
/// be packed about the center of those they are compared with.
Vector<double> metric_center(const Dataset& data, Metric metric, const Execution& exec);

/// False for precomputed and automatic, which say where distances come from.
bool compares_rows(Metric metric);

/// Refuses streams, values that are not finite, and rows without a direction where the metric needs one. `who` is for
/// messages. Sparse rows are made dense, within the memory limit.
template <class C>
MetricRows<C> pack_rows(const Dataset& data, Metric metric, const Vector<double>& center, std::string_view who,
                        const Execution& exec);

/// Some of the rows, packed anew.
template <class C>
MetricRows<C> some_rows(const MetricRows<C>& from, std::span<const std::int32_t> which);

/// out[i·n + j] = distance of row first_a + i of `a` to row first_b + j of `b`, on this thread; euclidean ones squared
/// when `squared`. By a matrix product where the metric has one: near-equal rows then keep an error of ε‖x‖², and two
/// equal ones are not at exactly 0; where that matters, take distance().
template <class C>
void distance_tile(const MetricRows<C>& a, Index first_a, Index m, const MetricRows<C>& b, Index first_b, Index n,
                   bool squared, C* out);

/// d ← (d + distance_shift)² + square_shift for every distance that is not 0: the squares that scaling works on.
template <class C>
void square_distances(C* distances, Index count, double distance_shift, double square_shift);

/// One distance, by differences, in double: 0 for equal rows.
template <class C>
double distance(const MetricRows<C>& a, Index i, const MetricRows<C>& b, Index j);

/// Up to so many columns distance() adds one after the other, as others may do who want its bits.
inline constexpr Index kShortRow = 8;

/// Squared euclidean distances of x to n rows that lie column by column, out[i] to row i. Their roots have the bits of
/// distance() where there are at most kShortRow columns.
void squares_by_columns(const double* columns, Index n, Index cols, const double* x, double* out);
void roots_of_squares(Index n, double* out);

}  // namespace fewdim
