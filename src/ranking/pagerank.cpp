#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "data/block.hpp"
#include "fewdim/error.hpp"
#include "fewdim/ranking.hpp"
#include "ranking/pull.hpp"

namespace fewdim {

namespace {

constexpr Index gauss_seidel_stages = 32;
/// Residuals are sums of rounded numbers: below this they say nothing.
constexpr double rounding = 2e-15;

/// The walk of one call. Scores are kept as y = x / outgoing weight, what a vertex gives to each link of weight 1; as x
/// where no link leaves (nobody pulls from there).
class Walk {
 public:
  Walk(const LinkGraph& graph, const PagerankOptions& options, const Execution& exec)
      : graph_(graph.view()), options_(options), exec_(exec), blocks_(graph_, gauss_seidel_stages) {
    const auto n = static_cast<std::size_t>(graph_.vertices);
    require_memory(exec, n * 8 * (options.restart.empty() ? 3 : 4), "pagerank: the scores", "raise the limit");
    y_ = make_large_array<double>(n);
    next_ = make_large_array<double>(n);
    partial_.resize(static_cast<std::size_t>(blocks_.count()));
    set_restart();
    each_block(0, blocks_.count(), [&](Index b) {
      Partial sum;
      for (Index v = first(b); v < last(b); ++v) {
        const double x = restart_at(v);
        y_[v] = x / divisor(v);
        sum.mass += x;
        sum.dangling += graph_.outgoing[v] == 0.0 ? x : 0.0;
      }
      partial_[static_cast<std::size_t>(b)] = sum;
    });
  }

  /// y ← what a step of the walk makes of it; returns ‖Gx − x‖₁ of the x before.
  double power_sweep() {
    const Shares shares = shares_of(1.0);
    each_block(0, blocks_.count(), [&](Index b) { run_block(b, shares, false); });
    std::swap(y_, next_);
    return sum_of(&Partial::change);
  }

  /// The same stage by stage, each from the newest scores; returns ‖x_new − x_old‖₁ / ‖x_new‖₁. What restarts is a
  /// share of all that is there, which need not be 1: held at 1 it would be made up slowly, by a factor d a sweep.
  double gauss_seidel_sweep() {
    for (Index s = 0; s < blocks_.stages(); ++s) {
      const Index begin = blocks_.stage_cuts[static_cast<std::size_t>(s)];
      const Index end = blocks_.stage_cuts[static_cast<std::size_t>(s) + 1];
      const Shares shares = shares_of(sum_of(&Partial::mass));
      each_block(begin, end, [&](Index b) { run_block(b, shares, true); });
      each_block(begin, end,
                 [&](Index b) { std::copy(next_.get() + first(b), next_.get() + last(b), y_.get() + first(b)); });
    }
    return sum_of(&Partial::change) / sum_of(&Partial::mass);
  }

  /// Back to the scores before the last power sweep.
  void step_back() {
    std::swap(y_, next_);
    add_up();
  }

  /// Makes the scores sum to 1.
  void normalize() {
    add_up();
    const double sum = sum_of(&Partial::mass);
    each_block(0, blocks_.count(), [&](Index b) {
      for (Index v = first(b); v < last(b); ++v) y_[v] /= sum;
    });
    add_up();
  }

  Vector<double> scores() const {
    Vector<double> x(graph_.vertices);
    for (Index v = 0; v < graph_.vertices; ++v) x[v] = y_[v] * divisor(v);
    return x;
  }

 private:
  /// Sums over the vertices of a block.
  struct Partial {
    double change = 0.0, mass = 0.0, dangling = 0.0;
  };
  /// What every vertex gets, and what those get where the walk restarts, by their weights.
  struct Shares {
    double all = 0.0, restart = 0.0;
  };

  Index first(Index b) const { return blocks_.cuts[static_cast<std::size_t>(b)]; }
  Index last(Index b) const { return blocks_.cuts[static_cast<std::size_t>(b) + 1]; }
  double divisor(Index v) const { return graph_.outgoing[v] == 0.0 ? 1.0 : graph_.outgoing[v]; }

  void each_block(Index begin, Index end, const std::function<void(Index)>& use) const {
    parallel_for(exec_, end - begin, [&](Index i) { use(begin + i); });
  }

  void set_restart() {
    if (options_.restart.empty()) return;
    double sum = 0.0;
    for (const Restart& place : options_.restart) sum += place.weight;
    restart_ = make_large_array<double>(static_cast<std::size_t>(graph_.vertices));
    std::fill_n(restart_.get(), graph_.vertices, 0.0);
    for (const Restart& place : options_.restart) restart_[place.vertex] += place.weight / sum;
  }

  double restart_at(Index v) const { return restart_ ? restart_[v] : 1.0 / static_cast<double>(graph_.vertices); }

  double sum_of(double Partial::*part) const {
    double sum = 0.0;
    for (const Partial& partial : partial_) sum += partial.*part;
    return sum;
  }

