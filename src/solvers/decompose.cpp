#include "solvers/decompose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/conventions.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "operators/standardized.hpp"
#include "solvers/blocks.hpp"
#include "solvers/certify.hpp"
#include "solvers/direct.hpp"
#include "solvers/formed.hpp"
#include "solvers/power.hpp"
#include "solvers/problem.hpp"

namespace fewdim {

namespace {

class Stopwatch {
 public:
  explicit Stopwatch(Decomposition& out) : out_(out) {}
  void lap(const std::string& stage) {
    const auto now = std::chrono::steady_clock::now();
    out_.seconds.emplace_back(stage, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

 private:
  Decomposition& out_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Signs, clipping of rounding below zero, the bounds, and the verdict on the tolerance.
void finish(Decomposition& out, const SpectralProblem& problem, const Vector<double>& values_and_guard,
            const Execution& exec) {
  for (Index i = 0; i < out.values.size(); ++i) out.values[i] = std::max(out.values[i], 0.0);
  fix_signs(out.vectors);
  Certificate& c = out.certificate;
  c.tolerance = problem.tolerance;
  complete_certificate(c, values_and_guard, out.vectors, exec);
  const double worst = c.residuals.size() > 0 ? c.residuals.maxCoeff() : 0.0;
  c.converged = worst <= problem.tolerance;
  if (!c.converged) {
    Index at = 0;
    c.residuals.maxCoeff(&at);
    throw NotConverged(
        fmt::format("{}: component {} has residual {:.1e}, the tolerance is {:.1e}; raise --tolerance, or use --route "
                    "svd or covariance",
                    problem.who, at + 1, worst, problem.tolerance));
  }
  Index zero = 0;
  while (zero < out.values.size() && out.values[zero] > 1e-14 * out.values[0]) ++zero;
  if (zero < out.values.size())
    c.warnings.push_back(
        fmt::format("component{} {} and after carry no variance: their axes are arbitrary", "", zero + 1));
}

void take_tail(Decomposition& out, double all_squares) {
  double kept = 0.0;
  for (Index i = 0; i < out.values.size(); ++i) kept += out.values[i] * out.values[i];
  out.tail_squares = std::max(0.0, all_squares - kept);
}

double squares_of(const Matrix<double>& a) {
  double sum = 0.0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * a.data()[i];
  return sum;
}

/// D×D: eigenpairs of Σ̂ from its moments.
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
  out.values = eigen.values.head(eigen.vectors.cols());
  out.vectors = std::move(eigen.vectors);
  out.certificate.residuals = std::move(eigen.residuals);
  out.certificate.iterations = eigen.iterations;
  out.certificate.products = eigen.products;
  out.certificate.forming_error =
      forming_error(out.rows, 4096, problem.float64_products) * out.total / std::max(out.values[0], 1e-300);
  take_tail(out, squares_of(covariance));
  finish(out, problem, eigen.values, exec);
  watch.lap("eigen");
}

/// N×N: if Kα = λα with ‖α‖ = 1, then β = Aᵀα/√λ is a unit eigenvector of AᵀA with the same λ.
void solve_gram(Decomposition& out, const Dataset& data, const SpectralProblem& problem, const Execution& exec,
                Stopwatch& watch) {
  const Index rows = data.rows(), cols = data.cols();
  out.rows = rows;
  out.divisor = divisor_of(problem, rows);
  const ScatterOptions scatter{problem.center, problem.float64_products, &problem.weights, problem.who};
  double weight = static_cast<double>(rows);
  if (problem.weights.size() > 0) {
    weight = 0.0;
    for (Index i = 0; i < rows; ++i) weight += problem.weights[i];
  }
  const double factor = static_cast<double>(rows) / weight / out.divisor;
  GramMatrix gram = gram_matrix(data, scatter, problem.scale, 1.0 / factor, exec);
  out.column_variance = gram.column_scatter * factor;
  if (problem.center) out.mean = std::move(gram.mean);
  if (problem.scale) out.scale = scales_of(problem, &data, out.column_variance, out.mean);
  gram.gram *= factor;
  out.total = gram.gram.trace();
  require_variance(problem, out.total);
  symmetrize(gram.gram);
  watch.lap("gram");

  const Index limit = component_limit(problem, rows, cols);
  FormedEigen eigen = eigen_formed(gram.gram, wanted_of(problem, limit, out.total), guess_of(problem, limit),
                                   problem.tolerance, problem.seed, exec);
  out.values = eigen.values.head(eigen.vectors.cols());
  take_tail(out, squares_of(gram.gram));
  gram.gram.resize(0, 0);
  watch.lap("eigen");

  // β = Aᵀα/√(λ·divisor), by column tiles: each writes its own rows of β.
  const Index count = out.values.size();
  const double largest = out.values[0];
  Standardization s{out.mean, {}, {}};
  if (problem.scale) s.inverse_scale = out.scale.cwiseInverse();
  if (problem.weights.size() > 0) s.root_weights = (problem.weights * (static_cast<double>(rows) / weight)).cwiseSqrt();
  out.vectors.resize(cols, count);
  back_project(data, s, problem.float64_products, eigen.vectors, out.vectors, exec);
  Index good = 0;
  for (Index c = 0; c < count; ++c) {
    if (out.values[c] <= 1e-13 * largest) break;
    out.vectors.col(c) /= std::sqrt(out.values[c] * out.divisor);
    ++good;
  }
  // Small eigenvalues have lost digits in K, and zero ones have no direction at all: restore orthonormality in order of
  // importance, so that the leading axes stay as they are.
  if (good < count || orthogonality_defect(out.vectors.leftCols(good), exec) > 1e-12) {
    for (Index c = good; c < count; ++c) out.vectors.col(c).setZero();
    orthonormalize(Matrix<double>(cols, 0), out.vectors, 1e-8, problem.seed, 3'000'000, exec);
  }
  out.certificate.residuals = eigen.residuals;
  for (Index c = 0; c < count; ++c)  // ‖Σβ − λβ‖ = ‖Aᵀr‖/√λ ≤ ‖r‖·√(λ₁/λ)
    out.certificate.residuals[c] = c < good ? eigen.residuals[c] * std::sqrt(largest / out.values[c]) : 1e-13;
  out.certificate.iterations = eigen.iterations;
  out.certificate.products = eigen.products;
  out.certificate.forming_error = forming_error(cols, 4096, problem.float64_products) * out.total / largest;
  finish(out, problem, eigen.values, exec);
  watch.lap("directions");
}

/// Mean, scale and total from the columns alone: what the routes need that never form a matrix.
Standardization standardize_columns(Decomposition& out, const Dataset& data, const SpectralProblem& problem,
                                    const Execution& exec) {
  if (data.is_stream()) data.stream()->rewind();
  const ScatterOptions scatter{problem.center, true, &problem.weights, problem.who};
  ColumnMoments columns = column_moments(data, scatter, exec);
  require_rows(problem, columns.rows, data.cols());
  out.rows = columns.rows;
  out.divisor = divisor_of(problem, out.rows);
  const double factor = static_cast<double>(out.rows) / columns.weight / out.divisor;
  out.column_variance = columns.scatter * factor;
  Standardization s;
  if (problem.center) s.mean = out.mean = columns.mean;
  if (problem.scale) {
    out.scale = scales_of(problem, &data, out.column_variance, out.mean);
    s.inverse_scale = out.scale.cwiseInverse();
  }
  if (problem.weights.size() > 0)
    s.root_weights = (problem.weights * (static_cast<double>(out.rows) / columns.weight)).cwiseSqrt();
  out.total = 0.0;
  for (Index j = 0; j < data.cols(); ++j) out.total += problem.scale ? 1.0 : out.column_variance[j];
  require_variance(problem, out.total);
  return s;
}

SymmetricOperator normal_operator(const Standardized& a, double divisor) {
  return SymmetricOperator(a.cols(), [&a, divisor](ConstBlock<double> x, Block<double> y) {
    a.apply_normal(x, y);
    y /= divisor;
  });
}

/// Residuals of the pairs, and with the same product an estimate of Σ_{i>k} λ_i² from random probes of the complement:
/// E‖P A P ω‖² = ‖P A P‖_F² for ω of unit-variance entries (Hutchinson 1990).
void certify_by_products(Decomposition& out, const SymmetricOperator& op, const SpectralProblem& problem,
                         const Execution& exec) {
  constexpr Index kProbes = 16;
  const Index n = op.size(), count = out.vectors.cols();
  const Index probes = std::min(kProbes, n - count);
  Matrix<double> x(n, count + probes), y(n, count + probes);
  x.leftCols(count) = out.vectors;
  if (probes > 0) {
    Matrix<double> z(n, probes);
    fill_normal<double>(problem.seed, 4'000'000, z);
    subtract(out.vectors, project(out.vectors, z, exec), z, exec);
    x.rightCols(probes) = z;
  }
  op.apply(x, y);
  out.certificate.products += count + probes;
  if (probes > 0) {
    Matrix<double> z = y.rightCols(probes);
    subtract(out.vectors, project(out.vectors, z, exec), z, exec);
    out.tail_squares = squares_of(z) / static_cast<double>(probes);
  }
  for (Index c = 0; c < count; ++c) y.col(c) -= out.values[c] * x.col(c);
  out.certificate.residuals = column_norms(y.leftCols(count)) / std::max(out.values[0], 1e-300);
}

void solve_by_products(Decomposition& out, const Dataset& data, const SpectralProblem& problem,
                       const std::string& route, const Execution& exec, Stopwatch& watch) {
  const Standardization s = standardize_columns(out, data, problem, exec);
  const Standardized a(data, s, problem.float64_products, exec);
  const SymmetricOperator op = normal_operator(a, out.divisor);
  const Index limit = component_limit(problem, out.rows, data.cols());
  const Wanted wanted = wanted_of(problem, limit, out.total);
  watch.lap("mean");
  Vector<double> with_guard;
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
    certify_by_products(out, op, problem, exec);
    watch.lap("certify");
    if (out.certificate.residuals.size() == 0 || out.certificate.residuals.maxCoeff() <= problem.tolerance) break;
  }
  finish(out, problem, with_guard, exec);
}

void solve_svd(Decomposition& out, const Dataset& data, const SpectralProblem& problem, const Execution& exec,
               Stopwatch& watch) {
  const Standardization s = standardize_columns(out, data, problem, exec);
  Matrix<double> copy(out.rows, data.cols());
  const RowTiles<double> tiles(data, s, 16, tile_rows_for(data.cols(), sizeof(double)));
  tiles.scan(exec, "copy", [&](Index, Index first, Index rows, double* tile) {
    copy.middleRows(first, rows) = Eigen::Map<RowMatrix<double>>(tile, rows, data.cols());
  });
  watch.lap("copy");
  ThinSvd svd = svd_dense(copy, false);
  copy.resize(0, 0);
  const Vector<double> values = svd.values.cwiseAbs2() / out.divisor;
  const Index limit = component_limit(problem, out.rows, data.cols());
  const Index take = std::min(wanted_of(problem, limit, out.total)(values), limit);
  out.values = values.head(take);
  out.vectors = svd.v.leftCols(take);
  take_tail(out, values.squaredNorm());
  watch.lap("svd");
  const Standardized a(data, s, true, exec);
  out.certificate.residuals = relative_residuals(normal_operator(a, out.divisor), out.values, out.vectors);
  out.certificate.products = take;
  finish(out, problem, values.head(std::min(take + 1, values.size())), exec);
  watch.lap("certify");
}

}  // namespace

Decomposition decompose(const Dataset& data, const SpectralProblem& problem, const Execution& exec) {
  if (data.rows() >= 0) require_rows(problem, data.rows(), data.cols());
  if (data.cols() == 0) throw DataError(fmt::format("{}: the data have no columns of numbers", problem.who));
  require_weights(problem, data.rows());
  const Plan plan = plan_spectral(shape_of(data), problem, exec);
  Decomposition out;
  Stopwatch watch(out);
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
  Stopwatch watch(out);
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
