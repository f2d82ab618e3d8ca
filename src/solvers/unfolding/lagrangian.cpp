#include "solvers/unfolding/lagrangian.hpp"

#include <algorithm>
#include <cmath>

namespace fewdim {

double UnfoldingLagrangian::stress_of(Index e, double c) const {
  const double s = multipliers[e] + penalties[e] * c;
  return inequality_ ? std::max(s, 0.0) : s;
}

void UnfoldingLagrangian::evaluate(const UnfoldingMap& y, UnfoldingMap& gradient, const Execution& exec) {
  link_squares(net_, y, excess, exec);
  stress.resize(net_.links());
  for (Index e = 0; e < net_.links(); ++e) {
    excess[e] -= net_.squares[e];
    stress[e] = stress_of(e, excess[e]);
  }
  stress_forces(net_, stress, y, gradient, exec);
}

double UnfoldingLagrangian::line_minimum(const UnfoldingMap& y, const UnfoldingMap& p, const Execution& exec) {
  link_products(net_, y, p, cross_, square_, exec);
  double linear = 0.0, quadratic = 0.0;  // −½Σw‖y + tp‖² has the derivative −(linear + t quadratic)
  for (Index i = 0; i < y.rows(); ++i) {
    double yp = 0.0, pp = 0.0;
    for (Index c = 0; c < y.cols(); ++c) {
      yp += y(i, c) * p(i, c);
      pp += p(i, c) * p(i, c);
    }
    linear += net_.weights[i] * yp;
    quadratic += net_.weights[i] * pp;
  }
  // The derivative along p. Of equalities it is a cubic; of inequalities it is one by pieces.
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
  const double slope = derivative(0.0);
  if (!(slope < 0.0)) return 0.0;
  double low = 0.0, at_low = slope, high = 1.0, at_high = derivative(high);
  while (at_high < 0.0 && high < 1e12) {
    low = high, at_low = at_high;
    high *= 2.0;
    at_high = derivative(high);
  }
  // False position with Illinois's halving; a slope of a ten-thousandth of the first is minimum enough.
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

double UnfoldingLagrangian::violation() const {
  double worst = 0.0;
  for (Index e = 0; e < net_.links(); ++e)
    worst = std::max(worst, (inequality_ ? excess[e] : std::abs(excess[e])) / net_.squares[e]);
  return worst;
}

}  // namespace fewdim
