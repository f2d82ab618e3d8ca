#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "quality/choice/spectrum.hpp"

namespace fewdim {

struct MomentOptions {
  bool center = true;
  bool scale = false;  ///< divide each column by its deviation
  int ddof = 1;
};

/// The columns' means and deviations with the matrix of inner products on the smaller side of the data.
struct SecondMoments {
  MomentOptions options;
  Index rows = 0;
  Vector<double> mean;      ///< D; zeros when not centered
  Vector<double> variance;  ///< D: of the columns as they are, with divisor N − ddof; exactly 0 for constant ones
  Vector<double> inverse_scale;  ///< D; empty when not scaled; 0 for constant columns
  bool gram = false;             ///< the matrix is N×N instead of D×D
  Matrix<double> products;  ///< lower triangle of X̃ᵀX̃ or X̃X̃ᵀ, X̃ centered and scaled; empty: not formed

  double divisor() const { return static_cast<double>(rows - options.ddof); }
  Index varying_columns() const;
};

/// Whether the smaller side is at most 5,000 and the matrix on it fits the memory limit; else why not.
bool second_moments_fit(const Dataset& data, const Execution& exec, std::string& why_not);

/// One pass over the rows (any kind of data; sparse data are never made dense). Data with more columns than rows get
/// the Gram matrix. Throws DataError on values that are not finite.
SecondMoments second_moments(const Dataset& data, const MomentOptions& options, const Execution& exec);

/// JKJ with J = I − 11ᵀ/n, lower triangle.
void center_both_sides(Matrix<double>& gram);

/// All min(freedom, varying columns) eigenvalues.
SampleSpectrum whole_spectrum(const SecondMoments& moments);

}  // namespace fewdim
