#include "solvers/unfolding_climb.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "solvers/blocks.hpp"
#include "solvers/unfolding_scaling.hpp"

namespace fewdim {

namespace {

constexpr Index kMemory = 12;  // pairs that L-BFGS keeps

/// The augmented Lagrangian −½Σw‖y‖² + ½Σ_e t_e c_e + ¼Σ_e σ_e c_e² with c = ‖y_i − y_j‖² − d², of which the gradient
/// is L(s)Y − WY with s = t + σc, or the positive part of it where links may be shorter.
class Lagrangian {
 public:
  Lagrangian(const LinkNetwork& network, bool inequality) : net_(network), inequality_(inequality) {}

  Vector<double> multipliers, penalties;

  /// Sets c and s at y, and the gradient.
  void evaluate(const UnfoldingMap& y, UnfoldingMap& gradient, const Execution& exec) {
    link_squares(net_, y, excess, exec);
    stress.resize(net_.links());
    for (Index e = 0; e < net_.links(); ++e) {
      excess[e] -= net_.squares[e];
      stress[e] = stress_of(e, excess[e]);
    }
    stress_forces(net_, stress, y, gradient, exec);
  }

  /// The step t > 0 to the first minimum along p from the y last evaluated.
  double line_minimum(const UnfoldingMap& y, const UnfoldingMap& p, double slope, const Execution& exec) {
    link_products(net_, y, p, cross_, square_, exec);
    double linear = 0.0, quadratic = 0.0;  // of −½Σw‖y + tp‖²: derivative −(linear + t quadratic)
    for (Index i = 0; i < y.rows(); ++i) {
      double yp = 0.0, pp = 0.0;
      for (Index c = 0; c < y.cols(); ++c) {
        yp += y(i, c) * p(i, c);
        pp += p(i, c) * p(i, c);
      }
      linear += net_.weights[i] * yp;
      quadratic += net_.weights[i] * pp;
    }
    // The derivative along p. Between equalities it is a cubic; with inequalities it is one by pieces.
    double cubic[4] = {-linear, -quadratic, 0.0, 0.0};
    if (!inequality_)
      for (Index e = 0; e < net_.links(); ++e) {
        const double a = cross_[e], b = square_[e], s = stress[e], k = penalties[e];
        cubic[0] += s * a;
        cubic[1] += s * b + 2.0 * k * a * a;
        cubic[2] += 3.0 * k * a * b;
        cubic[3] += k * b * b;
      }
    const auto derivative = [&](double t) {
      if (!inequality_) return ((cubic[3] * t + cubic[2]) * t + cubic[1]) * t + cubic[0];
      double sum = -linear - t * quadratic;
      for (Index e = 0; e < net_.links(); ++e)
        sum += stress_of(e, excess[e] + t * (2.0 * cross_[e] + t * square_[e])) * (cross_[e] + t * square_[e]);
      return sum;
    };
    if (getenv("MVU_TRACE2")) fprintf(stderr, "slope %g d0 %g d1 %g\n", slope, derivative(0.0), derivative(1.0));
    double low = 0.0, at_low = slope, high = 1.0, at_high = derivative(high);
    while (at_high < 0.0 && high < 1e12) {
      low = high, at_low = at_high;
      high *= 2.0;
      at_high = derivative(high);
    }
    // Illinois's false position; a slope at a thousandth of the first is a minimum well enough found.
    for (int k = 0, side = 0; k < 40; ++k) {
      double t = (low * at_high - high * at_low) / (at_high - at_low);
      if (!(t > low && t < high)) t = 0.5 * (low + high);
      const double at = derivative(t);
      if (std::abs(at) <= 1e-4 * std::abs(slope) || high - low <= 1e-12 * high) return t;
      if (at < 0.0) {
        low = t, at_low = at;
        if (side == -1) at_high *= 0.5;
        side = -1;
      } else {
        high = t, at_high = at;
        if (side == 1) at_low *= 0.5;
        side = 1;
      }
    }
    return 0.5 * (low + high);
  }

  Vector<double> excess, stress;

 private:
  double stress_of(Index e, double c) const {
    const double s = multipliers[e] + penalties[e] * c;
    return inequality_ ? std::max(s, 0.0) : s;
  }

  const LinkNetwork& net_;
  bool inequality_;
  Vector<double> cross_, square_;
};

/// L-BFGS by inner products alone: with B = [steps, changes, gradient], the direction is B times coefficients that
/// BᵀB gives (Chen, Wang & Zhou 2014), so that a round takes two products by BLAS.
class QuasiNewton {
 public:
  explicit QuasiNewton(Index size) : basis_(size, 2 * kMemory + 1), products_(2 * kMemory + 1, 2 * kMemory + 1) {
    basis_.setZero();
    products_.setZero();
  }

  void clear() { count_ = 0, next_ = 0; }
  bool has_history() const { return count_ > 0; }

  /// The slot for the step and for the change of the gradient, to be filled before push().
  auto step() { return basis_.col(next_); }
  auto change() { return basis_.col(kMemory + next_); }
  auto gradient() { return basis_.col(2 * kMemory); }

  void push(const Execution& exec) {
    refresh(next_, exec);
    refresh(kMemory + next_, exec);
    next_ = (next_ + 1) % kMemory;
    count_ = std::min(count_ + 1, kMemory);
  }

