#pragma once

namespace fewdim {

/// Quantiles: x with P(X <= x) = p, 0 < p < 1.
double chi_squared_quantile(double p, double degrees);
double f_quantile(double p, double numerator, double denominator);

}  // namespace fewdim
