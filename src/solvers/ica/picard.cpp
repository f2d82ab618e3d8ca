#include <Eigen/LU>
#include <cmath>
#include <deque>

#include "base/parallel.hpp"
#include "solvers/ica/ica.hpp"

namespace fewdim {

namespace {

constexpr std::size_t memory = 7;
constexpr Index most_halvings = 10;
constexpr double least_curvature = 0.01;

/// Where the descent stands: the loss Σ_i s_i E[G(y_i)], among all matrices + ½E|y|² − log|det W|, its relative
/// gradient, and the diagonal (among rotations) or 2×2 blocks of the approximate Hessian.
struct Place {
  RotationState state;
  Vector<double> signs;
  Matrix<double> gradient, hessian;
  double loss = 0.0;
  double steepest() const { return gradient.cwiseAbs().maxCoeff(); }
};

class Picard {
 public:
  Picard(bool rotations, double rounding) : rotations_(rotations), rounding_(rounding) {}

  Place place(RotationState state, const Vector<double>& signs) const {
    const Index k = state.w.rows();
    Place p;
    p.signs = signs;
    p.gradient = signs.asDiagonal() * state.cross;
    p.loss = signs.dot(state.moments.value);
    p.hessian.resize(k, k);
    if (rotations_) {
      p.gradient = (0.5 * (p.gradient - p.gradient.transpose())).eval();
      const Vector<double> curvature =
          signs.array() * (state.moments.slope - state.cross.diagonal()).array();  // κ_i, positive by the signs' choice
      for (Index i = 0; i < k; ++i)
        for (Index j = 0; j < k; ++j) p.hessian(i, j) = std::max(0.5 * (curvature[i] + curvature[j]), least_curvature);
    } else {
      const Matrix<double> covariance = state.w * state.w.transpose();  // E[y yᵀ], as z is white
      p.gradient += covariance - Matrix<double>::Identity(k, k);
      p.loss += 0.5 * covariance.trace() - std::log(std::abs(state.w.determinant()));
      for (Index i = 0; i < k; ++i)
        for (Index j = 0; j < k; ++j) p.hessian(i, j) = (1.0 + signs[i] * state.moments.slope[i]) * covariance(j, j);
      regularize(p.hessian);
    }
    p.state = std::move(state);
    return p;
  }

  /// −H̃⁻¹g by the recursion of limited-memory BFGS, with the approximate Hessian as its start.
  Matrix<double> direction(const Place& at) const {
    Matrix<double> q = at.gradient;
    std::vector<double> shares(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      shares[i] = pairs_[i].step.cwiseProduct(q).sum() / pairs_[i].curvature;
      q -= shares[i] * pairs_[i].change;
    }
    q = solve(at.hessian, q);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      q += (shares[i] - pairs_[i].change.cwiseProduct(q).sum() / pairs_[i].curvature) * pairs_[i].step;
    return -q;
  }

  /// By Cayley's map among rotations, (I − D/2)⁻¹(I + D/2)W; W + DW else.
  Matrix<double> moved(const Matrix<double>& w, const Matrix<double>& d) const {
    const Matrix<double> one = Matrix<double>::Identity(w.rows(), w.cols());
    if (!rotations_) return (one + d) * w;
    return (one - 0.5 * d).partialPivLu().solve((one + 0.5 * d) * w);
  }

  bool better(const Place& now, const Place& before) const {
    if (!std::isfinite(now.loss)) return false;
    if (now.loss < before.loss) return true;  // at the end the loss no longer tells, the gradient still does
    return now.steepest() < before.steepest() && now.loss <= before.loss + rounding_ * (1.0 + std::abs(before.loss));
  }

  void remember(const Matrix<double>& step, const Matrix<double>& change) {
    const double curvature = step.cwiseProduct(change).sum();
    if (!(curvature > 0.0)) return;
    pairs_.push_back({step, change, curvature});
    if (pairs_.size() > memory) pairs_.pop_front();
  }
  void forget() { pairs_.clear(); }
  bool knows() const { return !pairs_.empty(); }

 private:
  struct Pair {
    Matrix<double> step, change;
    double curvature;
  };

  /// The lesser eigenvalue of [h_ij 1; 1 h_ji] at least `least_curvature`.
  static void regularize(Matrix<double>& h) {
    for (Index i = 0; i < h.rows(); ++i)
      for (Index j = 0; j <= i; ++j) {
        const double a = h(i, j), b = h(j, i);
        const double least = 0.5 * (a + b - std::sqrt((a - b) * (a - b) + 4.0));
        if (least >= least_curvature) continue;
        h(i, j) += least_curvature - least;
        if (i != j) h(j, i) += least_curvature - least;
      }
  }

  Matrix<double> solve(const Matrix<double>& h, const Matrix<double>& g) const {
    if (rotations_) return g.cwiseQuotient(h);
    Matrix<double> out(g.rows(), g.cols());
    for (Index i = 0; i < g.rows(); ++i)
      for (Index j = 0; j < g.cols(); ++j)
        out(i, j) = i == j ? g(i, i) / (1.0 + h(i, i)) : (g(i, j) * h(j, i) - g(j, i)) / (h(i, j) * h(j, i) - 1.0);
    return out;
  }

  bool rotations_;
  double rounding_;
  std::deque<Pair> pairs_;
};

}  // namespace

/// Preconditioned limited-memory BFGS on the relative gradient (Ablin, Cardoso & Gramfort 2018, "Faster independent
/// component analysis by preconditioning with Hessian approximations", and "Faster ICA under orthogonal constraint").
template <class T>
IcaResult picard_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Matrix<double>& start,
                     const Execution& exec) {
  const bool rotations = request.algorithm != IcaAlgorithm::picard;
  Picard picard(rotations, sizeof(T) == 4 ? 1e-6 : 1e-12);
  IcaResult out;
  const auto look = [&](const Matrix<double>& w) {
    ++out.passes;
    return rotation_state(w, contrast_moments(z, w, request.contrast, exec));
  };
  RotationState first = look(start);
  const Vector<double> signs = first.signs;
  Place at = picard.place(std::move(first), signs);
  while (at.steepest() > request.tolerance && out.iterations < request.iterations) {
    bool found = false;
    Matrix<double> step;
    Place next;
    while (!found) {
      step = picard.direction(at);
      for (Index tries = 0; tries < most_halvings && !found; ++tries) {
        next = picard.place(look(picard.moved(at.state.w, step)), at.signs);
        found = picard.better(next, at);
        if (!found) step *= 0.5;
      }
      if (found || !picard.knows()) break;
      picard.forget();  // a plain step instead
    }
    if (!found) break;
    report_progress(exec, "ica", ++out.iterations, request.iterations, "iterations");
    picard.remember(step, next.gradient - at.gradient);
    const Vector<double> turned = next.state.signs;
    if (turned != next.signs) {  // a source is on the other side of Gaussian: another loss
      picard.forget();
      next = picard.place(std::move(next.state), turned);
    }
    at = std::move(next);
  }
  out.w = rotations ? nearest_rotation(at.state.w) : at.state.w;
  const RotationState last = look(out.w);
  const Place end = picard.place(last, last.signs);
  out.residuals = end.gradient.cwiseAbs().rowwise().maxCoeff();
  return out;
}

template IcaResult picard_ica(const WhiteTiles<float>&, const IcaRequest&, const Matrix<double>&, const Execution&);
template IcaResult picard_ica(const WhiteTiles<double>&, const IcaRequest&, const Matrix<double>&, const Execution&);

}  // namespace fewdim
