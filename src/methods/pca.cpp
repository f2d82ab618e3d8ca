#include "fewdim/pca.hpp"

#include <fmt/format.h>

#include <array>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/hash.hpp"
#include "fewdim/choose_k.hpp"
#include "methods/pca_model.hpp"
#include "methods/shared/missing_values.hpp"
#include "methods/shared/spectral.hpp"
#include "methods/shared/spectral_options.hpp"
#include "methods/verify/verify.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/gaussian.hpp"
#include "models/shapes/sparse_check.hpp"
#include "quality/choice/limits.hpp"
#include "solvers/routes/problem.hpp"

namespace fewdim {

template <>
struct EnumNames<Missing> {
  static constexpr std::array names{std::pair{Missing::refuse, "refuse"}, std::pair{Missing::em, "em"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(PcaOptions& o, Visitor&& field) {
  field(o.components,
        {.name = "components",
         .flag = 'k',
         .help = "components to keep: a number (50), a share of the variance (0.95), all, auto, or auto:CRITERION"});
  field(o.scale, {.name = "scale", .help = "divide each column by its standard deviation (correlation PCA)"});
  field(o.whiten, {.name = "whiten", .help = "give the scores unit variance"});
  field(o.ddof, {.name = "ddof",
                 .minimum = 0,
                 .maximum = 1,
                 .help = "normalizer N-ddof: 1 as R and scikit-learn, 0 as the lecture notes"});
  describe_solver(
      o, field, "largest residual allowed, relative to the component's eigenvalue; 0 means 1e-10, or 1e-5 for float32");
  field(
      o.missing,
      {.name = "missing",
       .help =
           "rows with missing values: refuse them, or fit to what they have by EM, after which they can be filled in"});
  field(o.embedding, {.name = "embedding", .help = "keep the scores of the training rows in the model"});
}

SpectralProblem pca_problem(const PcaOptions& o, Precision precision) {
  SpectralProblem p = spectral_problem("pca", o, precision);
  p.scale = o.scale;
  p.ddof = o.ddof;
  p.weights = o.weights;
  return p;
}

PcaOptions pca_options_of(const OptionMap& map) { return options_from_map<PcaOptions>(map, "pca"); }

namespace {

/// θ₂ comes from a difference, or from random probes: it is kept within what θ₁ and the number of axes allow. The
/// limits are for eigenvalues with divisor N−1; with another, T² = Σ y²/λ grows as λ shrinks, and SPE stays as it is.
std::vector<DistanceLimits> limits_of(const Decomposition& d, Index cols) {
  const Index count = d.values.size(), rest = std::min(cols, d.rows - 1) - count;
  const double unbiased = d.divisor / static_cast<double>(d.rows - 1);
  double theta1 = d.total - d.values.sum(), theta2 = 0.0;
  if (rest <= 0 || theta1 <= 1e-12 * d.total)
    theta1 = 0.0;
  else
    theta2 = std::clamp(d.tail_squares, theta1 * theta1 / static_cast<double>(rest), theta1 * theta1);
  auto limits = distance_limits(theta1 * unbiased, theta2 * unbiased * unbiased, d.rows, count);
  for (DistanceLimits& limit : limits) limit.t2 *= unbiased;
  return limits;
}

}  // namespace

/// Σ̂β = λβ (Pearson 1901, Hotelling 1933), then scores (x−μ̂)·β, and what whitening and the limits add.
Model pca_model(const Dataset& data, Decomposition d, const PcaOptions& o) {
  const Precision precision = data.precision();
  LinearModel shape = shape_from(d, precision);
  shape.limits = limits_of(d, data.cols());
  if (o.whiten) scale_scores(shape, precision, inverse_root, "pca", "whiten", "true");
  return Model(head_from("pca", data, std::move(d), options_to_map(o), o.seed, "PC"), std::move(shape));
}

namespace {

std::string hash_of_weights(const Vector<double>& weights) {
  return hash_of(
      {reinterpret_cast<const char*>(weights.data()), static_cast<std::size_t>(weights.size()) * sizeof(double)});
}

/// PCA of rows with missing values: the axes and variances of probabilistic PCA, fitted to the values that are there.
Model fit_observed(const Dataset& data, const PcaOptions& o, const Execution& exec) {
  if (o.weights.size() > 0 || data.weights.size() > 0)
    throw InvalidOption("pca", "missing", "em", "takes no weights", "leave them out, or fill in the values before");
  Model::Head head;
  Stopwatch watch(head.seconds);
  const ObservedAxes axes = observed_axes(
      data, {.who = "pca", .components = o.components, .scale = o.scale, .ddof = o.ddof, .seed = o.seed}, exec);
  watch.lap("em");
  const Index cols = data.cols();
  const Precision precision = data.precision();
  const double unbiased = static_cast<double>(axes.rows) / static_cast<double>(axes.rows - o.ddof);
  const Vector<double> values = unbiased * axes.values;
  const double noise = unbiased * axes.noise;
  LinearModel shape;
  shape.mean = axes.mean;
  shape.scale = axes.scale;
  shape.map = axes.vectors;
  round_to(precision, shape.mean);
  round_to(precision, shape.scale);
  round_to(precision, shape.map);
  shape.explained_variance = values;
  shape.total_variance = (values.array() - noise).sum() + noise * static_cast<double>(cols);
  shape.explained_variance_ratio = values / shape.total_variance;
  shape.singular_values = (axes.values * static_cast<double>(axes.rows)).cwiseSqrt();
  keep_noise(shape, values, noise, precision);
  if (o.whiten) scale_scores(shape, precision, inverse_root, "pca", "whiten", "true");
  head.method = "pca";
  head.precision = precision;
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, axes.rows, o.seed);
  head.feature_names = data.column_names;
  for (Index c = 1; c <= values.size(); ++c) head.component_names.push_back(fmt::format("PC{}", c));
  head.certificate = em_certificate(axes);
  head.plan = em_plan(axes, data, exec);
  tell_fit(head, axes.em.log_likelihood, axes.rows, cols, values.size(), noise);
  tell_missing(head, axes);
  return Model(std::move(head), std::move(shape));
}

}  // namespace

Model fit_pca(const Dataset& data, const PcaOptions& options, const Execution& exec) {
  require_valid_sparse(data, "pca");
  if (options.missing == Missing::em && has_missing(data, exec)) {
    Model model = fit_observed(data, options, exec);
    if (options.embedding) keep_scores(model, data, exec);
    return model;
  }
  SpectralProblem problem = pca_problem(options, data.precision());
  if (problem.weights.size() == 0) problem.weights = data.weights;
  if (problem.weights.size() > 0 && options.components.kind == Components::Kind::criterion)
    throw InvalidOption("pca", "components", options.components.text(),
                        "would count every row alike, and the rows have weights",
                        "use a number or a share of variance");
  const ChooseOptions choose{.scale = options.scale, .ddof = options.ddof, .seed = options.seed, .criteria = {}};
  problem.components = resolve_components(data, options.components, choose, "pca", exec);
  Model model = pca_model(data, decompose(data, problem, exec), options);
  if (problem.weights.size() > 0) model.head().provenance.weights_hash = hash_of_weights(problem.weights);
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_pca(const DataShape& shape, const PcaOptions& options, const Execution& exec) {
  return plan_spectral(shape, pca_problem(options, shape.precision), exec);
}

const MethodCard& pca_card() {
  static const MethodCard card{
      .name = "pca",
      .title = "Principal components: the directions of largest variance",
      .citation = "Pearson 1901; Hotelling 1933; Jolliffe 2002",
      .task = Task::linear,
      .use_when =
          "Use it when columns of numbers vary together and you want a few directions that keep most of their "
          "variance.",
      .fields = fields_of<PcaOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::images},
                .sparse = true,
                .stream = true,
                .missing = Support::on_request,
                .weights = true},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::directions, ResultKind::left_vectors,
                            ResultKind::loadings, ResultKind::row_statistics, ResultKind::column_statistics,
                            ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::biplot, PictureKind::circle, PictureKind::residual}},
      .verified_by = VerifiedBy::decomposition,
      .python_class = "PCA",
      .page = "docs/methods/pca.md",
      .examples = {{"fewdim pca cells.csv -k 50 -m cells.fewdim -o scores.csv", "fit; keep the model and the scores"},
                   {"fewdim pca @digits -k 2 --plot digits.svg", "a built-in table, drawn"},
                   {"fewdim pca - -k 2 -o - < cells.csv | head", "in a pipe"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_pca(data, options_from_map<PcaOptions>(map, "pca"), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_pca(shape, options_from_map<PcaOptions>(map, "pca"), exec); },
      .verify = verify_decomposition};
  return card;
}

}  // namespace fewdim
