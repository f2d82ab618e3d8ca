#include "graph/search/approximate_search.hpp"

#include <fmt/format.h>

#define NO_MANUAL_VECTORIZATION  // its own kernels differ in bits between machines, and leave names in the open
#include <hnswlib/hnswlib.h>

#include <cmath>

#include "base/clones.hpp"
#include "base/memory.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "graph/search/candidates.hpp"
#include "graph/search/product_search.hpp"

namespace fewdim {

namespace {

constexpr std::size_t kLinks = 16, kBuildWidth = 200, kGraphSeed = 100;
constexpr Index kRecallRows = 256, kQueriesPerTask = 64, kInsertsPerReport = 1024;

/// ‖x−y‖² by 16 running sums, so that every vector width adds in the same order.
FEWDIM_CLONES float squared_distance(const float* x, const float* y, std::size_t cols) {
  constexpr std::size_t sums = 16;
  float sum[sums] = {};
  std::size_t j = 0;
  for (; j + sums <= cols; j += sums)
    for (std::size_t s = 0; s < sums; ++s) sum[s] += (x[j + s] - y[j + s]) * (x[j + s] - y[j + s]);
  for (std::size_t s = 0; j < cols; ++j, ++s) sum[s] += (x[j] - y[j]) * (x[j] - y[j]);
  float all = 0.0F;
  for (std::size_t s = 0; s < sums; ++s) all += sum[s];
  return all;
}

class Space : public hnswlib::SpaceInterface<float> {
 public:
  explicit Space(Index cols) : cols_(static_cast<std::size_t>(cols)) {}
  std::size_t get_data_size() override { return cols_ * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override {
    return [](const void* x, const void* y, const void* cols) {
      return squared_distance(static_cast<const float*>(x), static_cast<const float*>(y),
                              *static_cast<const std::size_t*>(cols));
    };
  }
  void* get_dist_func_param() override { return &cols_; }

 private:
  std::size_t cols_;
};

template <class C>
void to_float(const MetricRows<C>& rows, Index i, std::vector<float>& out) {
  for (Index j = 0; j < rows.cols; ++j) out[static_cast<std::size_t>(j)] = static_cast<float>(rows.row(i)[j]);
}

/// Exact neighbors of some queries; one more than k when a query is among the points, as it finds itself.
template <class C>
NeighborLists exact_of(const MetricRows<C>& queries, const MetricRows<C>& points,
                       const std::vector<std::int32_t>& which, Index k, std::string_view who, const Execution& exec) {
  const bool alone = &queries == &points;
  const MetricRows<C> chosen = some_rows(queries, which);
  NearestCandidates found(chosen.rows, alone ? k + 1 : k);
  search_by_products(chosen, points, who, exec, found);
  const NeighborLists all = found.finish(exec);
  NearestCandidates others(chosen.rows, k);
  for (Index i = 0; i < chosen.rows; ++i)
    for (auto e = static_cast<std::size_t>(all.offsets[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(all.offsets[static_cast<std::size_t>(i) + 1]); ++e)
      if (!alone || all.indices[e] != which[static_cast<std::size_t>(i)])
        others.offer(i, {all.distances[e], all.indices[e]});
  return others.finish(exec);
}

/// Share of neighbors no farther than the true k-th, over a sample of rows.
double recall_of(const NeighborLists& lists, const NeighborLists& exact, const std::vector<std::int32_t>& which,
                 Index k) {
  Index right = 0;
  for (std::size_t s = 0; s < which.size(); ++s) {
    const double farthest = exact.distances[(s + 1) * static_cast<std::size_t>(k) - 1];
    const auto row = static_cast<std::size_t>(which[s]);
    for (auto e = lists.offsets[row]; e < lists.offsets[row + 1]; ++e)
      if (lists.distances[static_cast<std::size_t>(e)] <= farthest) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(std::ssize(which) * k);
}

}  // namespace

template <class C>
NeighborLists search_approximately(const MetricRows<C>& queries, const MetricRows<C>& points, Index k,
                                   std::string_view who, const Execution& exec, SearchTrace& trace) {
  if (points.metric != Metric::euclidean && points.metric != Metric::cosine && points.metric != Metric::correlation)
    throw Unsupported(fmt::format("{}: the approximate search knows no {} distance; use {}", who,
                                  enum_text(points.metric), set_option("search", "auto")));
  const auto n = static_cast<std::size_t>(points.rows);
  require_memory(exec, n * (static_cast<std::size_t>(points.cols) * 4 + kLinks * 12 + 120),
                 fmt::format("{}: the search graph", who), "use " + set_option("search", "auto"));
  Space space(points.cols);
  hnswlib::HierarchicalNSW<float> graph(&space, n, kLinks, kBuildWidth, kGraphSeed);
  std::vector<float> row(static_cast<std::size_t>(points.cols));
  for (Index i = 0; i < points.rows; ++i) {
    to_float(points, i, row);
    graph.addPoint(row.data(), static_cast<std::size_t>(i));
    if (i % kInsertsPerReport == 0) report_progress(exec, "search graph", i, points.rows, "rows");
  }
  graph.setEf(static_cast<std::size_t>(std::max<Index>(100, 2 * k + 1)));

  const bool alone = &queries == &points;
  NearestCandidates found(queries.rows, k);
  std::vector<std::uint8_t> complete(static_cast<std::size_t>(queries.rows), 0);
  parallel_for(exec, (queries.rows + kQueriesPerTask - 1) / kQueriesPerTask, [&](Index task) {
    std::vector<float> query(static_cast<std::size_t>(points.cols));
    for (Index i = task * kQueriesPerTask; i < std::min(queries.rows, (task + 1) * kQueriesPerTask); ++i) {
      to_float(queries, i, query);
      auto nearest = graph.searchKnn(query.data(), static_cast<std::size_t>(alone ? k + 1 : k));
      for (; !nearest.empty(); nearest.pop()) {
        const auto j = static_cast<std::int32_t>(nearest.top().second);
        if (!alone || j != i) found.offer(i, {distance(queries, i, points, j), j});
      }
      complete[static_cast<std::size_t>(i)] = std::isfinite(found.bound(i)) ? 1 : 0;
    }
  });
  std::vector<std::int32_t> wanting;
  for (std::size_t i = 0; i < complete.size(); ++i)
    if (complete[i] == 0) wanting.push_back(static_cast<std::int32_t>(i));
  if (!wanting.empty()) {
    const NeighborLists exact = exact_of(queries, points, wanting, k, who, exec);
    for (std::size_t s = 0; s < wanting.size(); ++s) {
      found.clear(wanting[s]);
      for (auto e = s * static_cast<std::size_t>(k); e < (s + 1) * static_cast<std::size_t>(k); ++e)
        found.offer(wanting[s], {exact.distances[e], exact.indices[e]});
    }
  }
  const NeighborLists lists = found.finish(exec);

  std::vector<std::int32_t> sample;
  const Random random(kGraphSeed, 0);
  for (Index s = 0; s < std::min(kRecallRows, queries.rows); ++s)
    sample.push_back(static_cast<std::int32_t>(
        queries.rows <= kRecallRows
            ? static_cast<std::uint64_t>(s)
            : random.below(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(queries.rows))));
  trace.recall = recall_of(lists, exact_of(queries, points, sample, k, who, exec), sample, k);
  trace.recall_rows = std::ssize(sample);
  return lists;
}

template NeighborLists search_approximately(const MetricRows<float>&, const MetricRows<float>&, Index, std::string_view,
                                            const Execution&, SearchTrace&);
template NeighborLists search_approximately(const MetricRows<double>&, const MetricRows<double>&, Index,
                                            std::string_view, const Execution&, SearchTrace&);

}  // namespace fewdim
