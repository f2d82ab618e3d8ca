#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "quality/choice/criteria.hpp"

namespace fewdim {

namespace {

/// log of a difference that is positive in exact arithmetic: nearly equal eigenvalues count as ε apart.
double log_gap(double larger, double smaller) {
  return std::log(std::max(larger - smaller, larger * std::numeric_limits<double>::epsilon()));
}

}  // namespace

// log p(D|k) = log p(U) - N/2 Σ_{i<=k} log λ_i - N(d-k)/2 log v + (m+k)/2 log 2π - ½ log|A| - k/2 log N
//   v = mean of the d-k last eigenvalues, m = dk - k(k+1)/2
//   p(U) = 2^-k Π_{i<=k} Γ((d-i+1)/2) π^-(d-i+1)/2
//   |A| = Π_{i<=k} Π_{i<j<=d} N (1/l_j - 1/l_i)(λ_i - λ_j), l_j = λ_j for j<=k, v beyond
// A common factor of the eigenvalues adds the same to every k, so the normalizer does not matter. The pairs of |A|
// that do not involve v grow with k and are kept as running sums: O(d²) for all k together.
Vector<double> minka_log_evidence(const Vector<double>& values, Index observations) {
  const Index d = values.size();
  Vector<double> evidence(d);
  Vector<double> tail(d + 1);  // tail[k] = Σ_{i>=k} λ_i
  tail[d] = 0.0;
  for (Index i = d; i-- > 0;) tail[i] = tail[i + 1] + values[i];

  const double n = static_cast<double>(observations), log_n = std::log(n);
  double log_prior = 0.0, log_values = 0.0, pairs = 0.0;
  for (Index k = 0; k < d; ++k) {
    if (k > 0) {
      const Index i = k - 1;  // the component that joins
      const double half = 0.5 * static_cast<double>(d - i);
      log_prior += std::lgamma(half) - half * std::log(std::numbers::pi) - std::numbers::ln2;
      log_values += std::log(values[i]);
      for (Index j = i + 1; j < d; ++j) pairs += log_gap(values[i], values[j]);
      for (Index j = 0; j < i; ++j) pairs += log_gap(1.0 / values[i], 1.0 / values[j]);
    }
    const double kept = static_cast<double>(k), left = static_cast<double>(d - k);
    const double noise = tail[k] / left;
    double log_det = pairs;
    for (Index i = 0; i < k; ++i) log_det += left * log_gap(1.0 / noise, 1.0 / values[i]);
    const double m = static_cast<double>(d) * kept - 0.5 * kept * (kept + 1.0);
    log_det += m * log_n;
    evidence[k] = log_prior - 0.5 * n * (log_values + left * std::log(noise)) +
                  0.5 * (m + kept) * std::log(2.0 * std::numbers::pi) - 0.5 * log_det - 0.5 * kept * log_n;
  }
  return evidence;
}

KAdvice minka_advice(const SampleSpectrum& spectrum) {
  const Index rank = spectrum.rank();
  if (rank < 2)
    return {"minka", -1, fmt::format("can't say: the data have rank {}, there is no noise to compare with", rank)};
  // With more columns than rows the noise spectrum is that of `cols` observations in `freedom` dimensions (the Gram
  // matrix of white noise is Wishart with cols degrees of freedom), so the two sides change roles.
  const bool transposed = spectrum.cols > spectrum.freedom();
  const Index observations = transposed ? spectrum.cols : spectrum.rows;
  const Vector<double> evidence = minka_log_evidence(spectrum.values.head(rank), observations);
  Index best = 0;
  for (Index k = 1; k < rank; ++k)
    if (evidence[k] > evidence[best]) best = k;
  std::string sentence = fmt::format("the Bayesian evidence is largest at {} among 0 to {} components", best, rank - 1);
  if (transposed) sentence += ", with rows and columns in exchanged roles since there are more columns";
  return {"minka", best, sentence};
}

}  // namespace fewdim
