#include "quality/choice/limits.hpp"

#include <array>

#include "quality/choice/distributions.hpp"

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

std::vector<DistanceLimits> distance_limits(double theta1, double theta2, Index rows, Index components) {
  std::vector<DistanceLimits> limits;
  for (const double confidence : std::array{0.95, 0.99})
    limits.push_back({confidence, t2_limit(rows, components, confidence), spe_limit(theta1, theta2, confidence)});
  return limits;
}

}  // namespace fewdim
