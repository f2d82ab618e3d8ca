#include "solvers/routes/decompose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/outside.hpp"
#include "solvers/routes/filled_columns.hpp"
#include "solvers/routes/plan_builder.hpp"
#include "solvers/routes/routes.hpp"

namespace fewdim {

namespace {

void solve(Decomposition& out, Route route, const Dataset& data, const SpectralProblem& problem,
           const Execution& exec) {
  Stopwatch watch(out.seconds);
  const bool by_power =
      route == Route::power && !data.is_sparse() && data.cols() <= 2048;  // cheap to form: steps cost D²
  if (route == Route::covariance || by_power) {
    if (data.is_stream() && data.stream()->rewindable()) data.stream()->rewind();
    const ScatterOptions scatter{problem.center, problem.float64_products, &problem.weights, problem.who};
    Moments moments = row_moments(data, scatter, exec);
    watch.lap("covariance");
    solve_covariance(out, std::move(moments), &data, problem, by_power, exec, watch);
  } else if (route == Route::gram) {
    solve_gram(out, data, problem, exec, watch);
  } else if (route == Route::svd) {
    solve_svd(out, data, problem, exec, watch);
  } else {
    solve_by_products(out, data, problem, route, exec, watch);
  }
}

/// The fastest other route that is sure to end and that memory allows.
std::optional<Route> second_route(const Plan& plan, const Dataset& data) {
  const RouteCost* best = nullptr;
  for (const RouteCost& cost : plan.considered) {
    if (cost.route == plan.route || cost.route == Route::krylov || cost.route == Route::power) continue;
    if (cannot_take(cost) || cost.bytes > plan.memory_limit) continue;
    if (data.is_sparse() && cost.route == Route::svd) continue;  // a dense copy
    if (!best || cost.seconds < best->seconds) best = &cost;
  }
  return best ? std::optional(best->route) : std::nullopt;
}

/// What to do about a fit that did not converge: what works.
std::string advice(const Plan& plan, const Dataset& data, bool asked) {
  if (const auto second = second_route(plan, data))
    return asked ? fmt::format("use {}", set_option("route", word_of(*second))) : "";
  return fmt::format("close eigenvalues make it slow: {}, or {} for another route", lower_option("components"),
                     raise_option("memory_limit"));
}

Decomposition decompose_all(const Dataset& data, const SpectralProblem& problem, const Execution& exec) {
  Plan plan = plan_spectral(shape_of(data), problem, exec);
  const bool asked = problem.route != PcaRoute::automatic;
  Decomposition out;
  try {
    solve(out, plan.route, data, problem, exec);
    out.plan = std::move(plan);
    return out;
  } catch (const NotConverged& failure) {
    const auto second = second_route(plan, data);
    if (asked || !second || (data.is_stream() && !data.stream()->rewindable())) {
      const std::string remedy = advice(plan, data, asked);
      throw NotConverged(remedy.empty() ? failure.marked() : fmt::format("{}; {}", failure.marked(), remedy));
    }
    auto seconds = std::move(out.seconds);
    out = {};
    out.seconds = std::move(seconds);
    solve(out, *second, data, problem, exec);
    retake(plan, *second);
    out.plan = std::move(plan);
    return out;
  }
}

/// The certificate says what the plan has.
Decomposition certified_by_plan(Decomposition out) {
  if (!out.plan) return out;
  out.certificate.route = out.plan->route;
  out.certificate.why = out.plan->why;
  return out;
}

}  // namespace

Decomposition decompose(const Dataset& data, const SpectralProblem& problem, const Execution& exec) {
  require_numbers(data, problem.who);
  if (data.rows() >= 0) require_rows(problem, data.rows(), data.cols());
  if (data.cols() == 0) throw DataError(fmt::format("{}: the data have no columns of numbers", problem.who));
  require_weights(problem, data.rows());
  if (const auto filled = filled_columns(data, problem)) {
    Decomposition out = decompose_all(filled->data, problem, exec);
    out.mean = filled->spread(out.mean);
    out.column_variance = filled->spread(out.column_variance);
    out.vectors = filled->spread(out.vectors);
    out.plan->why.emplace_back(ReasonKind::columns_filled, filled->columns.size(), filled->all);
    return certified_by_plan(std::move(out));
  }
  return certified_by_plan(decompose_all(data, problem, exec));
}

Decomposition decompose_moments(Moments moments, const SpectralProblem& problem, const Execution& exec) {
  Decomposition out;
  Stopwatch watch(out.seconds);
  solve_covariance(out, std::move(moments), nullptr, problem, false, exec, watch);
  out.certificate.route = Route::covariance;
  out.certificate.why = {Reason(ReasonKind::merged_parts)};
  return out;
}

Decomposition recertify(const Dataset& data, const SpectralProblem& problem, const Decomposition& claimed,
                        const Execution& exec) {
  if (const auto filled = filled_columns(data, problem); filled && filled->holds(claimed.vectors)) {
    Decomposition within;
    within.values = claimed.values;
    within.vectors = filled->gathered(claimed.vectors);
    Decomposition out = recertify(filled->data, problem, within, exec);
    out.mean = filled->spread(out.mean);
    out.column_variance = filled->spread(out.column_variance);
    return out;
  }
  Decomposition out;
  const Standardization s = standardize_columns(out, data, problem, exec);
  const Standardized a(data, s, true, exec);
  const SymmetricOperator op = normal_operator(a, out.divisor);
  out.certificate.residuals = relative_residuals(op, claimed.values, claimed.vectors);
  const Index count = claimed.values.size();
  const double last = count > 0 ? claimed.values[count - 1] : 0.0;
  Matrix<double> axes = claimed.vectors;
  const bool orthonormal = orthogonality_defect(axes, exec) * static_cast<double>(std::max<Index>(count, 1)) < 0.1;
  if (orthonormal) polish_orthonormal(axes, exec);
  out.values = claimed.values;
  out.certificate.forming_error = product_error(out, data, true);
  out.values.resize(0);
  const double noise = out.certificate.forming_error * (count > 0 ? claimed.values[0] : 0.0);
  Outside rest{.upper = std::numeric_limits<double>::infinity()};
  if (orthonormal) rest = largest_outside(op, axes, true, last, noise, problem.seed + 1, exec);
  out.found_outside = rest.found;
  complete_certificate(out.certificate, claimed.values, claimed.vectors, {rest.upper, rest.probability}, exec);
  return out;
}

}  // namespace fewdim
