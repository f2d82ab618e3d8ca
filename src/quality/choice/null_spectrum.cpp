#include "quality/choice/null_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "quality/choice/distributions.hpp"

namespace fewdim {

// B is lower bidiagonal with independent entries: χ_M, χ_{M-1}, ..., χ_{M-m+1} on the diagonal and χ_{m-1}, ..., χ_1
// below, m = min(n, p), M = max(n, p).
NoiseSpectrum::NoiseSpectrum(Index n, Index p, Seed seed, std::uint32_t replicate) {
  const Index m = std::min(n, p), larger = std::max(n, p);
  const Random random(seed, replicate);
  const auto chi_squared = [&](Index degrees, Index number) {
    return chi_squared_quantile(random.uniform(static_cast<std::uint64_t>(number)), static_cast<double>(degrees));
  };
  const double scale = 1.0 / static_cast<double>(n);
  diagonal_.resize(m);
  off_squared_ = Vector<double>::Zero(m);
  double above = 0.0;  // the squared diagonal entry of the row above
  for (Index i = 0; i < m; ++i) {
    const double on = chi_squared(larger - i, 2 * i);
    const double below = i == 0 ? 0.0 : chi_squared(m - i, 2 * i - 1);
    diagonal_[i] = (on + below) * scale;
    off_squared_[i] = above * below * scale * scale;
    above = on;
  }
}

Index NoiseSpectrum::count_above(double x) const {
  constexpr double tiny = std::numeric_limits<double>::min();
  Index count = 0;
  double pivot = 1.0;
  for (Index i = 0; i < diagonal_.size(); ++i) {
    pivot = diagonal_[i] - x - off_squared_[i] / pivot;
    if (std::abs(pivot) < tiny) pivot = -tiny;
    count += pivot > 0.0;
  }
  return count;
}

double noise_edge(const Vector<double>& variances, Index n) {
  double largest = 0.0;
  for (const double v : variances) largest = std::max(largest, v);
  if (!(largest > 0.0) || n < 1) return 0.0;
  // With t = −m·max(v) in (0, 1) and u_j = v_j/max(v): z = max(v)·(1/t + 1/n Σ u_j/(1 − u_j t)), convex in t.
  const auto edge = [&](double t) {
    double sum = 0.0;
    for (const double v : variances) sum += v / (largest - v * t);
    return 1.0 / t + sum / static_cast<double>(n);
  };
  constexpr double golden = 0.6180339887498949;
  double low = 0.0, high = 1.0;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = edge(a), at_b = edge(b);
  for (int step = 0; step < 90; ++step) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      at_a = edge(a = high - golden * (high - low));
    } else {
      low = a, a = b, at_a = at_b;
      at_b = edge(b = low + golden * (high - low));
    }
  }
  return largest * std::min(at_a, at_b);
}

}  // namespace fewdim
