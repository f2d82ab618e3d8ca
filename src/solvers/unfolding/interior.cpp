#include "solvers/unfolding/interior.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "solvers/unfolding/newton.hpp"

namespace fewdim {

namespace {

constexpr double kStay = 0.9;        // share of the way to the boundary that a step may go
constexpr double kShrunk = 0.95;     // square of the longest link after the start was shrunk, relative to its bound
constexpr double kThin = 1e-10;      // slack that counts as more, in shares of d²: or rounding leaves no factor
constexpr double kOff = 1e4;         // how far a stress may be from τ/slack, as a factor
constexpr double kCentered = 0.003;  // Newton's decrement at which τ falls, in shares of mτ
constexpr double kSettled = 1e-8;    // the same at which there is nothing left to gain
constexpr double kSteady = 0.04;     // shift of Newton's matrix below which this may be a minimum
constexpr double kKick = 0.1;        // share of the way to the boundary that a random move goes
constexpr double kLastKick = 1e-3;   // gap below which there are none
constexpr double kSlow = 0.3, kFast = 0.15, kNearEnd = 1e-2;  // how τ falls: at first, and from the gap kNearEnd on

/// The map, its stresses, and what links have left to their lengths.
class BarrierPath {
 public:
  BarrierPath(const LinkNetwork& network, UnfoldingMap start, bool inside, const Execution& exec)
      : net_(network), newton_(network, start.cols(), exec), y_(std::move(start)) {
    center_map(net_, y_);
    set_slack();
    double worst = 0.0;
    for (Index e = 0; e < net_.links(); ++e) worst = std::max(worst, 1.0 - slack_[e] / net_.squares[e]);
    if (inside && worst < 1.0) return;
    flat(y_) *= std::sqrt(kShrunk / worst);
    set_slack();
  }

  void set_stresses(double tau) {
    s_.resize(net_.links());
    for (Index e = 0; e < net_.links(); ++e) s_[e] = tau / slack_[e];
  }

  /// One step towards the point of τ. False where rounding allows none.
  bool step(double tau) {
    Vector<double> change(net_.links()), sigma(net_.links());
    for (Index e = 0; e < net_.links(); ++e) {
      change[e] = tau / slack_[e];
      sigma[e] = s_[e] / std::max(slack_[e], kThin * net_.squares[e]);
    }
    stress_forces(net_, change, y_, gradient_, newton_.exec());
    if (!newton_.factor(s_, sigma, y_)) return false;
    newton_.solve(gradient_, p_);
    decrement_ = -map_product(gradient_, p_);
    link_products(net_, y_, p_, cross_, square_, newton_.exec());
    const double t = step_length(tau);
    if (!(t > 0.0)) return false;
    double dual = 1.0;
    for (Index e = 0; e < net_.links(); ++e) {
      change[e] += 2.0 * sigma[e] * cross_[e] - s_[e];
      if (change[e] < 0.0) dual = std::min(dual, -kStay * s_[e] / change[e]);
    }
    flat(y_) += t * flat(p_);
    set_slack();
    for (Index e = 0; e < net_.links(); ++e) {
      const double center = tau / slack_[e];
      s_[e] = std::clamp(s_[e] + dual * change[e], center / kOff, kOff * center);
    }
    return true;
  }

  /// Off a saddle, if this is one.
  void kick(Seed seed, std::uint32_t stream) {
    p_.resize(y_.rows(), y_.cols());
    newton_.soft_direction(seed, stream, p_);
    link_products(net_, y_, p_, cross_, square_, newton_.exec());
    flat(y_) += kKick * boundary() * flat(p_);
    set_slack();
  }

  bool centered(double tau) const {
    return newton_.shift() < kSteady && decrement_ <= kCentered * tau * static_cast<double>(net_.links());
  }
  /// Forces are what rounding leaves of them.
  bool settled(double tau) const { return decrement_ <= kSettled * tau * static_cast<double>(net_.links()); }
  double variance() const { return map_variance(net_, y_); }
  double force() {
    stress_forces(net_, s_, y_, gradient_, newton_.exec());
    return std::sqrt(map_product(gradient_, gradient_) / variance());
  }
  double complementarity() const {
    double sum = 0.0;
    for (Index e = 0; e < net_.links(); ++e) sum += s_[e] * slack_[e];
    return sum;
  }
  void move_to(Interior& out) {
    out.map = std::move(y_);
    out.stresses = std::move(s_);
  }

