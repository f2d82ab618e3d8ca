#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fewdim/ranking.hpp"
#include "ranking/pull.hpp"

namespace fewdim {

/// Each score is divided, weighted, added up, damped, and taken off: at most nine roundings of 1.1e-16, relative to
/// scores and to what a step makes of them, which sum to 1 each.
inline constexpr double residual_rounding = 2e-15;

/// The walk of one call of pagerank(). Scores are kept as y = x / outgoing weight, what a vertex gives to each link of
/// weight 1; as x where no link leaves (nobody pulls from there).
class RankWalk {
 public:
  RankWalk(const LinkGraph& graph, const PagerankOptions& options, const Execution& exec);

  /// y ← what a step of the walk makes of it; returns ‖Gx − x‖₁ of the x before.
  double power_sweep();
  /// The same stage by stage, each from the newest scores; returns ‖x_new − x_old‖₁ / ‖x_new‖₁. What restarts is a
  /// share of all that is there, which need not be 1: held at 1 it would be made up slowly, by a factor d a sweep.
  double gauss_seidel_sweep();
  /// Back to the scores before the last power sweep.
  void step_back();
  /// Makes the scores sum to 1.
  void normalize();
  Vector<double> scores() const;
  /// A power sweep with sums that carry their rounding errors along (Neumaier 1974): the residual returned is off by no
  /// more than `residual_rounding` for scores of sum 1, however many links a vertex has.
  double exact_sweep();

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
  void each_block(Index begin, Index end, const std::function<void(Index)>& use) const;

  void set_restart();
  double sum_of(double Partial::*part) const;
  Shares shares_of(double mass) const { return shares_of(mass, sum_of(&Partial::dangling)); }
  Shares shares_of(double mass, double dangling) const;
  void add_up();  ///< sums of the scores as they are
  void run_block(Index b, const Shares& shares, bool solve_self);
  template <bool weighted>
  void sweep_block(Index b, const Shares& shares, bool solve_self);

  LinkView graph_;
  const PagerankOptions& options_;
  const Execution& exec_;
  PullBlocks blocks_;
  std::shared_ptr<double[]> y_, next_, restart_;
  std::vector<Partial> partial_;
};

}  // namespace fewdim
