#include "solvers/factor_ml.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "fewdim/error.hpp"
#include "solvers/direct.hpp"

namespace fewdim {

namespace {

/// F and its derivatives at ψ. With θ the eigenvalues of S* = Ψ^-½SΨ^-½, falling, and ω their vectors:
///
///   F = Σ_{m>k} (θ_m − log θ_m − 1),  ∂F/∂log ψ_j = Σ_{m>k} (1 − θ_m) ω_mj²,  ∂²F ≈ (Σ_{m>k} ω_mi ω_mj)².
struct Point {
  Vector<double> log_psi;
  double value = 0.0;
  Vector<double> gradient;
  Vector<double> values;   ///< θ, all
  Matrix<double> vectors;  ///< ω, all
};

Point evaluate(const Matrix<double>& s, Vector<double> log_psi, Index k) {
  Point p;
  const Vector<double> root = (-0.5 * log_psi.array()).exp().matrix();
  Matrix<double> scaled = root.asDiagonal() * s * root.asDiagonal();
  SymmetricEigen eigen = eigen_symmetric(scaled, s.rows());
  const Index rest = s.rows() - k;
  p.gradient = Vector<double>::Zero(s.rows());
  for (Index m = k; m < s.rows(); ++m) {
    const double theta = std::max(eigen.values[m], 1e-12);  // S may be singular
    p.value += theta - std::log(theta) - 1.0;
  }
  p.gradient = eigen.vectors.rightCols(rest).array().square().matrix() *
               (1.0 - eigen.values.tail(rest).array().max(1e-12)).matrix();
  p.log_psi = std::move(log_psi);
  p.values = std::move(eigen.values);
  p.vectors = std::move(eigen.vectors);
  return p;
}

}  // namespace

FactorMl factor_ml(const Matrix<double>& s, Index k, const FactorMlOptions& o, const Execution& exec) {
  const Index d = s.rows(), rest = d - k;
  const double least = std::log(o.least_uniqueness);
  // Jöreskog's start: (1 − k/2D) / (S⁻¹)_jj.
  const Eigen::LDLT<Matrix<double>> factor(s + 1e-10 * Matrix<double>::Identity(d, d));
  const Vector<double> inverse = factor.solve(Matrix<double>::Identity(d, d)).diagonal();
  const double share = 1.0 - 0.5 * static_cast<double>(k) / static_cast<double>(d);
  Vector<double> start(d);
  for (Index j = 0; j < d; ++j)
    start[j] = std::log(inverse[j] > 0.0 ? std::clamp(share / inverse[j], o.least_uniqueness, 1.0) : 0.5);
  Point at = evaluate(s, start, k);
  FactorMl out;
  const auto is_free = [&](const Point& p, Index j) { return p.log_psi[j] > least || p.gradient[j] < 0.0; };
  const auto steepness = [&](const Point& p) {
    double worst = 0.0;
    for (Index j = 0; j < d; ++j)
      if (is_free(p, j)) worst = std::max(worst, std::abs(p.gradient[j]));
    return worst;
  };
  for (; out.iterations < o.iterations && steepness(at) > o.tolerance; ++out.iterations) {
    report_progress(exec, "factors", out.iterations, 0, "iterations");
    std::vector<Index> open;
    for (Index j = 0; j < d; ++j)
      if (is_free(at, j)) open.push_back(j);
    const auto n = std::ssize(open);
    const Matrix<double> left = at.vectors.rightCols(rest);
    Matrix<double> h(n, n);
    Vector<double> g(n);
    for (Index a = 0; a < n; ++a) {
      g[a] = at.gradient[open[static_cast<std::size_t>(a)]];
      for (Index b = 0; b <= a; ++b) {
        const double inner =
            left.row(open[static_cast<std::size_t>(a)]).dot(left.row(open[static_cast<std::size_t>(b)]));
        h(a, b) = h(b, a) = inner * inner;
      }
    }
    h.diagonal().array() += 1e-10;
    Vector<double> step = -h.ldlt().solve(g);
    const double longest = step.cwiseAbs().maxCoeff();
    if (longest > 2.0) step *= 2.0 / longest;  // ψ changes by a factor of e² at most
    bool better = false;
    for (double length = 1.0; length > 1e-10 && !better; length *= 0.5) {
      Vector<double> next = at.log_psi;
      for (Index a = 0; a < n; ++a) {
        double& value = next[open[static_cast<std::size_t>(a)]];
        value = std::max(least, value + length * step[a]);
      }
      Point trial = evaluate(s, std::move(next), k);
      better = trial.value <= at.value + 1e-4 * length * g.dot(step) ||
               (trial.value <= at.value + 1e-14 && steepness(trial) < steepness(at));
      if (better) at = std::move(trial);
    }
    if (!better) break;
  }
  const Point end = evaluate(s, at.log_psi, k);
  out.gradient = steepness(end);
  out.converged = out.gradient <= o.tolerance;
  out.discrepancy = end.value;
  out.uniquenesses = end.log_psi.array().exp().matrix();
  out.loadings.resize(d, k);
  for (Index c = 0; c < k; ++c)
    out.loadings.col(c) =
        (end.vectors.col(c).array() * (0.5 * end.log_psi.array()).exp() * std::sqrt(std::max(end.values[c] - 1.0, 0.0)))
            .matrix();
  return out;
}

}  // namespace fewdim
