#include "graph/search/neighbors.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "graph/search/approximate_search.hpp"
#include "graph/search/product_search.hpp"
#include "graph/search/tree_search.hpp"

namespace fewdim {

// Seconds for k = 10, euclidean, normal float32 data on 2 threads of a 2-core machine (AVX-512), tree | products:
//   columns         2               3               5               6               8
//    1,000   0.0006 | 0.0035  0.0008 | 0.0033  0.0016 | 0.0031  0.0017 | 0.0027  0.0020 | 0.0028
//    5,000   0.0016 | 0.016   0.0036 | 0.017    0.019 | 0.018    0.031 | 0.018    0.044 | 0.018
//   20,000   0.0063 | 0.093    0.014 | 0.10     0.099 | 0.11      0.24 | 0.12      0.62 | 0.13
//  100,000    0.051 | 1.2      0.078 | 1.3       0.61 | 1.4       1.8  | 1.5      10    | 1.6
// So the tree wins up to 5 columns, and loses from 6 on. Data near a surface of few dimensions is kinder to the tree
// than this; the rule looks at shapes alone, so that it is the same for all data.
NeighborSearch choose_search(Metric metric, Index cols) {
  constexpr Index tree_columns = 5;
  return has_tree(metric) && cols <= tree_columns ? NeighborSearch::tree : NeighborSearch::products;
}

namespace {

void require_int32(Index rows, std::string_view who) {
  if (rows <= std::numeric_limits<std::int32_t>::max()) return;
  throw Unsupported(
      fmt::format("{}: {} rows are more than 2147483647, the most that a neighbor search numbers; take "
                  "a sample of the rows",
                  who, rows));
}

/// Whether squares in C are far from overflow: the tree and the approximate search take them.
template <class C>
bool squares_fit(const MetricRows<C>& rows) {
  const C most = sizeof(C) == 4 ? C(1e17) : C(1e150);
  for (Index e = 0; e < rows.rows * rows.cols; ++e)
    if (!(std::abs(rows.values[e]) < most)) return false;
  return true;
}

template <class C>
NeighborSearch resolve(const MetricRows<C>& queries, const MetricRows<C>& points, NeighborSearch search,
                       std::string_view who) {
  require_int32(points.rows, who);
  require_int32(queries.rows, who);
  if (queries.metric != points.metric || queries.cols != points.cols)
    throw Error(ErrorKind::internal, fmt::format("{}: queries and points are packed for different metrics", who));
  if (search == NeighborSearch::automatic) search = choose_search(points.metric, points.cols);
  if (search == NeighborSearch::tree && !has_tree(points.metric))
    throw Unsupported(fmt::format("{}: a tree can't search by {} distance; use {}", who, enum_text(points.metric),
                                  set_option("search", "products")));
  if (search == NeighborSearch::products || (squares_fit(points) && squares_fit(queries))) return search;
  return NeighborSearch::products;
}

template <class C, class Candidates>
void search_exactly(const MetricRows<C>& queries, const MetricRows<C>& points, NeighborSearch search,
                    std::string_view who, const Execution& exec, Candidates& found) {
  if (search == NeighborSearch::tree) return search_by_tree(queries, points, who, exec, found);
  search_by_products(queries, points, who, exec, found);
}

}  // namespace

template <class C>
NeighborLists nearest_neighbors(const MetricRows<C>& queries, const MetricRows<C>& points, Index k,
                                NeighborSearch search, std::string_view who, const Execution& exec,
                                SearchTrace* trace) {
  const bool alone = &queries == &points;
  const Index most = alone ? points.rows - 1 : points.rows;
  if (most < 1)
    throw DataError(fmt::format("{}: {} row{} of data {} no neighbors; at least 2 rows are needed", who, points.rows,
                                points.rows == 1 ? "" : "s", points.rows == 1 ? "has" : "have"));
  if (k < 1 || k > most)
    throw InvalidOption(who, "neighbors", std::to_string(k), fmt::format("must be between 1 and {}", most),
                        k < 1 ? raise_option("neighbors")
                              : fmt::format("there are {} rows; {}", points.rows, lower_option("neighbors")),
                        k < 1 ? ErrorKind::usage : ErrorKind::data);
  search = resolve(queries, points, search, who);
  const auto entries = static_cast<std::uint64_t>(queries.rows) * static_cast<std::uint64_t>(k);
  require_memory(exec, entries * (sizeof(Candidate) + sizeof(double) + sizeof(std::int32_t)),
                 fmt::format("{}: {} neighbors of {} rows", who, k, queries.rows), lower_option("neighbors"));
  SearchTrace local{.search = search};
  NeighborLists lists;
  if (search == NeighborSearch::approximate) {
    lists = search_approximately(queries, points, k, who, exec, local);
  } else {
    NearestCandidates found(queries.rows, k);
    search_exactly(queries, points, search, who, exec, found);
    lists = found.finish(exec);
  }
  if (trace != nullptr) *trace = local;
  return lists;
}

template <class C>
NeighborLists nearest_neighbors(const MetricRows<C>& points, Index k, NeighborSearch search, std::string_view who,
                                const Execution& exec, SearchTrace* trace) {
  return nearest_neighbors(points, points, k, search, who, exec, trace);
}

template <class C>
NeighborLists neighbors_within(const MetricRows<C>& queries, const MetricRows<C>& points, double radius,
                               NeighborSearch search, std::string_view who, const Execution& exec) {
  if (!(radius > 0.0) || !std::isfinite(radius))
    throw InvalidOption(who, "radius", fmt::format("{}", radius), "must be a number above 0",
                        "take the distance that neighbors have");
  search = resolve(queries, points, search, who);
  if (search == NeighborSearch::approximate)
    throw Unsupported(fmt::format("{}: the approximate search finds k nearest, not all within a radius; use {}, or {}",
                                  who, set_option("neighbors"), set_option("search", "auto")));
  RadiusCandidates found(queries.rows, radius);
  search_exactly(queries, points, search, who, exec, found);
  return found.finish(exec);
}

template <class C>
NeighborLists neighbors_within(const MetricRows<C>& points, double radius, NeighborSearch search, std::string_view who,
                               const Execution& exec) {
  return neighbors_within(points, points, radius, search, who, exec);
}

#define FEWDIM_INSTANTIATE(C)                                                                                 \
  template NeighborLists nearest_neighbors(const MetricRows<C>&, const MetricRows<C>&, Index, NeighborSearch, \
                                           std::string_view, const Execution&, SearchTrace*);                 \
  template NeighborLists nearest_neighbors(const MetricRows<C>&, Index, NeighborSearch, std::string_view,     \
                                           const Execution&, SearchTrace*);                                   \
  template NeighborLists neighbors_within(const MetricRows<C>&, const MetricRows<C>&, double, NeighborSearch, \
                                          std::string_view, const Execution&);                                \
  template NeighborLists neighbors_within(const MetricRows<C>&, double, NeighborSearch, std::string_view,     \
                                          const Execution&);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
