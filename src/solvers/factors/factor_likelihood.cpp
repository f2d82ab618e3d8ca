#include "solvers/factors/factor_likelihood.hpp"

#include <cmath>
#include <utility>

#include "solvers/eigen/direct.hpp"

namespace fewdim {

FactorPoint factor_point(const Matrix<double>& inverse, Vector<double> log_psi, Index factors) {
  const Index d = inverse.rows(), rest = d - factors;
  const Vector<double> root = (0.5 * log_psi.array()).exp().matrix();
  Matrix<double> scaled = root.asDiagonal() * inverse * root.asDiagonal();
  const SymmetricEigen eigen = eigen_symmetric(scaled, d);  // γ, falling
  FactorPoint p;
  p.values = eigen.values.reverse().cwiseMax(1e-300).cwiseInverse();
  p.vectors = eigen.vectors.rowwise().reverse();
  for (Index m = factors; m < d; ++m) p.value += p.values[m] - std::log(p.values[m]) - 1.0;
  p.gradient = p.vectors.rightCols(rest).array().square().matrix() * (1.0 - p.values.tail(rest).array()).matrix();
  p.log_psi = std::move(log_psi);
  return p;
}

Matrix<double> factor_curvature(const FactorPoint& point, Index factors) {
  const Index d = point.log_psi.size(), rest = d - factors;
  const Matrix<double> left = point.vectors.rightCols(rest);
  const Vector<double> theta = point.values.tail(rest);
  Matrix<double> h = (left * theta.asDiagonal() * left.transpose()).cwiseProduct(left * left.transpose());
  for (Index n = 0; n < factors; ++n) {
    // (γ_m + γ_n)/(γ_m − γ_n) = (θ_n + θ_m)/(θ_n − θ_m); equal ones have no derivative, and get a large one.
    const double above = point.values[n];
    const Vector<double> weights =
        ((1.0 - theta.array()) * (above + theta.array()) / (above - theta.array()).max(1e-12 * above)).matrix();
    const Matrix<double> mixed = left * weights.asDiagonal() * left.transpose();
    h += mixed.cwiseProduct(point.vectors.col(n) * point.vectors.col(n).transpose());
  }
  return h;
}

Matrix<double> factor_loadings(const FactorPoint& point, Index factors) {
  Matrix<double> loadings(point.log_psi.size(), factors);
  for (Index c = 0; c < factors; ++c)
    loadings.col(c) = (point.vectors.col(c).array() * (0.5 * point.log_psi.array()).exp() *
                       std::sqrt(std::max(point.values[c] - 1.0, 0.0)))
                          .matrix();
  return loadings;
}

}  // namespace fewdim
