#pragma once

#include "fewdim/model.hpp"
#include "solvers/eigen/symmetric.hpp"

/// What the whole spectrum of a symmetric matrix says of the components kept and of negative eigenvalues.
namespace fewdim {

struct SpectrumSums {
  double absolute = 0.0;        ///< Σ|λ|
  double positive = 0.0;        ///< Σ max(λ, 0)
  double squares = 0.0;         ///< Σλ²
  double negative_share = 0.0;  ///< of Σ|λ|: what negative eigenvalues have
  Index negative = 0;           ///< eigenvalues below 0 by more than rounding
};

/// Of a whole spectrum; `rounding` relative to the largest.
SpectrumSums sums_of(const Vector<double>& spectrum, double rounding = 1e-10);

/// Adds what negative eigenvalues there are: their number, their share and the lowest. Where only some eigenvalues are
/// known, the lowest of them, which is a bound from above.
void report_negative(const SymmetricPairs& pairs, Model::Head& head);

/// Adds three measures of fit for the pairs kept, where the whole spectrum is known: Σλ_c/Σ|λ| and Σλ_c/Σmax(λ,0),
/// the two numbers of R's cmdscale()$GOF, and Σλ_c²/Σλ². The first and the last are Mardia's (1978).
void report_fit(const SymmetricPairs& pairs, Model::Head& head);

}  // namespace fewdim
