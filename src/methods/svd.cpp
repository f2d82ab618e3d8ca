#include "fewdim/svd.hpp"

#include "methods/shared/spectral.hpp"
#include "methods/shared/spectral_options.hpp"
#include "methods/verify/verify.hpp"
#include "models/shapes/sparse_check.hpp"

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
  describe_solver(
      o, field,
      "largest residual allowed, relative to the component's squared singular value; 0 means 1e-10, or 1e-5 "
      "for float32");
  field(o.embedding, {.name = "embedding", .help = "keep the left factor of the training rows in the model"});
}

namespace {

SpectralProblem problem_of(const SvdOptions& o, Precision precision) {
  SpectralProblem p = spectral_problem("svd", o, precision);
  p.center = false;
  p.normalize = false;
  return p;
}

}  // namespace

/// XᵀX v = σ²v; XV = UΣ. The best rank-r approximation is XVVᵀ (Eckart & Young 1936; Mirsky 1960).
Model fit_svd(const Dataset& data, const SvdOptions& options, const Execution& exec) {
  require_valid_sparse(data, "svd");
  SpectralProblem problem = problem_of(options, data.precision());
  const ChooseOptions choose{.center = false, .ddof = 0, .seed = options.seed, .criteria = {}};
  problem.components = resolve_components(data, options.components, choose, "svd", exec);
  Decomposition d = decompose(data, problem, exec);
  LinearModel shape = shape_from(d, data.precision());
  if (options.scores == SvdScores::unit) scale_scores(shape, data.precision(), inverse_root, "svd", "scores", "unit");
  if (options.scores == SvdScores::balanced)
    scale_scores(shape, data.precision(), inverse_fourth_root, "svd", "scores", "balanced");
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
      .task = Task::linear,
      .use_when =
          "Use it when 0 means that nothing is there, as in counts and sparse tables, or when you want the best "
          "approximation of a matrix at a given rank.",
      .fields = fields_of<SvdOptions>(),
      .takes = {.kinds = {DataKind::rows}, .sparse = true, .stream = true},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::directions, ResultKind::left_vectors,
                            ResultKind::loadings, ResultKind::row_statistics, ResultKind::column_statistics,
                            ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::biplot, PictureKind::residual},
                .squares = true},
      .verified_by = VerifiedBy::decomposition,
      .python_class = "TruncatedSVD",
      .page = "docs/methods/svd.md",
      .examples = {{"fewdim svd counts.mtx -k 5 --left u.csv --right v.csv --spectrum values.csv",
                    "a sparse matrix: U, V and the singular values"},
                   {"fewdim svd noisy.csv -k auto:gavish-donoho --approximate clean.csv",
                    "the data without their noise"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_svd(data, options_from_map<SvdOptions>(map, "svd"), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_svd(shape, options_from_map<SvdOptions>(map, "svd"), exec); },
      .verify = verify_decomposition};
  return card;
}

}  // namespace fewdim
