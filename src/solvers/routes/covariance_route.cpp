#include <algorithm>

#include "operators/tile_products.hpp"
#include "solvers/routes/formed.hpp"
#include "solvers/routes/routes.hpp"

namespace fewdim {

void solve_covariance(Decomposition& out, Moments moments, const Dataset* data, const SpectralProblem& problem,
                      bool by_power, const Execution& exec, Stopwatch& watch) {
  const Index cols = moments.scatter.rows();
  require_rows(problem, moments.rows, cols);
  out.rows = moments.rows;
  out.divisor = divisor_of(problem, out.rows);
  // Weights count by their proportions: they are taken to sum to N.
  const double factor = static_cast<double>(out.rows) / moments.weight / out.divisor;
  Matrix<double> covariance = std::move(moments.scatter);
  covariance *= factor;
  out.column_variance = covariance.diagonal();
  if (problem.center) out.mean = std::move(moments.mean);
  if (problem.scale) {
    out.scale = scales_of(problem, data, out.column_variance, out.mean);
    for (Index j = 0; j < cols; ++j)
      for (Index i = j; i < cols; ++i) covariance(i, j) /= out.scale[i] * out.scale[j];
  }
  out.total = covariance.trace();
  require_variance(problem, out.total);
  symmetrize(covariance);

  const Index limit = component_limit(problem, out.rows, cols);
  const Wanted wanted = wanted_of(problem, limit, out.total);
  FormedEigen eigen =
      by_power ? power_formed(covariance, wanted, problem.tolerance, problem.seed, exec)
               : eigen_formed(covariance, wanted, guess_of(problem, limit), problem.tolerance, problem.seed, exec);
  out.values = std::move(eigen.values);
  out.vectors = std::move(eigen.vectors);
  out.certificate.residuals = std::move(eigen.residuals);
  out.certificate.iterations = eigen.iterations;
  out.certificate.products = eigen.products;
  out.certificate.forming_error =
      forming_error(out.rows, 4096, problem.float64_products) * out.total / std::max(out.values[0], 1e-300) +
      centering_error(out, true);
  take_tail(out, squares_of(covariance));
  finish(out, problem, eigen.outside, allowed_residuals(out.values, out.values.size(), problem.tolerance, kFormedFloor),
         exec, eigen.found_outside);
  watch.lap("eigen");
}

}  // namespace fewdim
