#include "graph/search/product_search.hpp"

#include <fmt/format.h>

#include <mutex>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "data/table/block.hpp"
#include "graph/search/tile_scan.hpp"

namespace fewdim {

namespace {

constexpr Index kBlock = 512;  // a tile of floats is 1 MiB: half of a core's L2 cache on the machine measured

bool has_product(Metric metric) {
  return metric == Metric::euclidean || metric == Metric::cosine || metric == Metric::correlation;
}

/// Tiles that tasks borrow: fresh memory for each would cost as much as the product.
template <class C>
class TilePool {
 public:
  std::shared_ptr<C[]> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      auto tile = make_large_array<C>(kBlock * kBlock);
      std::fill_n(tile.get(), kBlock * kBlock, C(0));
      return tile;
    }
    auto tile = std::move(free_.back());
    free_.pop_back();
    return tile;
  }
  void give_back(std::shared_ptr<C[]> tile) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(tile));
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<C[]>> free_;
};

/// The numbers of one side that turn an entry v of a tile into a test.
///
/// With products v = −2x·y, computed with an error below 2(D+2)u‖x‖‖y‖ (u half the spacing of numbers at 1), the
/// squared distance is at least v + (1−ε)‖x‖² + (1−ε)‖y‖² with ε = 4(D+16)u, which also has room for the rounding of
/// the test itself and of distance(). So x may be within b of y only if v + low(y) <= b² − low(x), low(x) = (1−ε)‖x‖².
/// Without products v is the distance, rounded once: low is 0, and the limit b with room for that.
template <class C>
struct Side {
  std::vector<C> low{};
  std::vector<C> limit{};
};

template <class C, class Candidates>
class Search {
 public:
  Search(const MetricRows<C>& queries, const MetricRows<C>& points, Candidates& found)
      : queries_(queries), points_(points), found_(found), never_(kBlock, std::numeric_limits<C>::lowest()) {
    slack_ = 4.0 * (static_cast<double>(points.cols) + 16.0) * kUnit;
    products_ = has_product(points.metric);
    double largest = 0.0;
    query_squares_ = squares_of(queries, largest);
    if (!alone()) point_squares_ = squares_of(points, largest);
    // Where squares overflow (or nearly), products say nothing: every pair is measured.
    overflow_ = products_ && !(largest < static_cast<double>(std::numeric_limits<C>::max()) / 16.0);
    fill(query_side_, query_squares_, queries.rows);
    if (!alone()) fill(point_side_, point_squares_, points.rows);
    for (Index i = 0; i < queries.rows; ++i) tighten(i);
  }

  bool alone() const { return &queries_ == &points_; }

  /// Rows of block p of the queries against block q of the points; both ways when they are one set.
  void tile(Index p, Index q) {
    const Index first = p * kBlock, m = std::min(kBlock, queries_.rows - first);
    const Index other = q * kBlock, n = std::min(kBlock, points_.rows - other);
    const auto values = pool_.take();
    compute(first, m, other, n, values.get());
    const bool diagonal = alone() && p == q, both = alone() && p != q;
    Side<C>& columns = alone() ? query_side_ : point_side_;
    const C* limit = both ? columns.limit.data() + other : never_.data();
    std::int32_t hits[kBlock];
    for (Index i = first; i < first + m; ++i) {
      const C* row = values.get() + (i - first) * kBlock;
      const C own = query_side_.low[static_cast<std::size_t>(i)];
      const C* add = columns.low.data() + other;
      const C& row_limit = query_side_.limit[static_cast<std::size_t>(i)];
      const Index count = scan_row(row, n, add, limit, row_limit, own, hits);
      for (Index h = 0; h < count; ++h) {
        const Index at = hits[h], j = other + at;
        const bool for_row = row[at] + add[at] <= row_limit && !(diagonal && i == j) &&  // limits fall on the way
                             found_.wants(i, static_cast<std::int32_t>(j));
        const bool for_column = row[at] + own <= limit[at];
        if (!for_row && !for_column) continue;
        const double d = distance(queries_, i, points_, j);
        if (for_row && found_.offer(i, {d, static_cast<std::int32_t>(j)})) tighten(i);
        if (for_column && found_.offer(j, {d, static_cast<std::int32_t>(i)})) tighten(j);
      }
    }
    pool_.give_back(values);
  }

 private:
  static constexpr double kUnit = static_cast<double>(std::numeric_limits<C>::epsilon()) / 2.0;

  std::vector<double> squares_of(const MetricRows<C>& rows, double& largest) const {
    std::vector<double> out(static_cast<std::size_t>(products_ ? rows.rows : 0));
    for (Index i = 0; i < std::ssize(out); ++i) {
      double sum = 0.0;
      for (Index j = 0; j < rows.cols; ++j) {
        const auto x = static_cast<double>(rows.row(i)[j]);
        sum += x * x;
      }
      out[static_cast<std::size_t>(i)] = sum;
      largest = std::max(largest, sum);
    }
    return out;
  }

