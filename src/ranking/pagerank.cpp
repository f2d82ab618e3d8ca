#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/ranking.hpp"
#include "ranking/walk.hpp"

namespace fewdim {

namespace {

void require_options(const LinkGraph& graph, const PagerankOptions& options) {
  const auto shown = [](double value) { return fmt::format("{}", value); };
  if (!(options.damping >= 0.0 && options.damping < 1.0))
    throw InvalidOption("pagerank", "damping", shown(options.damping), "must be at least 0 and below 1",
                        "0.85 is usual");
  if (!(options.tolerance > 0.0))
    throw InvalidOption("pagerank", "tolerance", shown(options.tolerance), "must be above 0", "1e-10 is usual");
  if (options.most_sweeps < 1)
    throw InvalidOption("pagerank", "most_sweeps", std::to_string(options.most_sweeps), "must be 1 or more", "");
  double sum = 0.0;
  for (const Restart& place : options.restart) {
    if (place.vertex < 0 || place.vertex >= graph.vertices())
      throw InvalidOption("pagerank", "restart", std::to_string(place.vertex),
                          fmt::format("must be a vertex, 0 .. {}", graph.vertices() - 1), "");
    if (!(place.weight >= 0.0 && place.weight <= 1e100))
      throw InvalidOption("pagerank", "restart weight", shown(place.weight), "must be 0 or more, and finite", "");
    sum += place.weight;
  }
  if (!options.restart.empty() && !(sum >= 1e-100))
    throw InvalidOption("pagerank", "restart weights", shown(sum), "must not all be 0", "");
}

Index count_dangling(const LinkGraph& graph, Dangling policy) {
  const LinkView view = graph.view();
  const auto count = std::count(view.outgoing, view.outgoing + view.vertices, 0.0);
  if (count > 0 && policy == Dangling::error) {
    const Index first = std::find(view.outgoing, view.outgoing + view.vertices, 0.0) - view.outgoing;
    throw DataError(fmt::format("pagerank: no link leaves '{}'{}; use {}, {} or {}, or add links", graph.name(first),
                                count > 1 ? fmt::format(" and {} other vertices", count - 1) : "",
                                set_option("dangling", "uniform"), set_option("dangling", "teleport"),
                                set_option("dangling", "self")));
  }
  return count;
}

/// How fast changes fall: the geometric mean of the last four factors.
class Rate {
 public:
  void add(double change) {
    if (std::ssize(recent_) == 5) recent_.erase(recent_.begin());
    recent_.push_back(change);
    since_best_ = change < best_ ? 0 : since_best_ + 1;
    best_ = std::min(best_, change);
  }
  double get() const {
    if (recent_.size() < 2 || recent_.back() <= 0.0) return std::numeric_limits<double>::quiet_NaN();
    return std::pow(recent_.back() / recent_.front(), 1.0 / static_cast<double>(recent_.size() - 1));
  }
  /// No change has been lower for long: rounding is all that is left of it.
  bool stuck() const { return since_best_ >= 100 && best_ <= 1e-11; }

 private:
  std::vector<double> recent_;
  double best_ = std::numeric_limits<double>::infinity();
  Index since_best_ = 0;
};

/// The residual of the scores, computed anew. Sums over many links have rounded it where it is above the target now:
/// sweeps that do not round take that off.
double finish(RankWalk& walk, double target, Index& sweeps) {
  constexpr int kMost = 100;
  double residual = 0.0, best = std::numeric_limits<double>::infinity();
  for (int sweep = 0, since_best = 0; sweep < kMost && since_best < 10; ++sweep) {
    residual = walk.exact_sweep();
    ++sweeps;
    since_best = residual < best ? 0 : since_best + 1;
    best = std::min(best, residual);
    if (residual <= target) break;
  }
  walk.step_back();  // the residual is that of the scores before the sweep
  return residual;
}

}  // namespace

PagerankResult pagerank(const LinkGraph& graph, const PagerankOptions& options, const Execution& exec) {
  if (graph.vertices() == 0) throw DataError("pagerank: the graph is empty; there is no vertex to rank");
  require_options(graph, options);
  PagerankResult result;
  result.dangling = count_dangling(graph, options.dangling);
  result.second_eigenvalue = std::numeric_limits<double>::quiet_NaN();
  RankWalk walk(graph, options, exec);
  const double d = options.damping;
  // Residuals are sums of rounded numbers: below `residual_rounding` they say nothing.
  const double target = std::max(options.tolerance * (1.0 - d) - 2.0 * residual_rounding, residual_rounding);
  bool seidel = options.solver == RankSolver::gauss_seidel;
  Rate rate;
  while (true) {
    if (result.sweeps >= options.most_sweeps)
      throw NotConverged(fmt::format(
          "pagerank: after {} sweeps the error may still be {:.1e} (tolerance {:.1e}); {} or {}", result.sweeps,
          result.residual / (1.0 - d), options.tolerance, raise_option("tolerance"), lower_option("damping")));
    const double change = seidel ? walk.gauss_seidel_sweep() : walk.power_sweep();
    ++result.sweeps;
    rate.add(change);
    result.residual = change;
    if (const double now = rate.get(); !std::isnan(now)) result.rate = now;
    report_progress(exec, "pagerank", result.sweeps, 0, "sweeps");
    const bool stuck = rate.stuck();
    if (!seidel) {
      if (result.sweeps >= 6) result.second_eigenvalue = result.rate;
      if (change <= target || stuck) {
        walk.step_back();  // the residual is that of the scores before the sweep
        walk.normalize();
        break;
      }
      const double left = std::log(target / change) / std::log(result.rate);
      if (options.solver == RankSolver::automatic && result.sweeps >= 8 && !(left >= 0.0 && left <= 6.0)) {
        seidel = true;
        rate = {};
      }
      continue;
    }
    // The residual of the new scores is G (x_new − x_old) over the stages that came later: not above the change, and
    // mostly d times as much or less. It is computed, so that nothing depends on this.
    if (d * change > target && !stuck) continue;
    walk.normalize();
    result.residual = walk.power_sweep();
    ++result.sweeps;
    walk.step_back();
    if (result.residual <= target || stuck || change <= residual_rounding) break;
  }
  result.solver = seidel ? RankSolver::gauss_seidel : RankSolver::power;
  result.residual = finish(walk, target, result.sweeps);
  result.scores = walk.scores();
  result.error_bound = (result.residual + residual_rounding) / (1.0 - d);
  result.converged = result.error_bound <= options.tolerance;
  return result;
}

std::vector<Index> top_vertices(const Vector<double>& scores, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  count = std::clamp<Index>(count, 0, scores.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](Index a, Index b) { return scores[a] > scores[b] || (scores[a] == scores[b] && a < b); });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

}  // namespace fewdim
