#include "methods/shared/spectrum_report.hpp"

#include <algorithm>
#include <cmath>

namespace fewdim {

SpectrumSums sums_of(const Vector<double>& spectrum, double rounding) {
  SpectrumSums out;
  for (Index i = 0; i < spectrum.size(); ++i) {
    out.absolute += std::abs(spectrum[i]);
    out.positive += std::max(spectrum[i], 0.0);
    out.squares += spectrum[i] * spectrum[i];
    if (spectrum[i] < -rounding * spectrum[0]) ++out.negative;
  }
  if (out.negative > 0) out.negative_share = (out.absolute - out.positive) / out.absolute;
  return out;
}

void report_negative(const SymmetricPairs& pairs, Model::Head& head) {
  auto& out = head.diagnostics;
  if (pairs.spectrum.size() == 0) {
    out.emplace_back("lowest_eigenvalue_at_most", pairs.lowest);
    return;
  }
  const SpectrumSums sums = sums_of(pairs.spectrum);
  out.emplace_back("lowest_eigenvalue", pairs.lowest);
  out.emplace_back("negative_eigenvalues", static_cast<double>(sums.negative));
  out.emplace_back("negative_share", sums.negative_share);
}

void report_fit(const SymmetricPairs& pairs, Model::Head& head) {
  if (pairs.spectrum.size() == 0) return;
  const SpectrumSums sums = sums_of(pairs.spectrum);
  auto& out = head.diagnostics;
  out.emplace_back("goodness_of_fit_absolute", pairs.values.sum() / sums.absolute);
  out.emplace_back("goodness_of_fit_positive", pairs.values.sum() / sums.positive);
  out.emplace_back("goodness_of_fit_squares", pairs.values.squaredNorm() / sums.squares);
}

}  // namespace fewdim
