#include "solvers/factors/factor_ml.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/factors/factor_likelihood.hpp"

namespace fewdim {

namespace {

constexpr double kLongest = 2.0;  ///< a step changes ψ by a factor of e² at most

/// One search: its end, and how it came to it.
struct Search {
  FactorPoint end;
  Index iterations = 0;
  bool at_rounding = false;
};

/// The gradient of what may move: not of what is at its bound and pushed against it.
double steepness(const FactorPoint& p, const Vector<double>& least) {
  double worst = 0.0;
  for (Index j = 0; j < least.size(); ++j)
    if (p.log_psi[j] > least[j] || p.gradient[j] < 0.0) worst = std::max(worst, std::abs(p.gradient[j]));
  return worst;
}

/// −|H|⁻¹g: Newton's step where H is positive definite, and where it is not, one down along each of its vectors.
Vector<double> downhill(Matrix<double> h, const Vector<double>& g) {
  const Eigen::LLT<Matrix<double>> factor(h);
  if (factor.info() == Eigen::Success && factor.rcond() > 1e-10) return -factor.solve(g);
  const SymmetricEigen eigen = eigen_symmetric(h, h.rows());
  const Vector<double> sizes = eigen.values.cwiseAbs();
  const double floor = 1e-10 * std::max(1.0, sizes.maxCoeff());
  return -(eigen.vectors * (eigen.vectors.transpose() * g).cwiseQuotient(sizes.cwiseMax(floor)));
}

/// Bertsekas's two-metric projection: what lies at its bound, or within ε of it, and is pushed against it goes there;
/// the rest takes Newton's step; both are cut off at the bounds, and halved until the discrepancy falls.
Vector<double> direction(const FactorPoint& at, const Vector<double>& least, Index factors, double steep) {
  const double near = std::min(1e-2, steep);
  std::vector<Index> open;
  Vector<double> step = Vector<double>::Zero(least.size());
  for (Index j = 0; j < least.size(); ++j) {
    if (at.log_psi[j] <= least[j] + near && at.gradient[j] > 0.0)
      step[j] = least[j] - at.log_psi[j];
    else
      open.push_back(j);
  }
  if (open.empty()) return step;
  const Matrix<double> h = factor_curvature(at, factors);
  Vector<double> newton = downhill(h(open, open), at.gradient(open));
  const double longest = newton.cwiseAbs().maxCoeff();
  if (longest > kLongest) newton *= kLongest / longest;
  step(open) = newton;
  return step;
}

template <class Report>
Search search(const Matrix<double>& inverse, Index k, Vector<double> start, const Vector<double>& least,
              const FactorMlOptions& o, Report&& report) {
  Search s{factor_point(inverse, start.cwiseMax(least), k)};
  double steep = steepness(s.end, least);
  for (; s.iterations < o.iterations && steep > o.tolerance; ++s.iterations) {
    report();
    const Vector<double> step = direction(s.end, least, k, steep);
    bool better = false;
    for (double length = 1.0; length > 1e-10 && !better; length *= 0.5) {
      const Vector<double> next = (s.end.log_psi + length * step).cwiseMax(least);
      const double promised = std::min(0.0, s.end.gradient.dot(next - s.end.log_psi));
      FactorPoint trial = factor_point(inverse, next, k);
      const double slope = steepness(trial, least);
      // At rounding the value says no more, the gradient still does.
      better = trial.value < s.end.value ? trial.value <= s.end.value + 1e-4 * promised
                                         : trial.value <= s.end.value + 1e-13 && slope < steep;
      if (!better) continue;
      s.end = std::move(trial);
      steep = slope;
    }
    if (better) continue;
    s.at_rounding = true;
    break;
  }
  return s;
}

/// The first is Jöreskog's, (1 − k/2D) (1 − R²_j); then what principal components leave; one half; and random ones, of
/// 1 − R², of powers of Jöreskog's, and of the whole in turn.
Vector<double> start_of(Index which, const Matrix<double>& s, const Vector<double>& unexplained, Index k, Seed seed) {
  const Index d = s.rows();
  const Vector<double> first =
      (unexplained.array() * (1.0 - 0.5 * static_cast<double>(k) / static_cast<double>(d))).log().matrix();
  if (which == 0) return first;
  if (which == 1) {
    Matrix<double> copy = s;
    const SymmetricEigen eigen = eigen_symmetric(copy, k);
    const Matrix<double> loadings = eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
    return (1.0 - loadings.rowwise().squaredNorm().array()).max(1e-9).log().matrix();
  }
  if (which == 2) return Vector<double>::Constant(d, std::log(0.5));
  const Random random(seed, static_cast<std::uint32_t>(which));
  Vector<double> out(d);
  for (Index j = 0; j < d; ++j) {
    const double u = random.uniform(static_cast<std::uint64_t>(j));
    out[j] = which % 3 == 0 ? std::log(u * unexplained[j]) : which % 3 == 1 ? u * first[j] : std::log(u);
  }
  return out;
}

}  // namespace

Vector<double> least_uniquenesses(const Matrix<double>& inverse, double least) {
  return (least * (inverse.diagonal().array() * 0.4).inverse().min(1.0)).matrix();
}

Index factor_ml_starts(Index features) {
  // A step takes about 20 D³ operations: up to 70 features the 24 starts take less than a second together.
  const double cubed = std::pow(static_cast<double>(features), 3.0);
  return static_cast<Index>(std::clamp(8e6 / cubed, 2.0, 24.0));
}

std::uint64_t factor_ml_bytes(Index features, Index starts, const Execution& exec) {
  const auto d = static_cast<std::uint64_t>(features);
  const auto n = static_cast<std::uint64_t>(starts > 0 ? starts : factor_ml_starts(features));
  const auto at_once = std::min(n, static_cast<std::uint64_t>(thread_count(exec)));
  return (n + 8 * at_once) * d * d * sizeof(double);
}

FactorMl factor_ml(const Matrix<double>& s, Index k, const FactorMlOptions& o, const Execution& exec) {
  const Index d = s.rows();
  Matrix<double> inverse = Eigen::LDLT<Matrix<double>>(s).solve(Matrix<double>::Identity(d, d));
  inverse = (0.5 * (inverse + inverse.transpose())).eval();
  const Vector<double> unexplained = inverse.diagonal().cwiseInverse().cwiseMin(1.0);
  FactorMl out;
  out.least = least_uniquenesses(inverse, o.least_uniqueness);
  const Vector<double> least = out.least.array().log().matrix();
  out.starts = o.starts > 0 ? o.starts : factor_ml_starts(d);
  std::vector<Search> found(static_cast<std::size_t>(out.starts));
  std::mutex door;
  Index done = 0;
  parallel_for(exec, out.starts, [&](Index which) {
    const auto report = [&] {
      const std::lock_guard lock(door);
      report_progress(exec, "factors", done, out.starts, "starts");
    };
    Search& one = found[static_cast<std::size_t>(which)];
    one = search(inverse, k, start_of(which, s, unexplained, k, o.seed).cwiseMin(0.0), least, o, report);
    const std::lock_guard lock(door);
    ++done;
  });
  const auto same = [&](double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); };
  double best = found.front().end.value;
  for (const Search& one : found) best = std::min(best, one.end.value);
  // Of equal ends the first that has converged: a tie does not depend on rounding then.
  const Search* taken = nullptr;
  for (const Search& one : found) {
    if (!same(one.end.value, best)) continue;
    ++out.starts_there;
    const bool converged = steepness(one.end, least) <= o.tolerance;
    if (taken != nullptr && (out.converged || !converged)) continue;
    taken = &one;
    out.converged = converged;
  }
  if (taken == nullptr) taken = &found.front();  // not a number: it has not converged
  const FactorPoint end = factor_point(inverse, taken->end.log_psi, k);
  out.gradient = steepness(end, least);
  out.converged = out.gradient <= o.tolerance;
  out.at_rounding = taken->at_rounding;
  out.iterations = taken->iterations;
  out.discrepancy = end.value;
  out.uniquenesses = end.log_psi.array().exp().matrix();
  out.loadings = factor_loadings(end, k);
  return out;
}

}  // namespace fewdim
