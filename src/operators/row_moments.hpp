#pragma once

#include "operators/scatter.hpp"

namespace fewdim {

/// First and second moments of weighted rows: Σw, the mean, and the scatter Σ w (x−μ)(x−μ)ᵀ about it (about
/// zero when not centered). Only the lower triangle is kept. Parts merge exactly (Chan, Golub & LeVeque 1983).
struct Moments {
  Index rows = 0;
  double weight = 0.0;
  Vector<double> mean;
  Matrix<double> scatter;

  void merge(const Moments& other, bool center);
};

/// One pass over rows that lie in memory or arrive as a stream: tile by tile the mean is taken off first, then
/// the products are formed, so that large means cost no digits.
Moments row_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec);
std::uint64_t row_moments_bytes(Index cols, bool stream, std::size_t scalar_bytes);

}  // namespace fewdim