 private:
  void set_slack() {
    link_squares(net_, y_, slack_, newton_.exec());
    for (Index e = 0; e < net_.links(); ++e) slack_[e] = net_.squares[e] - slack_[e];
  }

  /// The step at which the first link is at its length: slack = 2t cross + t² square.
  double boundary() const {
    double most = INFINITY;
    for (Index e = 0; e < net_.links(); ++e) {
      const double a = square_[e], b = cross_[e];
      if (a <= 0.0 && b <= 0.0) continue;
      const double root = std::sqrt(b * b + a * slack_[e]);
      most = std::min(most, b > 0.0 ? slack_[e] / (b + root) : (root - b) / a);
    }
    return most;
  }

  /// 1 if the barrier falls enough, less if not, more where it goes on falling steeply.
  double step_length(double tau) const {
    double linear = 0.0, quadratic = 0.0;
    for (Index i = 0; i < y_.rows(); ++i) {
      double yp = 0.0, pp = 0.0;
      for (Index c = 0; c < y_.cols(); ++c) {
        yp += y_(i, c) * p_(i, c);
        pp += p_(i, c) * p_(i, c);
      }
      linear += net_.weights[i] * yp;
      quadratic += net_.weights[i] * pp;
    }
    const auto derivative = [&](double t) {
      double sum = -linear - t * quadratic;
      for (Index e = 0; e < net_.links(); ++e)
        sum += tau * (cross_[e] + t * square_[e]) / (slack_[e] - t * (2.0 * cross_[e] + t * square_[e]));
      return sum;
    };
    const auto change = [&](double t) {
      double sum = -t * (linear + 0.5 * t * quadratic);
      for (Index e = 0; e < net_.links(); ++e)
        sum -= 0.5 * tau * std::log1p(-t * (2.0 * cross_[e] + t * square_[e]) / slack_[e]);
      return sum;
    };
    const double slope = derivative(0.0), most = kStay * boundary(), rounding = 1e-13 * variance();
    if (!(slope < 0.0)) return 0.0;
    double t = std::min(1.0, most);
    if (derivative(t) < 0.5 * slope) {
      double low = t, high = most;
      for (int k = 0; k < 30 && high - low > 1e-2 * high; ++k) {
        const double middle = 0.5 * (low + high);
        (derivative(middle) < 0.0 ? low : high) = middle;
      }
      return low;
    }
    while (t > 1e-12 && change(t) > 1e-4 * t * slope + rounding) t *= 0.5;
    return t;
  }

  const LinkNetwork& net_;
  StressNewton newton_;
  UnfoldingMap y_;
  Vector<double> s_{}, slack_{}, cross_{}, square_{};
  UnfoldingMap gradient_{}, p_{};
  double decrement_ = INFINITY;
};

}  // namespace

Interior climb_inside(const LinkNetwork& network, UnfoldingMap start, const InteriorOptions& options,
                      const Execution& exec) {
  const auto m = static_cast<double>(network.links());
  double tau = options.first_gap * map_variance(network, start) / m;
  BarrierPath path(network, std::move(start), options.inside, exec);
  path.set_stresses(tau);
  Interior out;
  bool stuck = false;
  while (out.iterations < options.iterations) {
    const bool moved = path.step(tau);
    ++out.iterations;
    report_progress(exec, "unfold", out.iterations, 0, "iterations");
    if (!moved) {  // once more with stresses of the barrier; twice is the end
      if (stuck) break;
      path.set_stresses(tau);
    }
    stuck = !moved;
    const double variance = path.variance(), aim = m * tau / variance, gap = path.complementarity() / variance;
    out.force = path.force();
    out.converged = gap <= options.gap && (out.force <= options.gap || path.settled(tau));
    if (out.converged) break;
    if (!path.centered(tau) || gap > 3.0 * aim || aim <= options.gap) continue;
    tau *= aim > kNearEnd ? kSlow : kFast;
    if (aim > kLastKick) path.kick(options.seed, 79'000 + static_cast<std::uint32_t>(out.iterations));
  }
  path.move_to(out);
  return out;
}

}  // namespace fewdim
