#include "graph/tree_search.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nanoflann.hpp>
#include <numeric>
#include <vector>

#include "base/memory.hpp"

namespace fewdim {

namespace {

constexpr Index kQueriesPerTask = 256, kTasksPerCheck = 64;

/// Rows as nanoflann wants to see them.
template <class C>
struct Points {
  const C* values;
  Index rows, cols;
  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(rows); }
  C kdtree_get_pt(std::size_t i, std::size_t j) const {
    return values[static_cast<Index>(i) * cols + static_cast<Index>(j)];
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// A tree over rows of D columns, which are copied in the order of its leaves: a search reads them one after the other.
template <class C, int D>
class Tree {
 public:
  explicit Tree(const MetricRows<C>& rows)
      : points_{rows.values.get(), rows.rows, rows.cols},
        tree_(static_cast<std::int32_t>(rows.cols), points_, nanoflann::KDTreeSingleIndexAdaptorParams(kLeaf)) {
    order_.assign(tree_.vAcc.begin(), tree_.vAcc.end());
    copy_ = some_rows(rows, order_);
    points_.values = copy_.values.get();
    std::iota(tree_.vAcc.begin(), tree_.vAcc.end(), 0);
  }
  Tree(const Tree&) = delete;

  /// The row at a place in the tree.
  std::int32_t original(Index place) const { return order_[static_cast<std::size_t>(place)]; }
  const C* row(Index place) const { return copy_.row(place); }

  template <class Result>
  void search(Result& result, const C* query) const {
    tree_.findNeighbors(result, query, nanoflann::SearchParams());
  }

 private:
  static constexpr std::size_t kLeaf = 12;

  Points<C> points_;
  nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<C, Points<C>, double, std::int32_t>, Points<C>, D,
                                      std::int32_t>
      tree_;
  std::vector<std::int32_t> order_;
  MetricRows<C> copy_;
};

/// Squared radius of a euclidean ball that holds all within `bound` by the metric: |x|₂ <= |x|₁ and |x|₂² <= D|x|∞²;
/// unit rows at a cosine distance b are at the squared distance 2b.
double squared_reach(Metric metric, double bound, Index cols) {
  if (metric == Metric::cosine || metric == Metric::correlation) return 2.0 * bound;
  return metric == Metric::chebyshev ? static_cast<double>(cols) * bound * bound : bound * bound;
}

/// What nanoflann fills: it measures by its own rounding, so it is told a slightly larger reach, and each point that it
/// brings is measured again.
template <class C, int D, class Candidates>
class Result {
 public:
  using DistanceType = double;

  Result(const Tree<C, D>& tree, const MetricRows<C>& queries, const MetricRows<C>& points, Candidates& found,
         Index query, const C* row)
      : tree_(tree), queries_(queries), points_(points), found_(found), query_(query), row_(row) {
    widen();
  }

  bool full() const { return true; }
  double worstDist() const { return reach_; }
  bool addPoint(double, std::int32_t place) {
    const std::int32_t i = tree_.original(place);
    if (&queries_ == &points_ && i == query_) return true;
    if (found_.offer(query_, {exact(place, i), i})) widen();
    return true;
  }

 private:
  double exact(std::int32_t place, std::int32_t i) const {
    if constexpr (D > 0)
      if (points_.metric == Metric::euclidean) return short_distance<D>(row_, tree_.row(place));
    return distance(queries_, query_, points_, i);
  }

  void widen() {
    const double unit = static_cast<double>(std::numeric_limits<C>::epsilon());
    const double slack = 1.0 + 8.0 * (static_cast<double>(points_.cols) + 16.0) * unit;
    // Differences of tiny numbers may round by the least that C can hold; and a point at 0 must be less than the reach.
    const double least = static_cast<double>(std::numeric_limits<C>::min());
    reach_ = squared_reach(points_.metric, found_.bound(query_), points_.cols) * slack + least;
  }

  const Tree<C, D>& tree_;
  const MetricRows<C>& queries_;
  const MetricRows<C>& points_;
  Candidates& found_;
  Index query_;
  const C* row_;  // of the query, near the others
  double reach_ = 0.0;
};

template <int D, class C, class Candidates>
void search(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who, const Execution& exec,
            Candidates& found) {
  const auto numbers = static_cast<std::uint64_t>(points.rows) * static_cast<std::uint64_t>(points.cols);
  require_memory(exec, numbers * sizeof(C), fmt::format("{}: the rows in the order of a tree", who),
                 "use --search products");
  const Tree<C, D> tree(points);
  const bool alone = &queries == &points;
  const Index tasks = (queries.rows + kQueriesPerTask - 1) / kQueriesPerTask;
  for (Index first = 0; first < tasks; first += kTasksPerCheck) {
    const Index count = std::min(kTasksPerCheck, tasks - first);
    parallel_for(exec, count, [&](Index task) {
      const Index begin = (first + task) * kQueriesPerTask, end = std::min(queries.rows, begin + kQueriesPerTask);
      for (Index at = begin; at < end; ++at) {
        // In the tree's own order, neighbors follow each other and their leaves are warm.
        const Index query = alone ? tree.original(at) : at;
        const C* row = alone ? tree.row(at) : queries.row(at);
        Result<C, D, Candidates> result(tree, queries, points, found, query, row);
        tree.search(result, row);
      }
    });
    require_memory(exec, found.bytes(), fmt::format("{}: the neighbors within the radius", who), "lower the radius");
    report_progress(exec, "neighbors", std::min(queries.rows, (first + count) * kQueriesPerTask), queries.rows, "rows");
  }
}

}  // namespace

bool has_tree(Metric metric) { return metric != Metric::hamming; }

template <class C, class Candidates>
void search_by_tree(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who,
                    const Execution& exec, Candidates& found) {
  // Where the compiler knows the number of columns, it leaves no loop over them.
  switch (points.cols) {
    case 2:
      return search<2>(queries, points, who, exec, found);
    case 3:
      return search<3>(queries, points, who, exec, found);
    default:
      return search<-1>(queries, points, who, exec, found);
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
