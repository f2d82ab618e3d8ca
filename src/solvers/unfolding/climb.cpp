#include "solvers/unfolding/climb.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/unfolding/lagrangian.hpp"
#include "solvers/unfolding/springs.hpp"

namespace fewdim {

namespace {

constexpr Index kMemory = 10;            // pairs that L-BFGS keeps
constexpr Index kSteps = 10;             // of L-BFGS with one factor
constexpr double kSoftness = 0.01;       // stiffness of a slack link, in shares of the mean stress
constexpr Index kManyNumbers = 100'000;  // in a map: below, threads cost more than they bring
constexpr double kManyFlops = 1e9;       // of a factor
constexpr double kLargest = 1e9;         // penalty, in shares of the mean stress

/// L-BFGS from H₀ = P⁻¹, by inner products alone (after Chen, Wang & Zhou 2014): with steps S, changes of the gradient
/// C and U = P⁻¹C, the direction is a sum of the columns of S and U and of P⁻¹g whose weights follow from SᵀC, UᵀC, Sᵀg
/// and Uᵀg: two products by BLAS a step.
class QuasiNewton {
 public:
  explicit QuasiNewton(Index size)
      : moves_(Matrix<double>::Zero(size, 2 * kMemory + 1)),
        changes_(Matrix<double>::Zero(size, kMemory + 1)),
        table_(Matrix<double>::Zero(2 * kMemory + 1, kMemory + 1)) {}

  /// Starts anew from a gradient g and P⁻¹g.
  void start(UnfoldingMap& gradient, UnfoldingMap& solved, const Execution& exec) {
    count_ = next_ = 0;
    moves_.col(2 * kMemory) = flat(solved);
    changes_.col(kMemory) = flat(gradient);
    table_.col(kMemory) = project(moves_, changes_.col(kMemory), exec);
  }

  void push(double t, UnfoldingMap& direction, UnfoldingMap& gradient, UnfoldingMap& solved, const Execution& exec) {
    moves_.col(next_) = t * flat(direction);
    moves_.col(kMemory + next_) = flat(solved) - moves_.col(2 * kMemory);
    moves_.col(2 * kMemory) = flat(solved);
    changes_.col(next_) = flat(gradient) - changes_.col(kMemory);
    changes_.col(kMemory) = flat(gradient);
    table_.row(next_) = project(changes_, moves_.col(next_), exec).transpose();
    table_.row(kMemory + next_) = project(changes_, moves_.col(kMemory + next_), exec).transpose();
    table_.col(next_) = project(moves_, changes_.col(next_), exec);
    table_.col(kMemory) = project(moves_, changes_.col(kMemory), exec);
    next_ = (next_ + 1) % kMemory;
    count_ = std::min(count_ + 1, kMemory);
  }

  /// −Hg.
  void direction(UnfoldingMap& out, const Execution& exec) const {
    constexpr Index g = kMemory, u = kMemory;  // g: column of the table; u + k: row of U's column k
    Vector<double> weight = Vector<double>::Zero(2 * kMemory + 1);
    weight[2 * kMemory] = -1.0;
    double alpha[kMemory] = {};
    for (Index back = 1; back <= count_; ++back) {
      const Index k = (next_ + kMemory - back) % kMemory;
      double dot = weight[2 * kMemory] * table_(k, g);
      for (Index j = 0; j < kMemory; ++j) dot += weight[u + j] * table_(k, j);
      alpha[k] = dot / table_(k, k);
      weight[u + k] -= alpha[k];
    }
    if (count_ > 0) {
      const Index last = (next_ + kMemory - 1) % kMemory;
      weight *= table_(last, last) / table_(u + last, last);
    }
    for (Index back = count_; back >= 1; --back) {
      const Index k = (next_ + kMemory - back) % kMemory;
      double dot = 0.0;  // with change k: P⁻¹g against it is U's column k against g
      for (Index j = 0; j < kMemory; ++j) dot += weight[j] * table_(j, k) + weight[u + j] * table_(u + j, k);
      dot += weight[2 * kMemory] * table_(u + k, g);
      weight[k] += alpha[k] - dot / table_(k, k);
    }
    combine(moves_, weight, Eigen::Map<Matrix<double>>(out.data(), out.size(), 1), exec);
  }

  bool has_history() const { return count_ > 0; }

