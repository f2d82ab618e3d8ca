#include <fmt/format.h>

#include "quality/choice/criteria.hpp"

namespace fewdim {

// The pieces of a stick broken at random into p: the expected share of the i-th longest is 1/p Σ_{j=i..p} 1/j.
KAdvice broken_stick_advice(const SampleSpectrum& spectrum) {
  const Index p = spectrum.values.size();
  if (spectrum.rank() == 0) return {"broken-stick", -1, "can't say: the data do not vary"};
  Vector<double> expected(p);
  double harmonic = 0.0;
  for (Index i = p; i-- > 0;) {
    harmonic += 1.0 / static_cast<double>(i + 1);
    expected[i] = harmonic / static_cast<double>(p);
  }
  const double total = spectrum.total();
  Index k = 0;
  while (k < p && spectrum.values[k] / total > expected[k]) ++k;
  if (k == p) return {"broken-stick", k, fmt::format("all {} shares exceed those of a stick broken at random", p)};
  return {"broken-stick", k,
          fmt::format("share {} is {:.2f} % of the variance, a stick broken at random into {} has {:.2f} %", k + 1,
                      100.0 * spectrum.values[k] / total, p, 100.0 * expected[k])};
}

KAdvice kaiser_advice(const SampleSpectrum& spectrum) {
  if (spectrum.rank() == 0) return {"kaiser", -1, "can't say: the data do not vary"};
  const double mean = spectrum.total() / static_cast<double>(spectrum.cols);
  // A tie is not above: eigenvalues of equal size differ from their mean by rounding alone.
  const double threshold = mean * (1.0 + 1e-12);
  Index k = 0;
  while (k < spectrum.values.size() && spectrum.values[k] > threshold) ++k;
  const char* verb = k == 1 ? "eigenvalue exceeds" : "eigenvalues exceed";
  if (spectrum.correlation) return {"kaiser", k, fmt::format("{} {} 1, the variance of a scaled column", k, verb)};
  return {"kaiser", k, fmt::format("{} {} {:.4g}, the mean over {} columns that vary", k, verb, mean, spectrum.cols)};
}

// With a common variance the profile log-likelihood is -n/2 log(S(q)/(n-2)) + constant, S(q) the squares around the two
// means; its maximum is the minimum of S.
Index elbow_of(const Vector<double>& values) {
  const Index n = values.size();
  if (n < 2) return n;
  Vector<double> tail(n + 1);  // squares around the mean of values[i..], by Welford from the end
  double mean = 0.0;
  tail[n] = 0.0;
  for (Index i = n; i-- > 0;) {
    const double delta = values[i] - mean;
    mean += delta / static_cast<double>(n - i);
    tail[i] = tail[i + 1] + delta * (values[i] - mean);
  }
  Index best = 1;
  double head = 0.0, least = 0.0;
  mean = 0.0;
  for (Index q = 1; q < n; ++q) {
    const double delta = values[q - 1] - mean;
    mean += delta / static_cast<double>(q);
    head += delta * (values[q - 1] - mean);
    if (q == 1 || head + tail[q] < least) best = q, least = head + tail[q];
  }
  return best;
}

KAdvice elbow_advice(const SampleSpectrum& spectrum) {
  const Index n = spectrum.values.size();
  if (n < 3 || spectrum.rank() == 0)
    return {"elbow", -1, fmt::format("can't say: {} eigenvalue{} no curve", n, n == 1 ? " makes" : "s make")};
  const Index k = elbow_of(spectrum.values);
  return {"elbow", k,
          fmt::format("the scree of {} eigenvalues splits best after {} (profile likelihood of two groups)", n, k)};
}

}  // namespace fewdim
