#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "features/metric.hpp"
#include "fewdim/neighborhood.hpp"

namespace fewdim {

template <>
struct EnumNames<NeighborSearch> {
  static constexpr std::array names{
      std::pair{NeighborSearch::automatic, "auto"}, std::pair{NeighborSearch::tree, "tree"},
      std::pair{NeighborSearch::products, "products"}, std::pair{NeighborSearch::approximate, "approximate"}};
};

/// The neighbors of row i are the entries offsets[i] .. offsets[i+1] − 1, nearest first; of two at the same distance
/// the lower index comes first, so that there is one right answer. Distances are taken by differences, in double:
/// duplicates are at exactly 0.
struct NeighborLists {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> indices{};
  std::vector<double> distances{};

  Index rows() const { return std::ssize(offsets) - 1; }
  std::int64_t count() const { return offsets.back(); }
};

/// How a search was done, for the report.
struct SearchTrace {
  NeighborSearch search = NeighborSearch::products;
  double recall = 1.0;    ///< share of the true neighbors found, over `recall_rows` rows
  Index recall_rows = 0;  ///< 0: exact, nothing to measure
};

/// The k nearest of `points` to each row of `queries`. Throws InvalidOption unless 1 <= k <= points.rows. `who` is for
/// messages.
template <class C>
NeighborLists nearest_neighbors(const MetricRows<C>& queries, const MetricRows<C>& points, Index k,
                                NeighborSearch search, std::string_view who, const Execution& exec,
                                SearchTrace* trace = nullptr);

/// The k nearest of the other rows to each row; k < rows.
template <class C>
NeighborLists nearest_neighbors(const MetricRows<C>& points, Index k, NeighborSearch search, std::string_view who,
                                const Execution& exec, SearchTrace* trace = nullptr);

/// All rows of `points` at most `radius` from each row of `queries`; a list may be empty. Throws OverMemory when the
/// lists outgrow the limit, and Unsupported for the approximate search.
template <class C>
NeighborLists neighbors_within(const MetricRows<C>& queries, const MetricRows<C>& points, double radius,
                               NeighborSearch search, std::string_view who, const Execution& exec);

/// All other rows at most `radius` from each row.
template <class C>
NeighborLists neighbors_within(const MetricRows<C>& points, double radius, NeighborSearch search, std::string_view who,
                               const Execution& exec);

/// Tree or products, as measured; the table is beside the definition.
NeighborSearch choose_search(Metric metric, Index cols);

}  // namespace fewdim