  void fill(Side<C>& side, const std::vector<double>& squares, Index rows) const {
    const auto room = static_cast<std::size_t>(rows + kScanGroup);
    side.limit.assign(room, std::numeric_limits<C>::lowest());
    side.low.assign(room, std::numeric_limits<C>::infinity());  // past the end: never passes, as limits are finite
    for (Index i = 0; i < rows; ++i)
      side.low[static_cast<std::size_t>(i)] =
          products_ && !overflow_ ? static_cast<C>(squares[static_cast<std::size_t>(i)] * (1.0 - slack_)) : C(0);
  }

  /// Sets the limit of a query from its bound.
  void tighten(Index i) {
    const auto at = static_cast<std::size_t>(i);
    const double bound = found_.bound(i);
    double limit = bound;
    if (products_ && points_.metric == Metric::euclidean) limit = bound * bound;
    if (products_ && points_.metric != Metric::euclidean) limit = 2.0 * bound;  // of unit rows: ‖x−y‖² = 2(1−x·y)
    limit *= 1.0 + slack_;
    if (products_) limit -= query_squares_[at] * (1.0 - slack_);
    if (products_) limit += slack_ * query_squares_[at] + static_cast<double>(std::numeric_limits<C>::min());
    const auto most = static_cast<double>(std::numeric_limits<C>::max());
    query_side_.limit[at] = overflow_ || !(limit < most) ? std::numeric_limits<C>::max() : static_cast<C>(limit);
  }

  void compute(Index first, Index m, Index other, Index n, C* out) const {
    if (overflow_) return;  // the zeros that a tile starts with
    if (products_) {
      blas::gemm(true, false, n, m, points_.cols, C(-2), points_.row(other), points_.cols, queries_.row(first),
                 queries_.cols, C(0), out, kBlock);
      return;
    }
    for (Index i = 0; i < m; ++i) distance_tile(queries_, first + i, 1, points_, other, n, false, out + i * kBlock);
  }

  const MetricRows<C>& queries_;
  const MetricRows<C>& points_;
  Candidates& found_;
  std::vector<C> never_;
  double slack_ = 0.0;
  bool products_ = true, overflow_ = false;
  std::vector<double> query_squares_{}, point_squares_{};
  Side<C> query_side_{}, point_side_{};
  TilePool<C> pool_{};
};

}  // namespace

template <class C, class Candidates>
void search_by_products(const MetricRows<C>& queries, const MetricRows<C>& points, std::string_view who,
                        const Execution& exec, Candidates& found) {
  Search<C, Candidates> search(queries, points, found);
  const Index mine = (queries.rows + kBlock - 1) / kBlock, others = (points.rows + kBlock - 1) / kBlock;
  const auto check = [&](Index done, Index total) {
    require_memory(exec, found.bytes(), fmt::format("{}: the neighbors within the radius", who),
                   lower_option("radius"));
    report_progress(exec, "neighbors", done, total, "blocks");
  };
  if (!search.alone()) {
    for (Index q = 0; q < others; ++q) {
      parallel_for(exec, mine, [&](Index p) { search.tile(p, q); });
      check(q + 1, others);
    }
    return;
  }
  parallel_for(exec, mine, [&](Index p) { search.tile(p, p); });
  // Each block meets each other once, in rounds of pairs that share no block, as in a tournament: one stays, the others
  // move round the table. So no two tasks write to one row.
  const Index seats = mine + mine % 2, rounds = seats - 1;
  for (Index round = 0; round < rounds && mine > 1; ++round) {
    parallel_for(exec, seats / 2, [&](Index table) {
      const Index p = table == 0 ? seats - 1 : (round + table) % rounds;
      const Index q = (round + rounds - table) % rounds;
      if (p < mine && q < mine) search.tile(std::min(p, q), std::max(p, q));
    });
    check(round + 1, rounds);
  }
}

#define FEWDIM_INSTANTIATE(C, Candidates)                                                                          \
  template void search_by_products(const MetricRows<C>&, const MetricRows<C>&, std::string_view, const Execution&, \
                                   Candidates&);
FEWDIM_INSTANTIATE(float, NearestCandidates)
FEWDIM_INSTANTIATE(double, NearestCandidates)
FEWDIM_INSTANTIATE(float, RadiusCandidates)
FEWDIM_INSTANTIATE(double, RadiusCandidates)
FEWDIM_INSTANTIATE(float, OutsideCandidates)
FEWDIM_INSTANTIATE(double, OutsideCandidates)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
