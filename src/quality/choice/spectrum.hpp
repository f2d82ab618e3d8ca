#pragma once

#include <limits>

#include "fewdim/types.hpp"

namespace fewdim {

/// The eigenvalues that the criteria judge, and the shape of the data they come from.
struct SampleSpectrum {
  Vector<double> values;  ///< of the covariance (or of AᵀA), descending; all min(freedom, cols) of them
  Index rows = 0;         ///< objects
  Index cols = 0;         ///< features that vary; constant ones hold neither signal nor noise
  bool centered = true;
  bool correlation = false;  ///< every column was scaled to variance 1
  bool whole = true;         ///< all min(freedom, cols) values are there; false: only the leading ones
  double known_total = 0.0;  ///< of all eigenvalues, for a spectrum that is not whole

  /// Independent rows: centering spends one.
  Index freedom() const { return rows - (centered ? 1 : 0); }
  double total() const {
    if (!whole) return known_total;
    double sum = 0.0;
    for (Index i = values.size(); i-- > 0;) sum += values[i];  // smallest first
    return sum;
  }
  /// Eigenvalues above the rounding error of a formed covariance, max(N, D)·ε·λ₁.
  Index rank() const {
    if (values.size() == 0 || !(values[0] > 0.0)) return 0;
    const double size = static_cast<double>(rows > cols ? rows : cols);
    const double floor = values[0] * size * std::numeric_limits<double>::epsilon();
    Index count = 0;
    while (count < values.size() && values[count] > floor) ++count;
    return count;
  }
};

}  // namespace fewdim
