#include "solvers/factors/rotation.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>

namespace fewdim {

Rotated varimax(const Matrix<double>& loadings) {
  const Index k = loadings.cols();
  Rotated out{loadings, {}, 0};
  if (k < 2) return out;
  const Vector<double> lengths = loadings.rowwise().norm().cwiseMax(1e-300);
  const Matrix<double> x = lengths.cwiseInverse().asDiagonal() * loadings;
  Matrix<double> turn = Matrix<double>::Identity(k, k);
  double before = 0.0;
  for (; out.iterations < 1000; ++out.iterations) {
    const Matrix<double> z = x * turn;
    const Vector<double> means = z.colwise().squaredNorm().transpose() / static_cast<double>(x.rows());
    const Matrix<double> cubes = z.array().cube().matrix() - z * means.asDiagonal();
    const Eigen::JacobiSVD<Matrix<double>> svd(x.transpose() * cubes, Eigen::ComputeThinU | Eigen::ComputeThinV);
    turn = svd.matrixU() * svd.matrixV().transpose();
    const double now = svd.singularValues().sum();
    if (now < before * (1.0 + 1e-14)) break;
    before = now;
  }
  out.loadings = loadings * turn;
  return out;
}

Rotated promax(const Matrix<double>& loadings, double power) {
  Rotated out = varimax(loadings);
  if (loadings.cols() < 2) return out;
  const Matrix<double> target = out.loadings.array() * out.loadings.array().abs().pow(power - 1.0);
  Matrix<double> u = out.loadings.colPivHouseholderQr().solve(target);
  const Vector<double> lengths = (u.transpose() * u).inverse().diagonal().cwiseSqrt();
  u = u * lengths.asDiagonal();
  out.loadings = out.loadings * u;
  const Matrix<double> back = u.inverse();
  out.correlation = back * back.transpose();
  return out;
}

}  // namespace fewdim
