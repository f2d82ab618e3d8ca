#include "fewdim/ppca.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "methods/shared/missing_values.hpp"
#include "methods/shared/spectral.hpp"
#include "methods/verify/verify.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/gaussian.hpp"
#include "models/shapes/sparse_check.hpp"
#include "solvers/routes/problem.hpp"

namespace fewdim {

/// The one declaration of the options.
template <class Visitor>
void describe(PpcaOptions& o, Visitor&& field) {
  field(o.components, {.name = "components",
                       .flag = 'k',
                       .help = "components to keep: a number (5); without missing values also a share of the variance "
                               "(0.95), auto, or auto:CRITERION (auto:minka is Bayesian)"});
  field(o.scale, {.name = "scale", .help = "divide each column by its standard deviation"});
  field(o.relevance,
        {.name = "relevance",
         .help = "start with as many components as asked for, and drop those that the data don't need (by EM)"});
  field(o.tolerance, {.name = "tolerance",
                      .minimum = 0,
                      .maximum = 1,
                      .help = "of EM: stop when a step adds no more than this to the log-likelihood for each value"});
  field(o.iterations, {.name = "iterations", .minimum = 1, .maximum = 1e9, .help = "steps of EM, at most"});
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the scores of the training rows in the model"});
}

namespace {

constexpr const char* kPpca = "ppca";

SpectralProblem problem_of(const PpcaOptions& o, Precision precision) {
  SpectralProblem p;
  p.who = kPpca;
  p.components = o.components;
  p.scale = o.scale;
  p.ddof = 0;  // maximum likelihood
  p.seed = o.seed;
  p.float64_products = true;
  p.tolerance = precision == Precision::float32 ? 1e-8 : 1e-10;
  return p;
}

/// z given x has the mean M⁻¹Wᵀ(x − μ), M = WᵀW + σ²I: along axis c that is √(λ − σ²)/λ times the score.
void finish_scores(LinearModel& shape, const Vector<double>& values, double noise, Precision precision) {
  shape.output_scale = ((values.array() - noise).max(0.0).sqrt() / values.array().max(1e-300)).matrix();
  round_to(precision, shape.output_scale);
  keep_noise(shape, values, noise, precision);
}

/// −N/2 (D log 2π + log|C| + tr C⁻¹S) with C = WWᵀ + σ²I, the covariance S having eigenvalues `values` and, along all
/// other axes together, `rest`.
double complete_likelihood(const Decomposition& d, Index cols, double noise) {
  const auto k = d.values.size();
  const double rest = std::max(d.total - d.values.sum(), 0.0);
  double log_units = 0.0;
  if (d.scale.size() > 0) log_units = d.scale.array().log().sum();
  const double logs = d.values.array().max(1e-300).log().sum() + static_cast<double>(cols - k) * std::log(noise);
  const double trace = static_cast<double>(k) + rest / noise;
  return -0.5 * static_cast<double>(d.rows) *
         (static_cast<double>(cols) * std::log(2.0 * std::numbers::pi) + logs + trace + 2.0 * log_units);
}

Model fit_complete(const Dataset& data, const PpcaOptions& o, const Execution& exec) {
  SpectralProblem problem = problem_of(o, data.precision());
  const ChooseOptions choose{.scale = o.scale, .ddof = 0, .seed = o.seed, .criteria = {}};
  problem.components = resolve_components(data, o.components, choose, kPpca, exec);
  Decomposition d = decompose(data, problem, exec);
  const Index cols = data.cols(), k = d.values.size();
  const double left = cols > k ? (d.total - d.values.sum()) / static_cast<double>(cols - k) : 0.0;
  const double least = 1e-10 * d.total / static_cast<double>(cols);
  const double noise = std::max(left, least);
  const double likelihood = complete_likelihood(d, cols, noise), rows = static_cast<double>(d.rows);
  LinearModel shape = shape_from(d, data.precision());
  finish_scores(shape, d.values, noise, data.precision());
  Model::Head head = head_from(kPpca, data, std::move(d), options_to_map(o), o.seed, "Z");
  tell_fit(head, likelihood, static_cast<Index>(rows), cols, k, noise);
  if (left < least)
    head.certificate.warnings.push_back(fmt::format(
        "{} components leave no variance to the noise: it is taken as {:.1e}, and likelihoods mean little; {}", k,
        noise, lower_option("components")));
  return Model(std::move(head), std::move(shape));
}

Model fit_observed(const Dataset& data, const PpcaOptions& o, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const ObservedAxes axes = observed_axes(data,
                                          {.who = kPpca,
                                           .components = o.components,
                                           .scale = o.scale,
                                           .ddof = 0,
                                           .relevance = o.relevance,
                                           .tolerance = o.tolerance,
                                           .iterations = o.iterations,
                                           .seed = o.seed},
                                          exec);
  watch.lap("em");
  const Precision precision = data.precision();
  const Index k = axes.values.size(), cols = data.cols();
  LinearModel shape;
  shape.mean = axes.mean;
  shape.scale = axes.scale;
  shape.map = axes.vectors;
  round_to(precision, shape.mean);
  round_to(precision, shape.scale);
  round_to(precision, shape.map);
  shape.explained_variance = axes.values;
  shape.total_variance = (axes.values.array() - axes.noise).sum() + axes.noise * static_cast<double>(cols);
  shape.explained_variance_ratio = axes.values / shape.total_variance;
  shape.singular_values = (axes.values * static_cast<double>(axes.rows)).cwiseSqrt();
  finish_scores(shape, axes.values, axes.noise, precision);

  Model::Head head;
  head.method = kPpca;
  head.precision = precision;
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, axes.rows, o.seed);
  head.feature_names = data.column_names;
  for (Index c = 1; c <= k; ++c) head.component_names.push_back(fmt::format("Z{}", c));
  head.seconds = std::move(seconds);
  head.certificate = em_certificate(axes);
  head.plan = em_plan(axes, data, exec);
  tell_fit(head, axes.em.log_likelihood, axes.rows, cols, k, axes.noise);
  tell_missing(head, axes);
  return Model(std::move(head), std::move(shape));
}

}  // namespace

