#include "fewdim/pca.hpp"

#include <array>

#include "base/describe.hpp"
#include "data/hash.hpp"
#include "fewdim/choose_k.hpp"
#include "methods/pca_options.hpp"
#include "methods/spectral.hpp"
#include "quality/limits.hpp"

namespace fewdim {

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
  field(o.route,
        {.name = "route", .help = "how to compute it; auto weighs shape, sparsity, k and memory, and says why"});
  field(o.accuracy, {.name = "accuracy", .help = "high computes float32 data with float64 products"});
  field(o.tolerance,
        {.name = "tolerance",
         .minimum = 0,
         .maximum = 1,
         .help = "largest residual allowed, relative to the largest eigenvalue; 0 means 1e-10, or 1e-5 for float32"});
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the scores of the training rows in the model"});
}

namespace {

SpectralProblem problem_of(const PcaOptions& o, Precision precision) {
  SpectralProblem p;
  p.who = "pca";
  p.scale = o.scale;
  p.ddof = o.ddof;
  p.weights = o.weights;
  p.components = o.components;
  p.route = o.route;
  p.float64_products = precision == Precision::float64 || o.accuracy == Accuracy::high;
  p.tolerance = o.tolerance > 0.0 ? o.tolerance : default_tolerance(precision, o.accuracy);
  p.seed = o.seed;
  return p;
}

/// θ₂ comes from a difference, or from random probes: it is kept within what θ₁ and the number of axes allow.
std::vector<DistanceLimits> limits_of(const Decomposition& d, Index cols) {
  const Index count = d.values.size(), rest = std::min(cols, d.rows - 1) - count;
  const double theta1 = d.total - d.values.sum();
  if (rest <= 0 || theta1 <= 1e-12 * d.total) return distance_limits(0.0, 0.0, d.rows, count);
  const double theta2 = std::clamp(d.tail_squares, theta1 * theta1 / static_cast<double>(rest), theta1 * theta1);
  return distance_limits(theta1, theta2, d.rows, count);
}

/// Σ̂β = λβ (Pearson 1901, Hotelling 1933), then scores (x−μ̂)·β, and what whitening and the limits add.
Model model_of(const Dataset& data, Decomposition d, const PcaOptions& o) {
  const Precision precision = data.precision();
  const Index count = d.vectors.cols();
  LinearModel shape = shape_from(d, precision);
  shape.limits = limits_of(d, data.cols());
  if (o.whiten) {
    shape.output_scale.resize(count);
    for (Index i = 0; i < count; ++i) {
      if (!(d.values[i] > 1e-14 * d.values[0]))
        throw InvalidOption("pca", "whiten", "true",
                            fmt::format("can't scale component {}: it carries no variance", i + 1),
                            fmt::format("use -k {} or less", i));
      shape.output_scale[i] = 1.0 / std::sqrt(d.values[i]);
    }
    round_to(precision, shape.output_scale);
  }
  return Model(head_from("pca", data, std::move(d), options_to_map(o), o.seed, "PC"), std::move(shape));
}

/// Of the weights a model keeps this alone, so that verify can ask for the same ones.
std::string hash_of_weights(const Vector<double>& weights) {
  return hash_of(
      {reinterpret_cast<const char*>(weights.data()), static_cast<std::size_t>(weights.size()) * sizeof(double)});
}

}  // namespace

Model fit_pca(const Dataset& data, const PcaOptions& options, const Execution& exec) {
  SpectralProblem problem = problem_of(options, data.precision());
  if (problem.weights.size() == 0) problem.weights = data.weights;
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
};

PcaAccumulator::PcaAccumulator() : state_(std::make_unique<State>()) {}
PcaAccumulator::PcaAccumulator(PcaAccumulator&&) noexcept = default;
PcaAccumulator& PcaAccumulator::operator=(PcaAccumulator&&) noexcept = default;
PcaAccumulator::~PcaAccumulator() = default;

Index PcaAccumulator::rows() const { return state_->moments.rows; }

void PcaAccumulator::partial_fit(const Dataset& rows, const Execution& exec) {
  if (state_->moments.rows > 0 && rows.cols() != state_->moments.mean.size())
    throw DataError(
        fmt::format("pca: this part has {} columns, the parts before it {}", rows.cols(), state_->moments.mean.size()));
  const ScatterOptions scatter{.float64_products = rows.precision() == Precision::float64};
  if (state_->moments.rows == 0) {
    state_->precision = rows.precision();
    state_->column_names = rows.column_names;
  }
  state_->moments.merge(row_moments(rows, scatter, exec), true);
}

void PcaAccumulator::merge(const PcaAccumulator& other) {
  if (other.rows() == 0) return;
  if (rows() > 0 && other.state_->moments.mean.size() != state_->moments.mean.size())
    throw DataError(fmt::format("pca: parts of {} and {} columns can't be merged", state_->moments.mean.size(),
                                other.state_->moments.mean.size()));
  if (rows() == 0)
    *state_ = *other.state_;
  else
    state_->moments.merge(other.state_->moments, true);
}

Model PcaAccumulator::finish(const PcaOptions& options, const Execution& exec) const {
  if (rows() == 0) throw DataError("pca: no rows yet; call partial_fit first");
  if (options.components.kind == Components::Kind::criterion)
    throw InvalidOption("pca", "components", options.components.text(),
                        "needs the rows, which an accumulator does not keep", "use a number or a share of variance");
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
