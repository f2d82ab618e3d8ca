#include "methods/shared/missing_values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/conventions.hpp"
#include "base/memory.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "methods/shared/spectral.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

namespace {

Index count_of(const ObservedOptions& o, Index rows, Index cols) {
  if (o.components.kind != Components::Kind::count)
    throw InvalidOption(o.who, "components", o.components.text(), "needs rows without missing values",
                        "give a number: " + set_option("components", 5));
  const Index most = std::min(rows - 1, cols - 1);
  const Index count = o.components.count == Components::all ? most : o.components.count;
  if (count < 1 || count > most)
    throw InvalidOption(o.who, "components", o.components.text(),
                        fmt::format("must be between 1 and {} by EM: the noise needs a dimension", most),
                        fmt::format("use {}", set_option("components", std::max<Index>(most, 1))), ErrorKind::data);
  return count;
}

/// PCA of the table with the means in its gaps.
GaussianFactors start_of(const ObservedTable& table, const ObservedOptions& o, Index k, const Execution& exec) {
  SpectralProblem problem;
  problem.who = o.who;
  problem.ddof = 0;
  problem.components = k;
  problem.tolerance = 1e-4;
  problem.seed = o.seed;
  const Decomposition d = decompose(Dataset(table.values), problem, exec);
  const Index cols = table.cols();
  const double noise =
      std::max((d.total - d.values.sum()) / static_cast<double>(cols - k), 1e-3 * d.total / static_cast<double>(cols));
  GaussianFactors f;
  f.mean = d.mean;
  f.loadings = d.vectors;
  for (Index c = 0; c < k; ++c) {  // no column may be zero: EM would leave it there
    const double spread = std::max(d.values[c] - noise, 1e-3 * noise);
    f.loadings.col(c) *= std::sqrt(spread);
  }
  f.noise = Vector<double>::Constant(cols, noise);
  return f;
}

}  // namespace

ObservedAxes observed_axes(const Dataset& data, const ObservedOptions& o, const Execution& exec) {
  if (!data.is_dense())
    throw Unsupported(fmt::format(
        "{}: missing values are filled in for dense rows in memory; sparse rows and streams have none", o.who));
  const Index n = data.rows(), d = data.cols(), k = count_of(o, n, d);
  const std::uint64_t bytes = observed_bytes(n, d) + factor_em_bytes(n, d, k);
  require_memory(exec, bytes, fmt::format("{}: EM with missing values", o.who),
                 lower_option("components") + ", or " + raise_option("memory_limit"));
  const ObservedTable table = observe(data, o.scale, o.ddof, o.who, exec);
  if (!(table.squares.sum() > 0.0))
    throw DataError(fmt::format("{}: every column is constant: there is no variance", o.who));

  ObservedAxes out;
  out.bytes = bytes;
  FactorEmOptions em{.who = o.who, .relevance = o.relevance, .tolerance = o.tolerance, .iterations = o.iterations};
  em.least_noise = 1e-10 * table.squares.sum() / table.observed;
  out.em = fit_factors(table, start_of(table, o, k, exec), em, exec);
  if (!out.em.converged)
    throw NotConverged(fmt::format(
        "{}: after {} steps of EM one still adds {:.1e} to the log-likelihood for each value; the tolerance is {:.1e}: "
        "{} or {}",
        o.who, out.em.iterations, out.em.gain, o.tolerance, raise_option("iterations"), raise_option("tolerance")));
  GaussianFactors& f = out.em.factors;
  FactorEmOptions once = em;
  once.iterations = 2;
  once.relevance = o.relevance;
  const Matrix<double> change = fit_factors(table, f, once, exec).factors.loadings - f.loadings;
  Matrix<double> w = f.loadings;
  ThinSvd svd = svd_dense(w, true);
  Index kept = k;
  if (o.relevance)
    while (kept > 1 &&
           svd.values[kept - 1] * svd.values[kept - 1] < 1e-6 * std::max(svd.values[0] * svd.values[0], f.noise[0]))
      --kept;
  out.vectors = svd.u.leftCols(kept);
  fix_signs(out.vectors);
  out.noise = f.noise[0];
  out.values = svd.values.head(kept).cwiseAbs2().array() + out.noise;
  out.residuals = (change * svd.v.leftCols(kept)).colwise().norm().transpose() / svd.values[0];
  f.loadings = out.vectors * svd.values.head(kept).asDiagonal();
  out.scale = table.scale;
  out.mean = table.center + (table.scale.size() > 0 ? Vector<double>(table.scale.cwiseProduct(f.mean)) : f.mean);
  out.rows = n;
  out.tolerance = o.tolerance;
  out.missing = n * d - static_cast<Index>(table.observed);
  out.patterns = table.patterns();
  for (const auto& piece : table.pieces)
    if (table.masks.row(piece.pattern).maxCoeff() == 0) out.empty_rows += piece.rows;
  if (table.scale.size() > 0) out.em.log_likelihood -= table.counts.dot(table.scale.array().log().matrix());
  return out;
}

namespace {

Reason why_em(const ObservedAxes& axes) {
  if (axes.missing == 0) return Reason(ReasonKind::relevance);
  return Reason(ReasonKind::missing_values, axes.missing, axes.rows * axes.vectors.rows(), axes.patterns);
}

}  // namespace

Plan em_plan(const ObservedAxes& axes, const Dataset& data, const Execution& exec) {
  return PlanBuilder(shape_of(data), exec)
      .consider({.route = Route::em, .bytes = axes.bytes})
      .because(why_em(axes))
      .take(Route::em);
}

Certificate em_certificate(const ObservedAxes& axes) {
  Certificate out;
  out.route = Route::em;
  out.why = {why_em(axes)};
  out.iterations = axes.em.iterations;
  out.tolerance = std::sqrt(axes.tolerance);
  out.converged = true;
  out.residuals = axes.residuals;
  return out;
}

void tell_fit(Model::Head& head, double log_likelihood, Index rows, Index cols, Index k, double noise) {
  // Loadings up to a turn, the mean and the noise.
  const double parameters = static_cast<double>(cols * k - k * (k - 1) / 2 + cols + 1);
  head.diagnostics.emplace_back("bic", -2.0 * log_likelihood + parameters * std::log(static_cast<double>(rows)));
  head.diagnostics.emplace_back("log_likelihood", log_likelihood);
  head.diagnostics.emplace_back("noise_variance", noise);
}

void tell_missing(Model::Head& head, const ObservedAxes& axes) {
  head.diagnostics.emplace_back("missing_values", static_cast<double>(axes.missing));
  head.diagnostics.emplace_back("patterns", static_cast<double>(axes.patterns));
  if (axes.empty_rows > 0)
    head.certificate.warnings.push_back(fmt::format(
        "{} rows have no value at all: they count for nothing, and are filled with the means", axes.empty_rows));
}

void keep_noise(LinearModel& shape, const Vector<double>& values, double noise, Precision precision) {
  shape.loadings = shape.map * (values.array() - noise).max(0.0).sqrt().matrix().asDiagonal();
  shape.noise = Vector<double>::Constant(shape.map.rows(), noise);
  round_to(precision, shape.loadings);
  round_to(precision, shape.noise);
}

}  // namespace fewdim
