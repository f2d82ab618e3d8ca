#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/ica/ica.hpp"

namespace fewdim {

namespace {

constexpr std::string_view stage = "ica";
constexpr std::uint32_t vector_stream = 0x49434800;

/// One tile in so many is enough to come near: its rows are at least 16,384, and 512 for each source.
template <class T>
Index thinning(const WhiteTiles<T>& z) {
  return std::max<Index>(1, z.rows() / std::max<Index>(16'384, 512 * z.cols()));
}

/// Residuals of deflation: source i is stationary among the directions that later sources span.
Vector<double> deflation_residuals(const Matrix<double>& cross) {
  Vector<double> out = Vector<double>::Zero(cross.rows());
  for (Index i = 0; i < cross.rows(); ++i)
    for (Index j = i + 1; j < cross.cols(); ++j) out[i] = std::max(out[i], std::abs(cross(i, j)));
  return out;
}

}  // namespace

/// W ← (M Mᵀ)^-½ M with m_i = s_i (E[g'(y_i)] w_i − E[g(y_i) z]): Newton's step for each source, then all of them
/// orthonormal again (Hyvärinen 1999). The sign keeps m_i on the side of w_i. The first steps look at some of the rows:
/// they come as near as those can tell.
template <class T>
IcaResult fast_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec) {
  const Index k = z.cols();
  constexpr double near = 1e-3;
  constexpr Index most_near_steps = 20;
  IcaResult out;
  out.w = random_rotation(k, request.seed);
  Index every = thinning(z);
  for (;;) {
    const RotationState state = rotation_state(out.w, contrast_moments(z, out.w, request.contrast, exec, every));
    out.residuals = state.residuals;
    const double worst = out.residuals.maxCoeff();
    if (every > 1) {
      if (worst <= near || out.iterations >= std::min(request.iterations / 2, most_near_steps)) {
        every = 1;
        continue;
      }
    } else {
      ++out.passes;
      if (worst <= request.tolerance || out.iterations >= request.iterations) return out;
    }
    Matrix<double> m(k, k);
    for (Index i = 0; i < k; ++i)
      m.row(i) = state.signs[i] * (state.moments.slope[i] * out.w.row(i) - state.moments.cross.row(i));
    out.w = nearest_rotation(m);
    report_progress(exec, stage, ++out.iterations, request.iterations, "iterations");
  }
}

/// One source after the other, each kept orthogonal to those before it.
template <class T>
IcaResult deflation_ica(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec) {
  const Index k = z.cols();
  IcaResult out;
  out.w = Matrix<double>::Zero(k, k);
  for (Index i = 0; i < k; ++i) {
    const auto off_the_others = [&](Matrix<double>& row) {  // twice is enough (Kahan & Parlett)
      for (int again = 0; again < 2; ++again) row -= (row * out.w.topRows(i).transpose()) * out.w.topRows(i);
    };
    Matrix<double> w(1, k);
    const Random random(request.seed, vector_stream + static_cast<std::uint32_t>(i));
    for (Index c = 0; c < k; ++c) w(0, c) = random.normal(static_cast<std::uint64_t>(c));
    off_the_others(w);
    w /= w.norm();
    for (Index step = 0; i + 1 < k; ++step) {  // the last source has no choice
      const ContrastMoments moments = contrast_moments(z, w, request.contrast, exec);
      ++out.passes;
      Matrix<double> gradient = moments.cross;
      off_the_others(gradient);
      const double along = gradient.row(0).dot(w.row(0));
      if ((gradient - along * w).norm() <= request.tolerance || step >= request.iterations) break;
      const double sign = moments.slope[0] - along < 0.0 ? -1.0 : 1.0;
      w = sign * (moments.slope[0] * w - moments.cross);
      off_the_others(w);
      w /= w.norm();
      report_progress(exec, stage, i, k, "sources");
      ++out.iterations;
    }
    out.w.row(i) = w.row(0);
  }
  out.w = nearest_rotation(out.w);
  const RotationState state = rotation_state(out.w, contrast_moments(z, out.w, request.contrast, exec));
  ++out.passes;
  out.residuals = deflation_residuals(state.cross);
  return out;
}

template <class T>
IcaResult separate(const WhiteTiles<T>& z, const IcaRequest& request, const Execution& exec) {
  const Index k = z.cols();
  IcaRequest first = request;
  switch (request.algorithm) {
    case IcaAlgorithm::fastica:
      return fast_ica(z, request, exec);
    case IcaAlgorithm::deflation:
      return deflation_ica(z, request, exec);
    case IcaAlgorithm::jade:
      return jade_ica(z, request, exec);
    case IcaAlgorithm::picard:
    case IcaAlgorithm::picard_o:
      return picard_ica(z, request, random_rotation(k, request.seed), exec);
    case IcaAlgorithm::automatic:
      break;
  }
  // Fixed points are reached in a dozen steps where the model holds; where it does not, a descent is surer.
  constexpr Index fixed_point_steps = 30;
  first.iterations = std::min(request.iterations, fixed_point_steps);
  IcaResult out = fast_ica(z, first, exec);
  if (out.residuals.maxCoeff() <= request.tolerance || first.iterations >= request.iterations) return out;
  IcaRequest rest = request;
  rest.algorithm = IcaAlgorithm::picard_o;
  rest.iterations = request.iterations - first.iterations;
  IcaResult more = picard_ica(z, rest, out.w, exec);
  more.iterations += out.iterations;
  more.passes += out.passes;
  more.picard = true;
  return more;
}

template IcaResult fast_ica(const WhiteTiles<float>&, const IcaRequest&, const Execution&);
template IcaResult fast_ica(const WhiteTiles<double>&, const IcaRequest&, const Execution&);
template IcaResult deflation_ica(const WhiteTiles<float>&, const IcaRequest&, const Execution&);
template IcaResult deflation_ica(const WhiteTiles<double>&, const IcaRequest&, const Execution&);
template IcaResult separate(const WhiteTiles<float>&, const IcaRequest&, const Execution&);
template IcaResult separate(const WhiteTiles<double>&, const IcaRequest&, const Execution&);

}  // namespace fewdim
