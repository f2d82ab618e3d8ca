#include "solvers/eigen/symmetric.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/conventions.hpp"
#include "base/remedy.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/krylov.hpp"
#include "solvers/routes/problem.hpp"

namespace fewdim {

namespace {

/// Tolerance of the pairs that nobody has asked for.
constexpr double kLoose = 1e-6;

/// An eigenvalue this small beside the largest is rounding.
constexpr double kNothing = 1e-13;

bool whole_by_lapack(Index size, Index count) { return size <= 800 || count > size / 12; }

SpectralProblem counting(const SymmetricProblem& problem) {
  SpectralProblem p;
  p.who = problem.who;
  p.components = problem.components;
  return p;
}

Index positive(const SymmetricProblem& problem, const Vector<double>& values) {
  Index count = 0;
  const double nothing = std::max({0.0, problem.nothing, kNothing * values[0]});
  while (count < values.size() && values[count] > nothing) ++count;
  return count;
}

void require_count(const SymmetricProblem& problem) {
  const Components& c = problem.components;
  if (c.kind == Components::Kind::count && c.count != Components::all && (c.count < 1 || c.count > problem.limit))
    throw InvalidOption(problem.who, "components", std::to_string(c.count),
                        fmt::format("must be between 1 and {}", problem.limit),
                        fmt::format("use {} or less", set_option("components", problem.limit)),
                        c.count < 1 ? ErrorKind::usage : ErrorKind::data);
  if (c.kind == Components::Kind::share && !(c.share > 0.0 && c.share <= 1.0))
    throw InvalidOption(problem.who, "components", fmt::format("{}", c.share),
                        "as a share must be above 0 and at most 1", "use a whole number for a count");
}

/// How many of the pairs found are returned: those asked for, if they are positive.
Index taken(const SymmetricProblem& problem, const Vector<double>& values, bool all_found) {
  const Index there = positive(problem, values);
  if (there == 0) throw DataError(fmt::format("{}: no eigenvalue is positive: all objects are alike", problem.who));
  const SpectralProblem p = counting(problem);
  const Index wanted = wanted_of(p, problem.limit, problem.total)(values.head(there));
  if (problem.components.kind == Components::Kind::share) return wanted > 0 ? std::min(wanted, there) : there;
  if (wanted <= there || problem.components.count == Components::all) return std::min(wanted, there);
  throw DataError(fmt::format("{}: {} components are asked for, and {} {} positive; use {}{}", problem.who, wanted,
                              all_found ? "only" : "at most",
                              there == 1 ? "1 eigenvalue is" : fmt::format("{} eigenvalues are", there),
                              set_option("components", there), there == 1 ? "" : " or less"));
}

/// The matrix itself, by its products with the columns of the identity.
Matrix<double> formed(const SymmetricOperator& op) {
  constexpr Index kColumns = 64;
  const Index n = op.size();
  Matrix<double> out(n, n);
  for (Index first = 0; first < n; first += kColumns) {
    const Index count = std::min(kColumns, n - first);
    Matrix<double> unit = Matrix<double>::Zero(n, count);
    for (Index c = 0; c < count; ++c) unit(first + c, c) = 1.0;
    op.apply(unit, out.middleCols(first, count));
  }
  return out;
}

/// The pairs found that are kept: those asked for, and more where the problem says so.
Index kept(const SymmetricProblem& problem, const Vector<double>& values, Index wanted) {
  return std::min(positive(problem, values), std::max(wanted, problem.at_least));
}

}  // namespace

void SymmetricPairs::keep_wanted() {
  const auto cut = [&](auto& list) { list = list.head(std::min<Index>(wanted, list.size())).eval(); };
  if (wanted < values.size())  // the next one is outside now
    certificate.outside_bound =
        std::max(certificate.outside_bound, values[wanted] / values[0] + certificate.value_bounds[wanted]);
  vectors = vectors.leftCols(wanted).eval();
  cut(values);
  cut(certificate.residuals);
  cut(certificate.value_bounds);
  cut(certificate.angle_bounds);
  certificate.groups.resize(std::min(certificate.groups.size(), static_cast<std::size_t>(wanted)));
}

std::uint64_t symmetric_pairs_bytes(Index size, Index count) {
  const auto n = static_cast<std::uint64_t>(size);
  if (whole_by_lapack(size, count)) return 3 * n * n * sizeof(double);
  return 2 * n * static_cast<std::uint64_t>(krylov_basis(size, count, 16)) * sizeof(double);
}

SymmetricPairs symmetric_pairs(const SymmetricOperator& op, const SymmetricProblem& problem, const Execution& exec) {
  require_count(problem);
  const Index n = op.size();
  const SpectralProblem p = counting(problem);
  const Index at_least = std::min(problem.at_least, problem.limit);
  const Index guess = std::min(n, std::max(guess_of(p, problem.limit), at_least));
  SymmetricPairs out;
  OutsideBound outside;
  const double floor = problem.rounding;
  double found_outside = 0.0;
  if (whole_by_lapack(n, guess)) {
    Matrix<double> a = formed(op);
    SymmetricEigen eigen = eigen_symmetric(a, n);
    out.wanted = taken(problem, eigen.values, true);
    const Index count = kept(problem, eigen.values, out.wanted);
    out.vectors = eigen.vectors.leftCols(count);
    out.values = eigen.values.head(count);
    outside = known_outside(eigen.values, count);
    out.lowest = eigen.values[n - 1];
    out.spectrum = std::move(eigen.values);
    out.certificate.residuals = relative_residuals(op, out.values, out.vectors);
    out.certificate.route = Route::direct;
    out.certificate.why = {Reason(ReasonKind::whole_spectrum, n)};
  } else {
    double inner = 0.3 * problem.tolerance;  // the recomputed residual must meet the tolerance, not the estimate
    const Wanted enough = [&, wanted = wanted_of(p, problem.limit, problem.total)](const Vector<double>& values) {
      const Index count = wanted(values);
      return count < 0 ? count : std::max(count, at_least);
    };
    for (int attempt = 0; attempt < 3; ++attempt, inner *= 0.1) {
      KrylovOptions options{.block = 16,
                            .tolerance = inner,
                            .seed = problem.seed,
                            .stage = "eigen",
                            .floor = 0.3 * problem.rounding,
                            .noise = problem.rounding,
                            .every_step = attempt > 0};
      if (problem.components.kind == Components::Kind::count && problem.components.count < at_least) {
        options.loose_from = problem.components.count;
        options.loose_tolerance = std::max(inner, kLoose);
      }
      KrylovResult result = krylov_largest(op, enough, guess, options, exec);
      out.certificate.iterations += result.iterations;
      out.certificate.products += result.products;
      out.lowest = result.lowest;
      out.wanted = std::min(taken(problem, result.values, false), result.vectors.cols());
      const Index count = std::min(kept(problem, result.values, out.wanted), result.vectors.cols());
      out.values = result.values.head(count);
      out.vectors = result.vectors.leftCols(count);
      outside = {result.outside_upper, result.outside_probability};
      if (count < result.values.size())  // those left are outside, too
        outside.upper = std::max(outside.upper, result.values[count] + floor * result.values[0]);
      found_outside = result.found_outside;
      out.certificate.residuals = relative_residuals(op, out.values, out.vectors);
      out.certificate.products += count;
      const Vector<double> allowed = allowed_residuals(out.values, out.wanted, problem.tolerance, floor);
      if ((out.certificate.residuals.head(out.wanted).array() <= allowed.array()).all() && result.converged) break;
      if (result.stalled) break;
    }
    out.certificate.route = Route::krylov;
    out.certificate.why = {Reason(ReasonKind::some_pairs, out.vectors.cols(), n)};
  }
  outside.upper = std::max(outside.upper, 0.0);
  fix_signs(out.vectors);
  Certificate& c = out.certificate;
  c.tolerance = problem.tolerance;
  complete_certificate(c, out.values, out.vectors, outside, exec);
  const Vector<double> allowed = allowed_residuals(out.values, out.wanted, problem.tolerance, floor);
  Index at = 0;
  const double worst = (c.residuals.head(out.wanted).array() / allowed.array()).maxCoeff(&at);
  c.converged = worst <= 1.0 && found_outside == 0.0;
  if (found_outside > 0.0)
    throw NotConverged(fmt::format("{}: an eigenvalue of {:.6g} was missed, above that of component {}, {:.6g}; {}",
                                   problem.who, found_outside, out.wanted, out.values[out.wanted - 1],
                                   raise_option("components")));
  if (!c.converged)
    throw NotConverged(
        fmt::format("{}: component {} of {} has a residual of {:.1e} of its eigenvalue, the tolerance is {:.1e}; its "
                    "eigenvalue is too close to the next ones for so few steps: {}, or {}",
                    problem.who, at + 1, out.wanted, c.residuals[at] * out.values[0] / out.values[at],
                    problem.tolerance, lower_option("components"), raise_option("components")));
  return out;
}

}  // namespace fewdim
