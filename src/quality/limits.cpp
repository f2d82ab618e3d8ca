#include "quality/limits.hpp"

#include <array>
#include <limits>

#include "quality/distributions.hpp"

namespace fewdim {

double t2_limit(Index rows, Index components, double confidence) {
  if (components < 1 || rows <= components) return 0.0;
  const double n = static_cast<double>(rows), k = static_cast<double>(components);
  return k * (n * n - 1.0) / (n * (n - k)) * f_quantile(confidence, k, n - k);
}

double spe_limit(double theta1, double theta2, double confidence) {
  if (!(theta1 > 0.0) || !(theta2 > 0.0)) return 0.0;
  return theta2 / theta1 * chi_squared_quantile(confidence, theta1 / theta2 * theta1);
}

double spe_limit_from_moments(double mean, double variance, double confidence) {
  // A weighted χ² has mean θ1 and variance 2θ2.
  return spe_limit(mean, 0.5 * variance, confidence);
}

std::vector<DistanceLimits> distance_limits(double theta1, double theta2, Index rows, Index components) {
  std::vector<DistanceLimits> limits;
  for (const double confidence : std::array{0.95, 0.99})
    limits.push_back({confidence, t2_limit(rows, components, confidence), spe_limit(theta1, theta2, confidence)});
  return limits;
}

std::vector<DistanceLimits> distance_limits(const Vector<double>& spectrum, Index rows, Index components) {
  // Eigenvalues at the rounding error of the largest are zero: they would make a limit of noise.
  const double floor = spectrum.size() == 0 ? 0.0
                                            : spectrum[0] * static_cast<double>(std::max(rows, spectrum.size())) *
                                                  std::numeric_limits<double>::epsilon();
  double theta1 = 0.0, theta2 = 0.0;
  for (Index i = spectrum.size(); i-- > components;) {
    if (!(spectrum[i] > floor)) continue;
    theta1 += spectrum[i];
    theta2 += spectrum[i] * spectrum[i];
  }
  return distance_limits(theta1, theta2, rows, components);
}

}  // namespace fewdim
