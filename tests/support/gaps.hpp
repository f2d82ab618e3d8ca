#pragma once

#include <limits>

#include "base/random.hpp"
#include "fewdim/types.hpp"

namespace fewdim::test {

/// Rows z Wᵀ + noise with k latent directions of falling strength, means 1, 2, …
inline Matrix<double> low_rank_rows(Index rows, Index cols, Index k, double noise, Seed seed = 5) {
  Matrix<double> w(cols, k), z(rows, k), e(rows, cols);
  fill_normal<double>(seed, 0, w);
  fill_normal<double>(seed, 100, z);
  fill_normal<double>(seed, 200, e);
  for (Index c = 0; c < k; ++c) w.col(c) *= 3.0 / (1.0 + static_cast<double>(c));
  Matrix<double> x = z * w.transpose() + noise * e;
  for (Index j = 0; j < cols; ++j) x.col(j).array() += static_cast<double>(j + 1);
  return x;
}

/// The same with about `share` of the values missing at random; every row keeps one.
inline Matrix<double> with_gaps(Matrix<double> x, double share, Seed seed = 9) {
  for (Index j = 0; j < x.cols(); ++j) {
    const Random random(seed, static_cast<std::uint32_t>(j));
    for (Index i = 0; i < x.rows(); ++i)
      if (j != i % x.cols() && random.uniform(static_cast<std::uint64_t>(i)) < share)
        x(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
  return x;
}

}  // namespace fewdim::test
