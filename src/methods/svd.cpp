#include "fewdim/svd.hpp"

#include "methods/pca_options.hpp"
#include "methods/spectral.hpp"

namespace fewdim {

template <>
struct EnumNames<SvdScores> {
  static constexpr std::array names{std::pair{SvdScores::projection, "projection"}, std::pair{SvdScores::unit, "unit"},
                                    std::pair{SvdScores::balanced, "balanced"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(SvdOptions& o, Visitor&& field) {
  field(o.components,
        {.name = "components",
         .flag = 'k',
         .help = "rank to keep: a number (50), a share of the sum of squares (0.95), all, auto, or auto:CRITERION"});
  field(o.scores,
        {.name = "scores", .help = "what transform gives: projection (U S), unit (U), or balanced (U sqrt(S))"});
  field(o.route,
        {.name = "route", .help = "how to compute it; auto weighs shape, sparsity, k and memory, and says why"});
  field(o.accuracy, {.name = "accuracy", .help = "high computes float32 data with float64 products"});
  field(o.tolerance, {.name = "tolerance",
                      .minimum = 0,
                      .maximum = 1,
                      .help = "largest residual allowed, relative to the largest squared singular value; 0 means "
                              "1e-10, or 1e-5 for float32"});
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the left factor of the training rows in the model"});
}

namespace {

SpectralProblem problem_of(const SvdOptions& o, Precision precision) {
  SpectralProblem p;
  p.who = "svd";
  p.center = false;
  p.normalize = false;
  p.components = o.components;
  p.route = o.route;
  p.float64_products = precision == Precision::float64 || o.accuracy == Accuracy::high;
  p.tolerance = o.tolerance > 0.0 ? o.tolerance : default_tolerance(precision, o.accuracy);
  p.seed = o.seed;
  return p;
}

}  // namespace

/// XᵀX v = σ²v; XV = UΣ. The best rank-r approximation is XVVᵀ (Eckart & Young 1936; Mirsky 1960).
Model fit_svd(const Dataset& data, const SvdOptions& options, const Execution& exec) {
  SpectralProblem problem = problem_of(options, data.precision());
  const ChooseOptions choose{.center = false, .ddof = 0, .seed = options.seed, .criteria = {}};
  problem.components = resolve_components(data, options.components, choose, "svd", exec);
  Decomposition d = decompose(data, problem, exec);
  LinearModel shape = shape_from(d, data.precision());
  if (options.scores != SvdScores::projection) {
    shape.output_scale.resize(d.values.size());
    for (Index i = 0; i < d.values.size(); ++i) {
      const double sigma = shape.singular_values[i];
      if (!(d.values[i] > 1e-14 * d.values[0]))
        throw InvalidOption("svd", "scores", options.scores == SvdScores::unit ? "unit" : "balanced",
                            fmt::format("has no factor for component {}: its singular value is zero", i + 1),
                            fmt::format("use -k {} or less", i));
      shape.output_scale[i] = options.scores == SvdScores::unit ? 1.0 / sigma : 1.0 / std::sqrt(sigma);
    }
    round_to(data.precision(), shape.output_scale);
  }
  Model model(head_from("svd", data, std::move(d), options_to_map(options), options.seed, "SV"), std::move(shape));
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_svd(const DataShape& shape, const SvdOptions& options, const Execution& exec) {
  return plan_spectral(shape, problem_of(options, shape.precision), exec);
}

const MethodCard& svd_card() {
  static const MethodCard card{
      .name = "svd",
      .title = "Truncated singular value decomposition: the best approximation of its rank",
      .citation = "Eckart & Young 1936; Golub & Kahan 1965; Musco & Musco 2015",
      .fields = fields_of<SvdOptions>(),
      .capabilities = {.extension = Extension::exact, .inverse = true, .sparse = true, .stream = true},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_svd(data, options_from_map<SvdOptions>(map, "svd"), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_svd(shape, options_from_map<SvdOptions>(map, "svd"), exec); }};
  return card;
}

}  // namespace fewdim
