#pragma once

#include <Eigen/QR>
#include <cmath>

#include "base/random.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// Rank-r signal in white noise of deviation 1: singular values strength·(√N + √D)·0.8^i, directions at random. The
/// largest singular value of the noise alone is about √N + √D. Columns get means of 0 to 5.
inline Matrix<double> low_rank_plus_noise(Index rows, Index cols, Index rank, double strength, Seed seed) {
  const auto directions = [&](Index n, std::uint32_t stream) {
    Matrix<double> random(n, rank);
    fill_normal<double>(seed, stream, random);
    return Matrix<double>(Eigen::HouseholderQR<Matrix<double>>(random).householderQ() *
                          Matrix<double>::Identity(n, rank));
  };
  Matrix<double> x(rows, cols);
  fill_normal<double>(seed, 1000, x);
  const Matrix<double> u = directions(rows, 0), v = directions(cols, 100);
  const double edge = std::sqrt(static_cast<double>(rows)) + std::sqrt(static_cast<double>(cols));
  for (Index i = 0; i < rank; ++i)
    x += strength * edge * std::pow(0.8, static_cast<double>(i)) * u.col(i) * v.col(i).transpose();
  for (Index j = 0; j < cols; ++j) x.col(j).array() += static_cast<double>(j % 6);
  return x;
}

}  // namespace fewdim
