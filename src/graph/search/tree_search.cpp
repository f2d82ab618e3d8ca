#include "graph/search/tree_search.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "graph/search/kd_tree.hpp"

namespace fewdim {

namespace {

constexpr Index kAskingPerTask = 32, kTasksPerCheck = 64;

/// Squared euclidean distance of two boxes; D columns where that is above 0.
template <int D>
double square_between(const double* a, const double* b, Index cols) {
  double sum = 0.0;
  for (Index j = 0; j < (D > 0 ? D : cols); ++j) {
    const double gap = std::max({0.0, b[2 * j] - a[2 * j + 1], a[2 * j] - b[2 * j + 1]});
    sum += gap * gap;
  }
  return sum;
}

/// Squared radius of a euclidean ball that holds all within `bound` by the metric: |x|₂ <= |x|₁ and |x|₂² <= D|x|∞²;
/// unit rows at a cosine distance b are at the squared distance 2b.
double squared_reach(Metric metric, double bound, Index cols) {
  if (metric == Metric::cosine || metric == Metric::correlation) return 2.0 * bound;
  return metric == Metric::chebyshev ? static_cast<double>(cols) * bound * bound : bound * bound;
}

/// A little more, as sums are rounded and differences of tiny numbers may vanish.
double with_slack(double square, Index cols) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon();
  return square * (1.0 + 8.0 * (static_cast<double>(cols) + 16.0) * kUnit) + std::numeric_limits<double>::min();
}

/// A leaf of queries that looks for its neighbors among the leaves of another tree, or of the same one. The queries are
/// near each other, and so is what they look for.
struct Asking {
  const KdTree& queries;
  const KdTree& points;
  Index leaf, node;

  const double* box() const { return queries.box(node); }
  const double* numbers() const { return queries.numbers(leaf); }
  const std::int32_t* names() const { return queries.names(leaf); }
  Index count() const { return queries.count(leaf); }
  bool same(Index other) const { return &queries == &points && leaf == other; }
};

/// Offers all that may be near enough, by any metric.
template <class C, class Candidates>
class Offers {
 public:
  Offers(const MetricRows<C>& queries, const MetricRows<C>& points, Candidates& found)
      : query_rows_(queries), point_rows_(points), found_(found) {}

  void start(const Asking& asking) {
    for (Index q = 0; q < asking.count(); ++q) widen(asking, q);
    most_ = *std::max_element(reach_, reach_ + asking.count());
  }

  /// The squared distance to which it is worth looking.
  double most() const { return most_; }

  void compare(const Asking& asking, Index node, Index leaf) {
    const KdTree& points = asking.points;
    double to_box[kLeaf], squares[kLeaf];
    squares_to_box(asking.numbers(), points.box(node), points.cols(), to_box);
    for (Index q = 0; q < asking.count(); ++q) {
      if (!(to_box[q] <= reach_[q])) continue;
      squares_to_rows(asking.numbers() + q, points.numbers(leaf), points.cols(), squares);
      const std::int32_t query = asking.names()[q];
      for (Index l = 0; l < points.count(leaf); ++l) {
        if (!(squares[l] <= reach_[q]) || (asking.same(leaf) && l == q)) continue;
        const std::int32_t point = points.names(leaf)[l];
        if (found_.offer(query, {distance(query_rows_, query, point_rows_, point), point})) widen(asking, q);
      }
    }
    most_ = *std::max_element(reach_, reach_ + asking.count());
  }

  void finish(const Asking&) {}

 private:
  void widen(const Asking& asking, Index q) {
    const Index cols = point_rows_.cols;
    reach_[q] = with_slack(squared_reach(point_rows_.metric, found_.bound(asking.names()[q]), cols), cols);
  }

  const MetricRows<C>& query_rows_;
  const MetricRows<C>& point_rows_;
  Candidates& found_;
  double reach_[kLeaf] = {};  // squared, per query
  double most_ = 0.0;
};

/// The k nearest of all queries of a leaf side by side, for few neighbors by the euclidean distance in few columns. The
/// squares are those of distance() to the bit.
class NearestOfLeaf {
 public:
  static constexpr Index kMost = 32;  // neighbors

  explicit NearestOfLeaf(NearestCandidates& found) : found_(found), k_(found.k()) {}

  void start(const Asking&) {
    std::fill_n(least_, k_ * kLeaf, std::numeric_limits<double>::infinity());
    squares_.clear(), seen_.clear();
    most_ = std::numeric_limits<double>::infinity();
  }

  double most() const { return most_; }

  void compare(const Asking& asking, Index, Index leaf) {
    const Index rows = asking.points.count(leaf);
    const std::size_t before = squares_.size();
    squares_.resize(before + static_cast<std::size_t>(kLeaf * rows));
    seen_.push_back(leaf);
    put_in_place(asking.numbers(), asking.points.numbers(leaf), rows, asking.points.cols(), asking.same(leaf), k_,
                 least_, squares_.data() + before);
    const double* farthest = least_ + (k_ - 1) * kLeaf;
    most_ = with_slack(*std::max_element(farthest, farthest + asking.count()), asking.points.cols());
  }

