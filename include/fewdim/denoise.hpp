#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/options.hpp"

namespace fewdim {

/// The error that shrunken singular values make least, or the hard threshold: keep those above it as they are.
enum class Shrinkage { frobenius, operator_norm, nuclear, hard };

struct DenoiseOptions {
  Shrinkage shrinkage = Shrinkage::frobenius;
  double noise = from_data;  ///< standard deviation of the noise; from_data: by the median singular value
};

/// Low rank in white noise: Y = X + σZ, both m×n.
struct Denoised {
  Dataset rows;                    ///< the estimate of X, with the names and the precision of Y
  double noise = 0.0;              ///< σ
  Index rank = 0;                  ///< singular values that are not 0 afterwards
  Vector<double> singular_values;  ///< of Y, all
  Vector<double> shrunk;           ///< as many
  /// Root mean square of X̂ − X that the theory expects; what lies below the noise is not counted, as it can't be seen.
  double expected_error = 0.0;
};

/// Every singular value y is replaced by η(y) (Gavish & Donoho 2014, 2017; for the operator norm Leeb 2022). Throws
/// DataError where σ can't be told from the data: half of the singular values are 0.
FEWDIM_API Denoised denoise(const Dataset& data, const DenoiseOptions& options = {}, const Execution& exec = {});

/// η(y) in units of σ√max(m, n), with β = min(m, n)/max(m, n): for y above 1 + √β, else 0.
FEWDIM_API double shrunk_singular_value(double y, double beta, Shrinkage shrinkage);

}  // namespace fewdim
