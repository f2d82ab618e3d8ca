#include <algorithm>

#include "base/random.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/outside.hpp"
#include "solvers/eigen/power.hpp"
#include "solvers/routes/routes.hpp"

namespace fewdim {

namespace {

/// Σ_{i>k} λ_i² from A Ω, Ω a block of independent normal numbers: E‖P A P ω‖² = ‖P A P‖_F² (Hutchinson 1990), P the
/// projection on the complement of the eigenvectors, where P A ω = P A P ω.
void estimate_tail(Decomposition& out, Matrix<double> products, const Execution& exec) {
  subtract(out.vectors, project(out.vectors, products, exec), products, exec);
  out.tail_squares = squares_of(products) / static_cast<double>(products.cols());
}

/// The same where no such product is at hand.
Matrix<double> probe(const SymmetricOperator& op, const SpectralProblem& problem) {
  constexpr Index kProbes = 16;
  Matrix<double> z(op.size(), std::min(kProbes, op.size())), y(z.rows(), z.cols());
  fill_normal<double>(problem.seed, 4'000'000, z);
  op.apply(z, y);
  return y;
}

}  // namespace

void solve_by_products(Decomposition& out, const Dataset& data, const SpectralProblem& problem, Route route,
                       const Execution& exec, Stopwatch& watch) {
  const Standardization s = standardize_columns(out, data, problem, exec);
  const Standardized a(data, s, problem.float64_products, exec);
  const SymmetricOperator op = normal_operator(a, out.divisor);
  const Standardized wide(data, s, true, exec);
  const SymmetricOperator exact = normal_operator(wide, out.divisor);  // for the certificate
  const Index limit = component_limit(problem, out.rows, data.cols());
  const Wanted wanted = wanted_of(problem, limit, out.total);
  watch.lap("mean");
  Matrix<double> products;
  OutsideBound outside;
  Vector<double> allowed;
  double found_outside = 0.0;
  double inner = problem.tolerance * 0.3;  // the recomputed residual must meet the tolerance, not the solver's estimate
  for (int attempt = 0; attempt < 3; ++attempt, inner *= 0.1) {
    KrylovResult result;
    if (route == Route::power) {
      result = power_largest(op, wanted, 3 * attempt, inner, kPowerSteps, problem.seed, exec);
    } else {
      const KrylovOptions options{.block = data.is_sparse() ? 8 : 16,
                                  .tolerance = inner,
                                  .seed = problem.seed,
                                  .noise = product_noise(data, out.rows, problem.float64_products),
                                  .trace = uncentered_total(out, data),
                                  .semidefinite = true,
                                  .every_step = attempt > 0};
      result = krylov_largest(op, wanted, guess_of(problem, limit), options, exec);
    }
    const Index count = result.vectors.cols();
    out.values = result.values.head(count);
    out.vectors = std::move(result.vectors);
    out.certificate.iterations += result.iterations;
    out.certificate.products += result.products;
    watch.lap(word_of(route));
    products = std::move(result.start_products);
    out.certificate.residuals = relative_residuals(exact, out.values, out.vectors);
    out.certificate.products += count;
    if (count == 0) break;
    // Rounding of the products with float64 is in the certificate; with float32 the residuals show what it cost.
    out.certificate.forming_error = product_error(out, data, true);
    const double floor = std::max(1e-13, product_error(out, data, problem.float64_products));
    allowed = allowed_residuals(out.values, count, problem.tolerance, floor);
    outside = {result.outside_upper, result.outside_probability};
    found_outside = result.found_outside;
    if (route == Route::power) {
      const double last = out.values[count - 1] * (1.0 + problem.tolerance);
      const Outside rest = largest_outside(exact, out.vectors, true, last,
                                           out.certificate.forming_error * out.values[0], problem.seed + 1, exec);
      outside = {rest.upper, rest.probability};
      found_outside = rest.found;
      out.certificate.products += rest.products;
    }
    watch.lap("certify");
    const bool complete = found_outside <= out.values[count - 1] * (1.0 + problem.tolerance) + floor * out.values[0];
    if ((out.certificate.residuals.array() <= allowed.array()).all() && complete) break;
    if (result.stalled) break;
  }
  estimate_tail(out, products.size() > 0 ? std::move(products) : probe(op, problem), exec);
  finish(out, problem, outside, allowed, exec, found_outside);
}

}  // namespace fewdim