Model fit_ppca(const Dataset& data, const PpcaOptions& options, const Execution& exec) {
  require_numbers(data, kPpca);
  require_nonempty(data, kPpca);
  require_valid_sparse(data, kPpca);
  const bool step_by_step = options.relevance || has_missing(data, exec);
  Model model = step_by_step ? fit_observed(data, options, exec) : fit_complete(data, options, exec);
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_ppca(const DataShape& shape, const PpcaOptions& options, const Execution& exec) {
  return plan_spectral(shape, problem_of(options, shape.precision), exec);
}

const MethodCard& ppca_card() {
  static const MethodCard card{
      .name = kPpca,
      .title = "Probabilistic PCA: likelihood, missing values, posterior means",
      .citation = "Tipping & Bishop 1999",
      .task = Task::linear,
      .use_when = "Use it when values are missing, or when you need a likelihood that says how well rows fit.",
      .fields = fields_of<PpcaOptions>(),
      .takes = {.kinds = {DataKind::rows}, .sparse = true, .stream = true, .missing = Support::yes},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::directions, ResultKind::left_vectors,
                            ResultKind::loadings, ResultKind::row_statistics, ResultKind::column_statistics,
                            ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::biplot, PictureKind::circle, PictureKind::residual}},
      .verified_by = VerifiedBy::likelihood,
      .python_class = "PPCA",
      .page = "docs/methods/ppca.md",
      .examples = {{"fewdim ppca gaps.csv -k 2 -m gaps.fewdim -o scores.csv", "a table with missing values"},
                   {"fewdim fill gaps.fewdim gaps.csv -o whole.csv", "then fill them in"},
                   {"fewdim ppca @iris -k auto:minka", "the number of components by Minka's criterion"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_ppca(data, options_from_map<PpcaOptions>(map, kPpca), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_ppca(shape, options_from_map<PpcaOptions>(map, kPpca), exec); },
      .verify = verify_likelihood};
  return card;
}

}  // namespace fewdim