  void finish(const Asking& asking) {
    // Different squares may have the same root, and then the lower name comes first, so a few more are looked at.
    double limit[kLeaf];
    std::int32_t names[(kMost + 1) * kLeaf], counts[kLeaf] = {};
    for (Index q = 0; q < kLeaf; ++q) limit[q] = with_slack(least_[(k_ - 1) * kLeaf + q], 0);
    const double* squares = squares_.data();
    for (const Index leaf : seen_) {
      const Index rows = asking.points.count(leaf);
      find_places(squares, asking.points.names(leaf), rows, least_, k_, limit, names, counts);
      squares += rows * kLeaf;
    }
    const unsigned tied = take_roots(k_, least_);
    for (Index q = 0; q < asking.count(); ++q) {
      if (counts[q] != k_ || (tied >> q & 1U) != 0) {
        finish_tied(asking, q, limit[q]);
        continue;
      }
      Candidate* out = found_.take_all(asking.names()[q]);
      for (Index i = 0; i < k_; ++i) out[i] = {least_[i * kLeaf + q], names[i * kLeaf + q]};
    }
  }

 private:
  void finish_tied(const Asking& asking, Index q, double limit) {
    const double* square = squares_.data() + q;
    for (const Index leaf : seen_)
      for (Index l = 0; l < asking.points.count(leaf); ++l, square += kLeaf)
        if (*square <= limit) found_.offer(asking.names()[q], {std::sqrt(*square), asking.points.names(leaf)[l]});
  }

  NearestCandidates& found_;
  Index k_;
  double most_ = 0.0;
  alignas(64) double least_[kMost * kLeaf] = {};
  std::vector<double> squares_;  // of all points compared so far, eight each
  std::vector<Index> seen_;      // their leaves
};

/// Compares with all leaves below a node that are near enough, the nearer child first.
template <int D, class Looker>
void visit(const Asking& asking, Looker& looker, Index node, Index first_leaf, Index leaves, double square) {
  if (!(square <= looker.most())) return;
  if (leaves == 1) return looker.compare(asking, node, first_leaf);
  const KdTree& points = asking.points;
  const Index left = KdTree::left_leaves(leaves), right = KdTree::right_child(node, leaves);
  const double to_left = square_between<D>(asking.box(), points.box(node + 1), points.cols()),
               to_right = square_between<D>(asking.box(), points.box(right), points.cols());
  if (to_left <= to_right) visit<D>(asking, looker, node + 1, first_leaf, left, to_left);
  visit<D>(asking, looker, right, first_leaf + left, leaves - left, to_right);
  if (!(to_left <= to_right)) visit<D>(asking, looker, node + 1, first_leaf, left, to_left);
}

template <int D, class C, class Candidates, class Looker>
void search_tree(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who, const Execution& exec,
                 Candidates& found, const Looker& fresh) {
  const bool alone = &queries == &points;
  require_memory(exec,
                 KdTree::bytes(points.rows, points.cols) + (alone ? 0 : KdTree::bytes(queries.rows, queries.cols)),
                 fmt::format("{}: the rows in the order of a tree", who), "use " + set_option("search", "products"));
  const KdTree tree(points, exec);
  std::optional<KdTree> own;
  if (!alone) own.emplace(queries, exec);
  const KdTree& asking = alone ? tree : *own;
  const std::vector<Index> nodes = asking.leaf_nodes();
  const Index tasks = (asking.leaves() + kAskingPerTask - 1) / kAskingPerTask;
  for (Index first = 0; first < tasks; first += kTasksPerCheck) {
    const Index count = std::min(kTasksPerCheck, tasks - first);
    parallel_for(exec, count, [&](Index task) {
      const Index begin = (first + task) * kAskingPerTask, end = std::min(asking.leaves(), begin + kAskingPerTask);
      Looker looker = fresh;
      for (Index leaf = begin; leaf < end; ++leaf) {
        const Asking one{asking, tree, leaf, nodes[static_cast<std::size_t>(leaf)]};
        looker.start(one);
        visit<D>(one, looker, 0, 0, tree.leaves(), square_between<D>(one.box(), tree.box(0), tree.cols()));
        looker.finish(one);
      }
    });
    require_memory(exec, found.bytes(), fmt::format("{}: the neighbors within the radius", who),
                   lower_option("radius"));
    report_progress(exec, "neighbors", std::min(queries.rows, (first + count) * kAskingPerTask * kLeaf), queries.rows,
                    "rows");
  }
}

}  // namespace

bool has_tree(Metric metric) { return metric != Metric::hamming; }

template <class C, class Candidates>
void search_by_tree(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who,
                    const Execution& exec, Candidates& found) {
  if constexpr (std::is_same_v<Candidates, NearestCandidates>)
    if (points.metric == Metric::euclidean && points.cols <= kShortRow && found.k() <= NearestOfLeaf::kMost) {
      const NearestOfLeaf nearest(found);
      // Where the compiler knows the number of columns, it leaves no loop over them.
      if (points.cols == 2) return search_tree<2>(queries, points, who, exec, found, nearest);
      if (points.cols == 3) return search_tree<3>(queries, points, who, exec, found, nearest);
      return search_tree<0>(queries, points, who, exec, found, nearest);
    }
  search_tree<0>(queries, points, who, exec, found, Offers<C, Candidates>(queries, points, found));
}

#define FEWDIM_INSTANTIATE(C, Candidates)                                                                      \
  template void search_by_tree(const MetricRows<C>&, const MetricRows<C>&, std::string_view, const Execution&, \
                               Candidates&);
FEWDIM_INSTANTIATE(float, NearestCandidates)
FEWDIM_INSTANTIATE(double, NearestCandidates)
FEWDIM_INSTANTIATE(float, RadiusCandidates)
FEWDIM_INSTANTIATE(double, RadiusCandidates)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
