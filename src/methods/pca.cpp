#include "fewdim/pca.hpp"

#include <fmt/format.h>

#include <array>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "data/hash.hpp"
#include "fewdim/choose_k.hpp"
#include "methods/missing_values.hpp"
#include "methods/spectral.hpp"
#include "methods/spectral_options.hpp"
#include "models/gaussian.hpp"
#include "models/provenance.hpp"
#include "models/sparse_check.hpp"
#include "quality/limits.hpp"
#include "solvers/problem.hpp"

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
  describe_solver(o, field,
                  "largest residual allowed, relative to the component's eigenvalue; 0 means 1e-10, or 1e-5 for float32");
  field(o.missing, {.name = "missing",
                    .help = "rows with missing values: refuse them, or fit to what they have by EM, which also fills "
                            "them in (see `fewdim fill`)"});
  field(o.embedding, {.name = "embedding", .help = "keep the scores of the training rows in the model"});
}

namespace {

SpectralProblem problem_of(const PcaOptions& o, Precision precision) {
  SpectralProblem p = spectral_problem("pca", o, precision);
  p.scale = o.scale;
  p.ddof = o.ddof;
  p.weights = o.weights;
  return p;
}

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

/// Σ̂β = λβ (Pearson 1901, Hotelling 1933), then scores (x−μ̂)·β, and what whitening and the limits add.
Model model_of(const Dataset& data, Decomposition d, const PcaOptions& o) {
  const Precision precision = data.precision();
  LinearModel shape = shape_from(d, precision);
  shape.limits = limits_of(d, data.cols());
  if (o.whiten) scale_scores(shape, precision, inverse_root, "pca", "whiten", "true");
  return Model(head_from("pca", data, std::move(d), options_to_map(o), o.seed, "PC"), std::move(shape));
}

/// Of the weights a model keeps this alone, so that verify can ask for the same ones.
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
  SpectralProblem problem = problem_of(options, data.precision());
  if (problem.weights.size() == 0) problem.weights = data.weights;
  if (problem.weights.size() > 0 && options.components.kind == Components::Kind::criterion)
    throw InvalidOption("pca", "components", options.components.text(),
                        "would count every row alike, and the rows have weights",
                        "use a number or a share of variance");
  const ChooseOptions choose{.scale = options.scale, .ddof = options.ddof, .seed = options.seed, .criteria = {}};
  problem.components = resolve_components(data, options.components, choose, "pca", exec);
  Model model = model_of(data, decompose(data, problem, exec), options);
  if (problem.weights.size() > 0) model.head().options["weights"] = hash_of_weights(problem.weights);
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_pca(const DataShape& shape, const PcaOptions& options, const Execution& exec) {
  return plan_spectral(shape, problem_of(options, shape.precision), exec);
}

struct PcaAccumulator::State {
  Moments moments;
  Precision precision = Precision::float64;
  std::vector<std::string> column_names;

  /// In any order: one float64 part makes a float64 model, and columns keep the names that one part gives them.
  void merge(const State& part) {
    if (part.moments.rows == 0) return;
    if (moments.rows == 0) {
      *this = part;
      return;
    }
    if (part.moments.mean.size() != moments.mean.size())
      throw DataError(fmt::format("pca: parts of {} and {} columns can't be merged", moments.mean.size(),
                                  part.moments.mean.size()));
    if (column_names.empty()) column_names = part.column_names;
    if (!part.column_names.empty() && part.column_names != column_names)
      throw DataError("pca: parts whose columns have other names, or another order, can't be merged");
    if (part.precision == Precision::float64) precision = Precision::float64;
    moments.merge(part.moments, true);
  }
};

PcaAccumulator::PcaAccumulator() : state_(std::make_unique<State>()) {}
PcaAccumulator::PcaAccumulator(PcaAccumulator&&) noexcept = default;
PcaAccumulator& PcaAccumulator::operator=(PcaAccumulator&&) noexcept = default;
PcaAccumulator::~PcaAccumulator() = default;

Index PcaAccumulator::rows() const { return state_->moments.rows; }

void PcaAccumulator::partial_fit(const Dataset& rows, const Execution& exec) {
  require_valid_sparse(rows, "pca");
  require_weights({.who = "pca", .weights = rows.weights}, rows.rows());
  const bool single = rows.precision() == Precision::float32;
  require_memory(exec, row_moments_bytes(rows.cols(), rows.is_stream(), single ? 4 : 8), "pca: the covariance",
                 "fit all rows at once on the gram or krylov route");
  const ScatterOptions scatter{.float64_products = !single, .weights = &rows.weights};
  state_->merge({row_moments(rows, scatter, exec), rows.precision(), rows.column_names});
}

void PcaAccumulator::merge(const PcaAccumulator& other) { state_->merge(*other.state_); }

Model PcaAccumulator::finish(const PcaOptions& options, const Execution& exec) const {
  if (rows() == 0) throw DataError("pca: no rows yet; call partial_fit first");
  if (options.components.kind == Components::Kind::criterion)
    throw InvalidOption("pca", "components", options.components.text(),
                        "needs the rows, which an accumulator does not keep", "use a number or a share of variance");
  if (options.weights.size() > 0)
    throw InvalidOption("pca", "weights", fmt::format("{} numbers", options.weights.size()),
                        "belong to rows, which an accumulator does not keep", "give each part its own");
  if (options.embedding)
    throw InvalidOption("pca", "embedding", "true", "needs the rows, which an accumulator does not keep",
                        "use transform on the parts");
  // Stands for the rows that are gone: precision and names only.
  Dataset head = state_->precision == Precision::float32 ? Dataset(Matrix<float>(0, state_->moments.mean.size()))
                                                         : Dataset(Matrix<double>(0, state_->moments.mean.size()));
  head.column_names = state_->column_names;
  return model_of(head, decompose_moments(state_->moments, problem_of(options, state_->precision), exec), options);
}

const MethodCard& pca_card() {
  static const MethodCard card{
      .name = "pca",
      .title = "Principal components: the directions of largest variance",
      .citation = "Pearson 1901; Hotelling 1933; Jolliffe 2002",
      .fields = fields_of<PcaOptions>(),
      .capabilities = {.extension = Extension::exact, .inverse = true, .sparse = true, .stream = true, .weights = true},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_pca(data, options_from_map<PcaOptions>(map, "pca"), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_pca(shape, options_from_map<PcaOptions>(map, "pca"), exec); }};
  return card;
}

}  // namespace fewdim