 private:
  Matrix<double> moves_;    ///< S, U, P⁻¹g
  Matrix<double> changes_;  ///< C, g
  Matrix<double> table_;    ///< movesᵀ changes
  Index count_ = 0, next_ = 0;
};

double norm_of(UnfoldingMap& m) {
  double sum = 0.0;
  for (Index i = 0; i < m.size(); ++i) sum += m.data()[i] * m.data()[i];
  return std::sqrt(sum);
}

/// One round: a minimum of the Lagrangian, to forces of `goal`.
class Round {
 public:
  Round(const LinkNetwork& network, Index columns, const Execution& exec)
      : net_(network),
        springs_(network, columns, exec),
        newton_(network.vertices() * columns),
        exec_(for_work(exec, network.vertices() * columns > kManyNumbers)),
        factor_exec_(for_work(exec, springs_.flops() > kManyFlops)) {}

  void run(UnfoldingLagrangian& function, double share, double goal, const ClimbOptions& options, Climb& out) {
    const Index start = out.iterations;
    function.evaluate(out.map, gradient_, exec_);
    bool stuck = false;
    while (true) {
      set_stiffness(function, share, options.inequality, out.map);
      springs_.solve(gradient_, solved_, exec_);
      newton_.start(gradient_, solved_, exec_);
      for (Index step = 0; step < kSteps; ++step) {
        out.force = norm_of(gradient_) / std::sqrt(map_variance(net_, out.map));
        if (out.force <= goal || out.iterations - start >= options.round_iterations) return;
        direction_.resize(out.map.rows(), out.map.cols());
        newton_.direction(direction_, exec_);
        center_map(net_, direction_);  // or rounding would carry the map away
        const double t = function.line_minimum(out.map, direction_, exec_);
        if (!(t > 0.0)) {  // no descent: a new factor, and twice so that rounding is all that is left
          if (stuck && step == 0) return;
          stuck = true;
          break;
        }
        stuck = false;
        flat(out.map) += t * flat(direction_);
        function.evaluate(out.map, gradient_, exec_);
        springs_.solve(gradient_, solved_, exec_);
        newton_.push(t, direction_, gradient_, solved_, exec_);
        if (++out.iterations % 10 == 0) report_progress(exec_, "unfold", out.iterations, 0, "iterations");
      }
    }
  }

 private:
  void set_stiffness(const UnfoldingLagrangian& function, double share, bool inequality, const UnfoldingMap& y) {
    Vector<double> kappa(net_.links()), sigma = function.penalties;
    for (double softness = kSoftness;; softness *= 10.0) {
      for (Index e = 0; e < net_.links(); ++e) {
        kappa[e] = std::max(function.stress[e], 0.0) + softness * share;
        if (inequality && !(function.stress[e] > 0.0)) sigma[e] = 0.0;
      }
      if (springs_.factor(kappa, sigma, y, factor_exec_) || softness > 1e12) return;
    }
  }

  const LinkNetwork& net_;
  SpringStiffness springs_;
  QuasiNewton newton_;
  Execution exec_, factor_exec_;
  UnfoldingMap gradient_{}, solved_{}, direction_{};
};

}  // namespace

Climb climb(const LinkNetwork& network, UnfoldingMap start, const ClimbOptions& options, const Execution& exec) {
  Climb out;
  out.map = std::move(start);
  center_map(network, out.map);
  const Index links = network.links();
  UnfoldingLagrangian function(network, options.inequality);
  function.multipliers = Vector<double>::Zero(links);
  function.penalties.resize(links);
  double squares = 0.0;
  for (Index e = 0; e < links; ++e) squares += network.squares[e];
  // In equilibrium Σ s d² is the variance, which makes this the mean stress.
  const double share = map_variance(network, out.map) / squares;
  double penalty = options.penalty, goal = 1e-2, last = INFINITY;
  Round round(network, out.map.cols(), exec);
  for (out.rounds = 1;; ++out.rounds) {
    for (Index e = 0; e < links; ++e) function.penalties[e] = penalty * share / network.squares[e];
    round.run(function, share, goal, options, out);
    function.multipliers = function.stress;
    out.violation = function.violation();
    out.converged = out.violation <= options.violation && (!options.inequality || out.force <= options.force);
    if (out.converged || out.rounds >= options.rounds) break;
    if (out.violation > 0.25 * last) penalty = std::min(penalty * options.growth, kLargest);
    last = out.violation;
    goal = std::max(options.force, std::min(goal * 0.3, 0.1 * out.violation));
  }
  out.stresses = std::move(function.multipliers);
  return out;
}

}  // namespace fewdim
