#include "solvers/decompose.hpp"

#include <fmt/format.h>

#include "data/checks.hpp"
#include "solvers/certify.hpp"
#include "solvers/routes.hpp"

namespace fewdim {

Decomposition decompose(const Dataset& data, const SpectralProblem& problem, const Execution& exec) {
  require_numbers(data, problem.who);
  if (data.rows() >= 0) require_rows(problem, data.rows(), data.cols());
  if (data.cols() == 0) throw DataError(fmt::format("{}: the data have no columns of numbers", problem.who));
  require_weights(problem, data.rows());
  const Plan plan = plan_spectral(shape_of(data), problem, exec);
  Decomposition out;
  Stopwatch watch(out.seconds);
  const bool by_power =
      plan.route == "power" && !data.is_sparse() && data.cols() <= 2048;  // cheap to form: steps cost D²
  if (plan.route == "covariance" || by_power) {
    if (data.is_stream() && data.stream()->rewindable()) data.stream()->rewind();
    const ScatterOptions scatter{problem.center, problem.float64_products, &problem.weights, problem.who};
    Moments moments = row_moments(data, scatter, exec);
    watch.lap("covariance");
    solve_covariance(out, std::move(moments), &data, problem, by_power, exec, watch);
  } else if (plan.route == "gram") {
    solve_gram(out, data, problem, exec, watch);
  } else if (plan.route == "svd") {
    solve_svd(out, data, problem, exec, watch);
  } else {
    solve_by_products(out, data, problem, plan.route, exec, watch);
  }
  out.certificate.route = plan.route;
  out.certificate.why = plan.why;
  return out;
}

Decomposition decompose_moments(Moments moments, const SpectralProblem& problem, const Execution& exec) {
  Decomposition out;
  Stopwatch watch(out.seconds);
  solve_covariance(out, std::move(moments), nullptr, problem, false, exec, watch);
  out.certificate.route = "covariance";
  out.certificate.why = "merged from parts";
  return out;
}

Decomposition recertify(const Dataset& data, const SpectralProblem& problem, const Decomposition& claimed,
                        const Execution& exec) {
  Decomposition out;
  const Standardization s = standardize_columns(out, data, problem, exec);
  const Standardized a(data, s, true, exec);
  out.certificate.residuals = relative_residuals(normal_operator(a, out.divisor), claimed.values, claimed.vectors);
  complete_certificate(out.certificate, claimed.values, claimed.vectors, exec);
  return out;
}

}  // namespace fewdim
