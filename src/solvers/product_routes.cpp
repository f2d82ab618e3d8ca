#include <algorithm>

#include "base/random.hpp"
#include "solvers/blocks.hpp"
#include "solvers/certify.hpp"
#include "solvers/power.hpp"
#include "solvers/routes.hpp"

namespace fewdim {

namespace {

/// The residuals of the pairs, recomputed.
void certify_by_products(Decomposition& out, const SymmetricOperator& op) {
  out.certificate.residuals = relative_residuals(op, out.values, out.vectors);
  out.certificate.products += out.vectors.cols();
}

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

void solve_by_products(Decomposition& out, const Dataset& data, const SpectralProblem& problem,
                       const std::string& route, const Execution& exec, Stopwatch& watch) {
  const Standardization s = standardize_columns(out, data, problem, exec);
  const Standardized a(data, s, problem.float64_products, exec);
  const SymmetricOperator op = normal_operator(a, out.divisor);
  const Index limit = component_limit(problem, out.rows, data.cols());
  const Wanted wanted = wanted_of(problem, limit, out.total);
  watch.lap("mean");
  Vector<double> with_guard;
  Matrix<double> products;
  double inner = problem.tolerance * 0.3;  // the recomputed residual must meet the tolerance, not the solver's estimate
  for (int attempt = 0; attempt < 3; ++attempt, inner *= 0.1) {
    KrylovResult result;
    if (route == "power") {
      result = power_largest(op, wanted, inner, kPowerSteps, problem.seed, exec);
    } else {
      const KrylovOptions options{.block = data.is_sparse() ? 8 : 16, .tolerance = inner, .seed = problem.seed};
      result = krylov_largest(op, wanted, guess_of(problem, limit), options, exec);
    }
    out.values = result.values.head(result.vectors.cols());
    with_guard = result.values;
    out.vectors = std::move(result.vectors);
    out.certificate.iterations += result.iterations;
    out.certificate.products += result.products;
    watch.lap(route);
    products = std::move(result.start_products);
    certify_by_products(out, op);
    watch.lap("certify");
    if (out.certificate.residuals.size() == 0 || out.certificate.residuals.maxCoeff() <= problem.tolerance) break;
  }
  estimate_tail(out, products.size() > 0 ? std::move(products) : probe(op, problem), exec);
  finish(out, problem, with_guard, exec);
}

}  // namespace fewdim