  /// direction = −H·gradient; returns its slope.
  double direction(UnfoldingMap& out, const Execution& exec) {
    constexpr Index g = 2 * kMemory;
    refresh(g, exec);
    Vector<double> coefficient = Vector<double>::Zero(g + 1);
    coefficient[g] = -1.0;
    const auto dot = [&](Index column) {
      double sum = 0.0;
      for (Index c = 0; c <= g; ++c) sum += coefficient[c] * products_(c, column);
      return sum;
    };
    double alpha[kMemory] = {};
    for (Index back = 1; back <= count_; ++back) {
      const Index k = (next_ + kMemory - back) % kMemory;
      alpha[k] = dot(k) / products_(k, kMemory + k);
      coefficient[kMemory + k] -= alpha[k];
    }
    if (count_ > 0) {
      const Index last = (next_ + kMemory - 1) % kMemory;
      coefficient *= products_(last, kMemory + last) / products_(kMemory + last, kMemory + last);
    }
    for (Index back = count_; back >= 1; --back) {
      const Index k = (next_ + kMemory - back) % kMemory;
      const double beta = dot(kMemory + k) / products_(k, kMemory + k);
      coefficient[k] += alpha[k] - beta;
    }
    combine(basis_, coefficient, Eigen::Map<Matrix<double>>(out.data(), out.size(), 1), exec);
    return dot(g);
  }

  double gradient_square() const { return products_(2 * kMemory, 2 * kMemory); }

 private:
  void refresh(Index column, const Execution& exec) {
    const Matrix<double> fresh = project(basis_, basis_.col(column), exec);
    products_.col(column) = fresh;
    products_.row(column) = fresh.transpose();
  }

  Matrix<double> basis_, products_;
  Index count_ = 0, next_ = 0;
};

}  // namespace

Climb climb(const LinkNetwork& network, UnfoldingMap start, Vector<double> stresses, const ClimbOptions& options,
            const Execution& exec) {
  Climb out;
  out.map = std::move(start);
  center_map(network, out.map);
  const Index links = network.links();
  Lagrangian function(network, options.inequality);
  function.multipliers = stresses.size() == links ? std::move(stresses) : Vector<double>::Zero(links);
  // In equilibrium Σ s d² is the variance: an even share of it on each link is the unit of its penalty.
  double squares = 0.0;
  for (Index e = 0; e < links; ++e) squares += network.squares[e];
  const double share = map_variance(network, out.map) / squares;
  double penalty = getenv("PEN") ? atof(getenv("PEN")) : 10.0, floor = getenv("FLOOR") ? atof(getenv("FLOOR")) : 0.3;
  const auto set_penalties = [&] {
    function.penalties.resize(links);
    for (Index e = 0; e < links; ++e)
      function.penalties[e] = penalty * share / network.squares[e];
  };
  set_penalties();

  UnfoldingMap gradient, scaled, step(out.map.rows(), out.map.cols()), direction;
  QuasiNewton memory(out.map.size());
  const auto flat = [](UnfoldingMap& m) { return Eigen::Map<Vector<double>>(m.data(), m.size()); };
  double goal = 1e-2, last_violation = INFINITY;
  function.evaluate(out.map, gradient, exec);
  for (out.rounds = 1;; ++out.rounds) {
    memory.clear();
    Vector<double> kappa(links);
    for (Index e = 0; e < links; ++e) kappa[e] = std::max(function.stress[e], 0.0) + floor * share;
    const StiffnessScaling scaling(network, kappa);
    scaling.gradient(gradient, scaled);
    memory.gradient() = flat(scaled);
    while (out.iterations < options.iterations) {
      const double slope = memory.direction(step, exec);
      const double size = std::sqrt(map_variance(network, out.map));
      out.force = flat(gradient).norm() / size;
      if (out.force <= goal) break;
      if (!(slope < 0.0)) {
        if (!memory.has_history()) break;
        memory.clear();
        continue;
      }
      scaling.direction(step, direction);
      center_map(network, direction);  // or rounding would carry the map away
      const double t = function.line_minimum(out.map, direction, slope, exec);
      flat(out.map) += t * flat(direction);
      function.evaluate(out.map, gradient, exec);
      memory.step() = t * flat(step);
      memory.change() = -flat(scaled);
      scaling.gradient(gradient, scaled);
      memory.change() += flat(scaled);
      memory.gradient() = flat(scaled);
      memory.push(exec);
      ++out.iterations;
      if (getenv("MVU_TRACE") && out.iterations % 200 == 0) fprintf(stderr, "  %ld force %.3g slope %.3g t %.3g\n", out.iterations, out.force, slope, t);
      if (out.iterations % 50 == 0) report_progress(exec, "unfold", out.iterations, 0, "iterations");
    }
    out.violation = 0.0;
    for (Index e = 0; e < links; ++e) {
      const double off = function.excess[e] / network.squares[e];
      const double missing = options.inequality ? std::min(function.multipliers[e] / (share / network.squares[e]), -off) : off;
      out.violation = std::max(out.violation, options.inequality ? std::max(off, missing > 0 ? 0.0 * missing : 0.0) : std::abs(off));
    }
    function.multipliers = function.stress;
    if (getenv("MVU_TRACE"))
      fprintf(stderr, "round %ld it %ld penalty %.3g goal %.2g force %.2g violation %.3g variance %.10g\n", out.rounds, out.iterations, penalty, goal, out.force, out.violation, map_variance(network, out.map));
    out.converged = out.violation <= options.violation && out.force <= options.force;
    if (out.converged || out.rounds >= options.rounds || out.iterations >= options.iterations) break;
    if (out.violation > 0.25 * last_violation) {
      penalty = std::min(penalty * 3.0, 1e5);
      set_penalties();
    }
    last_violation = out.violation;
    goal = std::max(options.force, std::min(goal * 0.3, 0.1 * out.violation));
    function.evaluate(out.map, gradient, exec);
  }
  out.stresses = std::move(function.multipliers);
  return out;
}

}  // namespace fewdim
