#include "graph/tree_search.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nanoflann.hpp>

#include "base/memory.hpp"

namespace fewdim {

namespace {

constexpr Index kQueriesPerTask = 256, kTasksPerCheck = 64;

/// Rows as nanoflann wants to see them.
template <class C>
struct Points {
  const MetricRows<C>& rows;
  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(rows.rows); }
  C kdtree_get_pt(std::size_t i, std::size_t j) const { return rows.row(static_cast<Index>(i))[j]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

template <class C>
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<C, Points<C>, double, std::int32_t>,
                                                 Points<C>, -1, std::int32_t>;

/// Squared radius of a euclidean ball that holds all within `bound` by the metric: |x|₂ <= |x|₁ and |x|₂² <= D|x|∞²;
/// unit rows at a cosine distance b are at the squared distance 2b.
double squared_reach(Metric metric, double bound, Index cols) {
  if (metric == Metric::cosine || metric == Metric::correlation) return 2.0 * bound;
  return metric == Metric::chebyshev ? static_cast<double>(cols) * bound * bound : bound * bound;
}

/// What nanoflann fills: it measures by its own rounding, so it is told a slightly larger reach, and each point that it
/// brings is measured again by distance().
template <class C, class Candidates>
class Result {
 public:
  using DistanceType = double;

  Result(const MetricRows<C>& queries, const MetricRows<C>& points, Candidates& found, Index query)
      : queries_(queries), points_(points), found_(found), query_(query) {
    widen();
  }

  bool full() const { return true; }
  double worstDist() const { return reach_; }
  bool addPoint(double, std::int32_t i) {
    if (&queries_ == &points_ && i == query_) return true;
    if (found_.offer(query_, {distance(queries_, query_, points_, i), i})) widen();
    return true;
  }

 private:
  void widen() {
    const double unit = static_cast<double>(std::numeric_limits<C>::epsilon());
    const double slack = 1.0 + 8.0 * (static_cast<double>(points_.cols) + 16.0) * unit;
    // Differences of tiny numbers may round by the least that C can hold; and a point at 0 must be less than the reach.
    const double least = static_cast<double>(std::numeric_limits<C>::min());
    reach_ = squared_reach(points_.metric, found_.bound(query_), points_.cols) * slack + least;
  }

  const MetricRows<C>& queries_;
  const MetricRows<C>& points_;
  Candidates& found_;
  Index query_;
  double reach_ = 0.0;
};

}  // namespace

bool has_tree(Metric metric) { return metric != Metric::hamming; }

template <class C, class Candidates>
void search_by_tree(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who,
                    const Execution& exec, Candidates& found) {
  const Points<C> adaptor{points};
  const Tree<C> tree(static_cast<std::int32_t>(points.cols), adaptor, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  const bool alone = &queries == &points;
  const Index tasks = (queries.rows + kQueriesPerTask - 1) / kQueriesPerTask;
  for (Index first = 0; first < tasks; first += kTasksPerCheck) {
    const Index count = std::min(kTasksPerCheck, tasks - first);
    parallel_for(exec, count, [&](Index task) {
      const Index begin = (first + task) * kQueriesPerTask, end = std::min(queries.rows, begin + kQueriesPerTask);
      for (Index at = begin; at < end; ++at) {
        // In the tree's own order, neighbors follow each other and their leaves are warm.
        const Index query = alone ? tree.vAcc[static_cast<std::size_t>(at)] : at;
        Result<C, Candidates> result(queries, points, found, query);
        tree.findNeighbors(result, queries.row(query), nanoflann::SearchParams());
      }
    });
    require_memory(exec, found.bytes(), fmt::format("{}: the neighbors within the radius", who), "lower the radius");
    report_progress(exec, "neighbors", std::min(queries.rows, (first + count) * kQueriesPerTask), queries.rows, "rows");
  }
}

#define FEWDIM_INSTANTIATE(C, Candidates)                                                                      \
  template void search_by_tree(const MetricRows<C>&, const MetricRows<C>&, std::string_view, const Execution&, \
                               Candidates&);
FEWDIM_INSTANTIATE(float, NearestCandidates)
FEWDIM_INSTANTIATE(double, NearestCandidates)
FEWDIM_INSTANTIATE(float, RadiusCandidates)
FEWDIM_INSTANTIATE(double, RadiusCandidates)

}  // namespace fewdim
