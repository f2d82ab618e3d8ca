#include "solvers/eigen/krylov_outside.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/outside.hpp"

namespace fewdim {

namespace {

/// The number of eigenvalues that can be above x > μ. In the basis and outside of it A is [T F; Fᵀ C] with C ≤ μ and F
/// the coupling of the last block alone, so that A ≤ [T F; Fᵀ μ]; where that minus x has its inertia (Sylvester) is
/// told by T − x + FFᵀ/(x − μ).
Index most_above(const KrylovSpace& s, double x, double mu) {
  Matrix<double> t = s.projected.topLeftCorner(s.size, s.size);
  if (s.pending > 0) t.bottomRightCorner(s.last_block, s.last_block) += s.coupling.transpose() * s.coupling / (x - mu);
  return eigenvalues_above(t, x);
}

}  // namespace

double largest_of(const Ritz& ritz) { return std::max(ritz.values.size() > 0 ? ritz.values[0] : 0.0, 1e-300); }

double noise_of(const Ritz& ritz, const KrylovOptions& options) {
  const double largest = largest_of(ritz);
  return std::max(options.noise * std::sqrt(largest * std::max(largest, options.trace)), options.least_noise);
}

double floor_of(const Ritz& ritz, const KrylovOptions& options) {
  return std::max(options.floor * largest_of(ritz), 0.1 * noise_of(ritz, options));
}

double allowed(const Ritz& ritz, Index c, const KrylovOptions& options) {
  const bool loose = options.loose_from >= 0 && c >= options.loose_from;
  const double part = loose ? options.loose_tolerance : options.tolerance;
  return std::max(part * std::max(ritz.values[c], 0.0), floor_of(ritz, options));
}

double worst_of(const Ritz& ritz, Index count, const KrylovOptions& options) {
  double worst = 0.0;
  for (Index c = 0; c < std::min(count, ritz.residuals.size()); ++c)
    worst = std::max(worst, ritz.residuals[c] / allowed(ritz, c, options));
  return worst;
}

Beyond probe_beyond(const KrylovSpace& s, const SymmetricOperator& a, double last, double limit, double floor,
                    const KrylovOptions& options, std::uint32_t turn, KrylovResult& result, const Execution& exec) {
  const Index most = std::max<Index>(16, result.iterations / 4);
  constexpr double kBelow = 0.9;  // of the last eigenvalue: the basis itself tells of what lies between
  OutsideProbe probe(a, s.basis.leftCols(s.size), options.semidefinite, options.seed + 7919 * (turn + 1), exec);
  while (probe.steps() < most && !probe.exhausted()) {
    probe.step();
    if (probe.found() > limit || probe.upper() <= std::max(kBelow * last, floor)) break;
  }
  result.products += probe.products();
  Beyond out{probe.upper(), probe.found(), {}};
  if (out.found > limit) out.directions = probe.directions(OutsideProbe::kStarts);
  return out;
}

double upper_after(const KrylovSpace& s, const Ritz& ritz, Index count, const Beyond& beyond, double limit,
                   const KrylovOptions& options) {
  const double noise = noise_of(ritz, options) + (s.skipped ? 1e-8 * largest_of(ritz) : 0.0);
  const double next = ritz.values.size() > count ? ritz.values[count] : 0.0;
  const double last = count > 0 ? ritz.values[count - 1] : limit, gap = std::max(last - next, 0.0);
  const double size = std::max(std::abs(last), noise);
  for (const double x :
       {next + 0.02 * gap + 1e-12 * size, next + 0.2 * gap, next + 0.5 * gap, limit, last + 1e-8 * size,
        last + 1e-5 * size, last + 1e-3 * size, last + 0.01 * size, last + 0.1 * size, last + size, last + 10 * size}) {
    if (!(x > beyond.upper + 1e-6 * std::abs(beyond.upper)) || !(x > next)) continue;
    if (most_above(s, x, beyond.upper) <= count) return x + noise;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace fewdim
