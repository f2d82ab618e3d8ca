#pragma once

#include <cmath>

#include "base/random.hpp"

/// Sources for tests of ICA, and ways to mix them.
namespace fewdim::test {

/// Independent columns of mean 0 and variance 1 in the sample: Laplacian, uniform and cubes of normals, in turn; with
/// `gaussians` normal ones at the end.
inline Matrix<double> sources(Index rows, Index cols, Index gaussians = 0, Seed seed = 1) {
  Matrix<double> s(rows, cols);
  for (Index c = 0; c < cols; ++c) {
    const Random random(seed, static_cast<std::uint32_t>(c));
    for (Index i = 0; i < rows; ++i) {
      const auto at = static_cast<std::uint64_t>(i);
      const double u = random.uniform(at), normal = random.normal(at);
      const double laplace = u < 0.5 ? std::log(2.0 * u) : -std::log(2.0 - 2.0 * u);
      s(i, c) = c >= cols - gaussians ? normal : c % 3 == 0 ? laplace : c % 3 == 1 ? u : normal * normal * normal;
    }
    s.col(c).array() -= s.col(c).mean();
    s.col(c) /= std::sqrt(s.col(c).squaredNorm() / static_cast<double>(rows));
  }
  return s;
}

inline Matrix<double> mixing(Index sources, Index cols, Seed seed = 2) {
  Matrix<double> a(sources, cols);
  fill_normal<double>(seed, 500, a);
  return a;
}

}  // namespace fewdim::test
