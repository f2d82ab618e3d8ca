#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "quality/choice/criteria.hpp"

namespace fewdim {

namespace {

double side_ratio(Index rows, Index cols) {
  return static_cast<double>(std::min(rows, cols)) / static_cast<double>(std::max(rows, cols));
}

Index count_above(const Vector<double>& descending, double threshold) {
  Index count = 0;
  while (count < descending.size() && descending[count] > threshold) ++count;
  return count;
}

double median(const Vector<double>& descending) {
  const Index n = descending.size();
  return 0.5 * (descending[(n - 1) / 2] + descending[n / 2]);
}

/// P(X > 1 + β + 2√β cos θ) for the Marchenko-Pastur law. With that substitution the density becomes
/// (2/π) sin²θ / (A + B cos θ), A = 1 + β, B = 2√β, whose integral from 0 is elementary.
double upper_tail(double beta, double theta) {
  const double root = std::sqrt(beta), a = 1.0 + beta, b = 2.0 * root;
  const double angle = std::atan((1.0 - root) / (1.0 + root) * std::tan(0.5 * theta));
  return 2.0 / std::numbers::pi * ((a * theta - 2.0 * (1.0 - beta) * angle) / (b * b) - std::sin(theta) / b);
}

}  // namespace

double hard_threshold(double beta) {
  const double s = beta + 1.0;
  return std::sqrt(2.0 * s + 8.0 * beta / (s + std::sqrt(beta * beta + 14.0 * beta + 1.0)));
}

double marchenko_pastur_median(double beta) {
  if (beta < 1e-8) return 1.0;  // the law has width 4√β around 1, its median is O(β) from it; the tail would cancel
  double low = 0.0, high = std::numbers::pi;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (upper_tail(beta, middle) < 0.5 ? low : high) = middle;
  }
  return 1.0 + beta + 2.0 * std::sqrt(beta) * std::cos(0.5 * (low + high));
}

double hard_threshold_to_median(double beta) { return hard_threshold(beta) / std::sqrt(marchenko_pastur_median(beta)); }

Index denoising_rank(const Vector<double>& singular_values, Index rows, Index cols) {
  if (singular_values.size() == 0) return -1;
  const double middle = median(singular_values);
  if (!(middle > 0.0)) return -1;
  return count_above(singular_values, hard_threshold_to_median(side_ratio(rows, cols)) * middle);
}

KAdvice gavish_donoho_advice(const SampleSpectrum& spectrum) {
  const Index rank = spectrum.rank();
  const Index smaller = spectrum.values.size();
  if (rank < 2 || 2 * rank <= smaller)
    return {"gavish-donoho", -1,
            fmt::format("can't say: the rank is {} of {}, the median singular value shows no noise", rank, smaller)};
  Vector<double> singular = Vector<double>::Zero(smaller);
  for (Index i = 0; i < rank; ++i) singular[i] = std::sqrt(spectrum.values[i]);  // a common factor cancels
  const Index k = denoising_rank(singular, spectrum.freedom(), spectrum.cols);
  const double omega = hard_threshold_to_median(side_ratio(spectrum.freedom(), spectrum.cols));
  return {"gavish-donoho", k,
          fmt::format("{} singular value{} {:.3f} times the median, the threshold for {}×{} with white noise", k,
                      k == 1 ? " exceeds" : "s exceed", omega, spectrum.freedom(), spectrum.cols)};
}

}  // namespace fewdim