  Shares shares_of(double mass) const {
    const double d = options_.damping, dangling = d * sum_of(&Partial::dangling);
    double restart = (1.0 - d) * mass, all = 0.0;
    if (options_.dangling == Dangling::teleport) restart += dangling;
    if (options_.dangling == Dangling::uniform) all += dangling;
    if (!restart_) all += std::exchange(restart, 0.0);
    return {all / static_cast<double>(graph_.vertices), restart};
  }

  /// Sums of the scores as they are.
  void add_up() {
    each_block(0, blocks_.count(), [&](Index b) {
      Partial sum;
      for (Index v = first(b); v < last(b); ++v) {
        const double x = y_[v] * divisor(v);
        sum.mass += x;
        sum.dangling += graph_.outgoing[v] == 0.0 ? x : 0.0;
      }
      partial_[static_cast<std::size_t>(b)] = sum;
    });
  }

  void run_block(Index b, const Shares& shares, bool solve_self) {
    if (graph_.weights)
      sweep_block<true>(b, shares, solve_self);
    else
      sweep_block<false>(b, shares, solve_self);
  }

  template <bool weighted>
  void sweep_block(Index b, const Shares& shares, bool solve_self) {
    const double d = options_.damping;
    const double* y = y_.get();
    double* next = next_.get();
    const bool stays = options_.dangling == Dangling::self;
    Partial sum;
    for (Index v = first(b); v < last(b); ++v) {
      double pulled;
      if constexpr (weighted)
        pulled = pull(graph_.sources, graph_.weights, graph_.offsets[v], graph_.offsets[v + 1], y);
      else
        pulled = pull(graph_.sources, graph_.offsets[v], graph_.offsets[v + 1], y);
      const double outgoing = graph_.outgoing[v];
      const bool dangling = outgoing == 0.0;
      const double divide = dangling ? 1.0 : outgoing;
      double x = d * pulled + shares.all;
      if (restart_) x += shares.restart * restart_[v];
      if (stays && dangling) x = solve_self ? x / (1.0 - d) : x + d * y[v];
      const double scaled = x / divide;
      sum.change += std::abs(scaled - y[v]) * divide;
      sum.mass += x;
      sum.dangling += dangling ? x : 0.0;
      next[v] = scaled;
    }
    partial_[static_cast<std::size_t>(b)] = sum;
  }

  LinkView graph_;
  const PagerankOptions& options_;
  const Execution& exec_;
  PullBlocks blocks_;
  std::shared_ptr<double[]> y_, next_, restart_;
  std::vector<Partial> partial_;
};

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
    throw DataError(
        fmt::format("pagerank: no link leaves '{}'{}; use --dangling uniform, teleport or self, or add links",
                    graph.name(first), count > 1 ? fmt::format(" and {} other vertices", count - 1) : ""));
  }
  return count;
}

/// How fast changes fall: the geometric mean of the last four factors, once there are as many.
class Rate {
 public:
  void add(double change) { changes_.push_back(change); }
  void restart() { changes_.clear(); }
  double get() const {
    const std::size_t n = changes_.size();
    if (n < 2 || changes_[n - 1] <= 0.0) return std::numeric_limits<double>::quiet_NaN();
    const std::size_t back = std::min<std::size_t>(4, n - 1);
    return std::pow(changes_[n - 1] / changes_[n - 1 - back], 1.0 / static_cast<double>(back));
  }
  /// No change has been lower for long: rounding is all that is left of it.
  bool stuck() const {
    constexpr std::ptrdiff_t patience = 100;
    if (std::ssize(changes_) < 2 * patience || changes_.back() > 1e-11) return false;
    const auto recent = changes_.end() - patience;
    return *std::min_element(recent, changes_.end()) >= *std::min_element(changes_.begin(), recent);
  }

 private:
  std::vector<double> changes_;
};

}  // namespace

PagerankResult pagerank(const LinkGraph& graph, const PagerankOptions& options, const Execution& exec) {
  if (graph.vertices() == 0) throw DataError("pagerank: the graph is empty; there is no vertex to rank");
  require_options(graph, options);
  PagerankResult result;
  result.dangling = count_dangling(graph, options.dangling);
  result.second_eigenvalue = std::numeric_limits<double>::quiet_NaN();
  Walk walk(graph, options, exec);
  const double d = options.damping;
  const double target = std::max(options.tolerance * (1.0 - d), rounding);
  bool seidel = options.solver == RankSolver::gauss_seidel;
  Rate rate;
  while (true) {
    if (result.sweeps >= options.most_sweeps)
      throw NotConverged(
          fmt::format("pagerank: after {} sweeps the error may still be {:.1e} (tolerance {:.1e}); raise "
                      "--tolerance or lower --damping",
                      result.sweeps, result.residual / (1.0 - d), options.tolerance));
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
        rate.restart();
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
    if (result.residual <= target || stuck || change <= rounding) break;
  }
  result.solver = seidel ? RankSolver::gauss_seidel : RankSolver::power;
  result.scores = walk.scores();
  result.error_bound = result.residual / (1.0 - d);
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
