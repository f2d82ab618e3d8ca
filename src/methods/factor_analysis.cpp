#include "fewdim/factor_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/conventions.hpp"
#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "data/table/column_choice.hpp"
#include "methods/shared/spectral.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/gaussian.hpp"
#include "operators/row_moments.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/factors/factor_em.hpp"
#include "solvers/factors/factor_ml.hpp"
#include "solvers/factors/rotation.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

template <>
struct EnumNames<FactorRotation> {
  static constexpr std::array names{std::pair{FactorRotation::none, "none"},
                                    std::pair{FactorRotation::varimax, "varimax"},
                                    std::pair{FactorRotation::promax, "promax"}};
};
template <>
struct EnumNames<FactorScores> {
  static constexpr std::array names{std::pair{FactorScores::regression, "regression"},
                                    std::pair{FactorScores::bartlett, "bartlett"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(FactorAnalysisOptions& o, Visitor&& field) {
  field(o.components, {.name = "components", .flag = 'k', .help = "factors: a number"});
  field(o.rotation, {.name = "rotation",
                     .help = "of the loadings toward few large ones: varimax keeps the factors uncorrelated, promax "
                             "lets them correlate"});
  field(o.scores,
        {.name = "factor_scores", .help = "of rows: posterior means (regression), or unbiased ones (bartlett)"});
  field(o.least_uniqueness,
        {.name = "least_uniqueness",
         .minimum = 1e-6,
         .maximum = 0.5,
         .help = "no feature's own share of its variance goes below this, or below 1/80 of what the other features "
                 "leave of it where that is less; one that stops there is a Heywood case"});
  field(o.tolerance,
        {.name = "tolerance",
         .minimum = 0,
         .maximum = 1,
         .help = "of the gradient; with missing values, of what a step adds to the log-likelihood for each "
                 "value"});
  field(o.iterations, {.name = "iterations", .minimum = 1, .maximum = 1e9, .help = "steps of each start, at most"});
  field(o.starts, {.name = "starts",
                   .minimum = 0,
                   .maximum = 1e6,
                   .help = "points to begin from: the likelihood has local maxima, and the greatest that is found is "
                           "taken; 0: 24 up to 69 features, fewer of more, 2 from 200 on"});
  field(o.seed, {.name = "seed", .help = "of the random starts"});
  field(o.embedding, {.name = "embedding", .help = "keep the scores of the training rows in the model"});
}

namespace {

constexpr const char* kFactorAnalysis = "factor-analysis";

/// (D − k)² − (D + k) is twice the degrees of freedom that are left to test the fit.
Index degrees(Index cols, Index k) { return ((cols - k) * (cols - k) - (cols + k)) / 2; }

Index factor_count(const FactorAnalysisOptions& o, Index rows, Index cols) {
  const Index most = std::min(cols - 1, rows - 1);
  if (o.components.kind != Components::Kind::count || o.components.count == Components::all)
    throw InvalidOption(kFactorAnalysis, "components", o.components.text(), "must be a number of factors",
                        fmt::format("use {} or less, or ask {}", set_option("components", std::max<Index>(most, 1)),
                                    use_command("choose-k")));
  const Index k = o.components.count;
  if (k < 1)
    throw InvalidOption(kFactorAnalysis, "components", o.components.text(), "must be at least 1",
                        "use " + set_option("components", 1));
  if (k > most)
    throw InvalidOption(kFactorAnalysis, "components", o.components.text(),
                        fmt::format("is too many for {} features and {} rows: factors are fewer than both", cols, rows),
                        most > 0 ? fmt::format("use {} or less", set_option("components", most))
                                 : "give at least 2 features and 2 rows",
                        ErrorKind::data);
  return k;
}

/// The fit, in units of the features' standard deviations.
struct FittedFactors {
  Vector<double> mean, scale;
  Matrix<double> loadings;      ///< LᵀΨ⁻¹L diagonal
  Vector<double> uniquenesses;  ///< ψ
  Vector<double> least;         ///< their bounds
  double log_likelihood = 0.0;
  double discrepancy = -1.0;  ///< −1: not known, with missing values
  double residual = 0.0;
  Index iterations = 0, missing = 0, patterns = 1;
  Index starts = 1, starts_there = 1;  ///< those that end at the likelihood that was taken
  Route route = Route::newton;
  std::vector<Reason> why{};
};

std::uint64_t complete_bytes(Index d, const FactorAnalysisOptions& o, const Execution& exec) {
  return row_moments_bytes(d, false, 8) + 3 * static_cast<std::uint64_t>(d * d) * sizeof(double) +
         factor_ml_bytes(d, o.starts, exec);
}

FactorMlOptions search_options(const FactorAnalysisOptions& o) {
  return {.who = kFactorAnalysis,
          .least_uniqueness = o.least_uniqueness,
          .tolerance = o.tolerance,
          .iterations = o.iterations,
          .starts = o.starts,
          .seed = o.seed};
}

FittedFactors fit_complete(const Dataset& data, Index k, const FactorAnalysisOptions& o, const Execution& exec) {
  const Index n = data.rows(), d = data.cols();
  const auto refuse = [&](const std::string& why) {
    throw DataError(
        fmt::format("{}: the correlations of {} features are singular: {}; leave some out with {}, or use {}",
                    kFactorAnalysis, d, why, set_option("drop"), use_method("ppca")));
  };
  if (n <= d) refuse(fmt::format("there are {} rows", n));
  const Moments moments = row_moments(data, {.who = kFactorAnalysis}, exec);
  FittedFactors out;
  out.mean = moments.mean;
  out.scale = (moments.scatter.diagonal() / static_cast<double>(n)).cwiseSqrt();
  for (Index j = 0; j < d; ++j)
    if (!(out.scale[j] > 1e-13 * std::abs(out.mean[j])))
      throw DataError(fmt::format("{}: {} is constant and has no correlations; use {}", kFactorAnalysis,
                                  data.column_names.empty()
                                      ? fmt::format("column {}", j + 1)
                                      : fmt::format("column '{}'", data.column_names[static_cast<std::size_t>(j)]),
                                  set_option("drop", typed_column(data.column_names, j))));
  Matrix<double> s(d, d);
  for (Index c = 0; c < d; ++c)
    for (Index r = c; r < d; ++r)
      s(r, c) = s(c, r) = r == c ? 1.0 : moments.scatter(r, c) / (static_cast<double>(n) * out.scale[r] * out.scale[c]);
  Matrix<double> copy = s;
  if (eigenvalues_symmetric(copy)[d - 1] < 1e-10) refuse("some are sums of others");
  const FactorMl ml = factor_ml(s, k, search_options(o), exec);
  if (!ml.converged)
    throw NotConverged(fmt::format("{}: after {} steps the gradient is {:.1e}; the tolerance is {:.1e}: {}",
                                   kFactorAnalysis, ml.iterations, ml.gradient, o.tolerance,
                                   ml.at_rounding
                                       ? "use " + set_option("tolerance", fmt::format("{:.0e}", 2.0 * ml.gradient))
                                       : raise_option("iterations") + " or " + raise_option("tolerance")));
  out.loadings = ml.loadings;
  out.uniquenesses = ml.uniquenesses;
  out.least = ml.least;
  out.discrepancy = ml.discrepancy;
  out.residual = ml.gradient;
  out.iterations = ml.iterations;
  // log|Σ| + tr SΣ⁻¹ from F, as F = log|Σ| + tr(SΣ⁻¹) − log|S| − D would need |S|, which may be 0: by the factors.
  const Matrix<double> m = Matrix<double>::Identity(k, k) +
                           out.loadings.transpose() * out.uniquenesses.cwiseInverse().asDiagonal() * out.loadings;
  const Eigen::LLT<Matrix<double>> factor(m);
  const Matrix<double> weighted = out.uniquenesses.cwiseInverse().asDiagonal() * out.loadings;
  const double log_determinant =
      out.uniquenesses.array().log().sum() + 2.0 * factor.matrixLLT().diagonal().array().log().sum();
  const double trace =
      out.uniquenesses.cwiseInverse().sum() - factor.solve(weighted.transpose() * s * weighted).trace();
  out.log_likelihood = -0.5 * static_cast<double>(n) *
                       (static_cast<double>(d) * std::log(2.0 * std::numbers::pi) + log_determinant + trace +
                        2.0 * out.scale.array().log().sum());
  out.starts = ml.starts;
  out.starts_there = ml.starts_there;
  out.why = {Reason(ReasonKind::starts_agree, ml.starts_there, ml.starts)};
  return out;
}

std::uint64_t observed_memory(Index n, Index d, Index k, const FactorAnalysisOptions& o, const Execution& exec) {
  return observed_bytes(n, d) +
         std::max(factor_em_bytes(n, d, k),
                  3 * static_cast<std::uint64_t>(d * d) * sizeof(double) + factor_ml_bytes(d, o.starts, exec));
}

/// Where EM begins, and the bounds of the uniquenesses.
struct ObservedStart {
  GaussianFactors factors;
  Vector<double> least;
};

/// The factors of the correlations with means in the gaps, where those are not singular; otherwise principal
/// components.
ObservedStart start_observed(const ObservedTable& table, Index k, const FactorAnalysisOptions& o,
                             const Execution& exec) {
  const Index n = table.rows(), d = table.cols();
  if (n > d) {
    const Matrix<double> values = table.values;
    Matrix<double> s = values.transpose() * values;
    const Vector<double> scale = s.diagonal().cwiseSqrt().cwiseInverse();
    s = (scale.asDiagonal() * s * scale.asDiagonal()).eval();
    s.diagonal().setOnes();
    Matrix<double> copy = s;
    if (eigenvalues_symmetric(copy)[d - 1] > 1e-8) {
      FactorMlOptions rough = search_options(o);
      rough.tolerance = std::max(o.tolerance, 1e-4);
      rough.iterations = std::min<Index>(o.iterations, 200);
      const FactorMl ml = factor_ml(s, k, rough, exec);
      // EM moves a noise in proportion to its size: one that begins at its bound would stay there.
      return {{Vector<double>::Zero(d), ml.loadings, ml.uniquenesses.cwiseMax(10.0 * ml.least)}, ml.least};
    }
  }
  SpectralProblem problem;
  problem.who = kFactorAnalysis;
  problem.ddof = 0;
  problem.components = k;
  problem.tolerance = 1e-4;
  const Decomposition start = decompose(Dataset(table.values), problem, exec);
  GaussianFactors f{Vector<double>::Zero(d), start.vectors * start.values.cwiseSqrt().asDiagonal(), Vector<double>(d)};
  for (Index j = 0; j < d; ++j) f.noise[j] = std::clamp(1.0 - f.loadings.row(j).squaredNorm(), 0.1, 1.0);
  return {std::move(f), Vector<double>::Constant(d, o.least_uniqueness)};
}

FittedFactors fit_observed(const Dataset& data, Index k, const FactorAnalysisOptions& o, const Execution& exec) {
  const Index n = data.rows(), d = data.cols();
  const ObservedTable table = observe(data, true, 0, kFactorAnalysis, exec);
  ObservedStart start = start_observed(table, k, o, exec);
  FactorEmOptions options{.who = kFactorAnalysis,
                          .one_noise = false,
                          .tolerance = o.tolerance,
                          .iterations = o.iterations,
                          .least_noises = start.least};
  const FactorEmResult em = fit_factors(table, std::move(start.factors), options, exec);
  if (!em.converged)
    throw NotConverged(fmt::format(
        "{}: after {} steps of EM one still adds {:.1e} to the log-likelihood for each value; the tolerance is {:.1e}: "
        "{} or {}",
        kFactorAnalysis, em.iterations, em.gain, o.tolerance, raise_option("iterations"), raise_option("tolerance")));
  FittedFactors out;
  out.scale = table.scale;
  out.mean = table.center + table.scale.cwiseProduct(em.factors.mean);
  out.uniquenesses = em.factors.noise;
  out.least = options.least_noises;
  Matrix<double> scaled = em.factors.noise.cwiseSqrt().cwiseInverse().asDiagonal() * em.factors.loadings;
  const ThinSvd svd = svd_dense(scaled, true);
  out.loadings = em.factors.noise.cwiseSqrt().asDiagonal() * svd.u.leftCols(k) * svd.values.head(k).asDiagonal();
  out.log_likelihood = em.log_likelihood - table.counts.dot(table.scale.array().log().matrix());
  options.iterations = 2;
  const Matrix<double> change = fit_factors(table, em.factors, options, exec).factors.loadings - em.factors.loadings;
  out.residual = change.colwise().norm().maxCoeff() / out.loadings.colwise().norm().maxCoeff();
  out.iterations = em.iterations;
  out.missing = n * d - static_cast<Index>(table.observed);
  out.patterns = table.patterns();
  out.route = Route::em;
  out.why = {Reason(ReasonKind::missing_values, out.missing, n * d, out.patterns)};
  return out;
}

/// `gaps`: values are missing. Throws OverMemory.
Plan plan_factors(const DataShape& shape, Index k, const FactorAnalysisOptions& o, bool gaps, const Execution& exec) {
  const Index rows = std::max<Index>(shape.rows, 0);
  const double d = static_cast<double>(shape.cols),
               starts = static_cast<double>(o.starts > 0 ? o.starts : factor_ml_starts(shape.cols)),
               flops = static_cast<double>(rows) * d * d +
                       starts * 20.0 * (20.0 + 2.0 * static_cast<double>(k)) * d * d * d;
  const RouteCost newton{.route = Route::newton,
                         .bytes = complete_bytes(shape.cols, o, exec),
                         .passes = 1,
                         .flops = flops,
                         .seconds = seconds_for(Work::plain, flops)};
  const RouteCost em{
      .route = Route::em, .bytes = observed_memory(rows, shape.cols, k, o, exec), .verdict = Verdict::missing_values};
  PlanBuilder plan(shape, exec);
  plan.because(Reason(ReasonKind::likelihood_starts));
  if (gaps)
    return plan.consider(em).take(Route::em, "factor-analysis: EM with missing values",
                                  fmt::format("{}, or {}", lower_option("components"), raise_option("memory_limit")));
  return plan.consider(newton).consider(em).take(
      Route::newton, "factor-analysis: the correlations",
      fmt::format("use fewer features, or {}", raise_option("memory_limit")));
}

/// Turned as asked, the factors in order of their squared loadings, signs fixed.
Rotated turned(const Matrix<double>& loadings, FactorRotation rotation) {
  Rotated out{loadings, {}, 0};
  if (rotation == FactorRotation::varimax) out = varimax(loadings);
  if (rotation == FactorRotation::promax) out = promax(loadings);
  const Index k = loadings.cols();
  const Vector<double> squares = out.loadings.colwise().squaredNorm();
  std::vector<Index> order(static_cast<std::size_t>(k));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return squares[a] > squares[b]; });
  Matrix<double> turn = Matrix<double>::Zero(k, k);
  for (Index c = 0; c < k; ++c) {
    const Index from = order[static_cast<std::size_t>(c)];
    turn(from, c) = sign_of(out.loadings.col(from));
  }
  out.loadings = (out.loadings * turn).eval();
  if (out.correlation.size() > 0) out.correlation = (turn.transpose() * out.correlation * turn).eval();
  return out;
}

/// f̂ = (Φ⁻¹ + LᵀΨ⁻¹L)⁻¹ LᵀΨ⁻¹x by regression, (LᵀΨ⁻¹L)⁻¹ LᵀΨ⁻¹x by Bartlett; back L (LᵀΨ⁻¹L)⁻¹(…) f̂.
void set_maps(LinearModel& shape, FactorScores scores) {
  const Index k = shape.loadings.cols();
  const Matrix<double> weighted = shape.noise.cwiseInverse().asDiagonal() * shape.loadings;
  const Matrix<double> information = shape.loadings.transpose() * weighted;
  Matrix<double> precision = information;
  if (scores == FactorScores::regression)
    precision += shape.factor_correlation.size() > 0 ? Matrix<double>(shape.factor_correlation.inverse())
                                                     : Matrix<double>(Matrix<double>::Identity(k, k));
  const Eigen::FullPivLU<Matrix<double>> informed(information);
  if (scores == FactorScores::bartlett && !informed.isInvertible())
    throw DataError(fmt::format("{}: a factor has no loadings left, and no unbiased scores; use {} or less",
                                kFactorAnalysis, set_option("components", k - 1)));
  shape.map = weighted * precision.inverse();
  shape.inverse_map = shape.loadings * information.completeOrthogonalDecomposition().solve(precision);
}

/// The bound, where it is the same for all that stopped there.
std::string bound_text(const FittedFactors& fitted, double least) {
  for (Index j = 0; j < fitted.least.size(); ++j)
    if (fitted.uniquenesses[j] <= fitted.least[j] * (1.0 + 1e-6) && fitted.least[j] < least) return "";
  return fmt::format(" {:g}", least);
}

/// The largest k that leaves no loadings undetermined but for turns.
Index most_determined(Index cols) {
  Index k = cols - 1;
  while (k > 0 && degrees(cols, k) < 0) --k;
  return k;
}

Model::Head head_of(const Dataset& data, const FittedFactors& fitted, const FactorAnalysisOptions& o, Index k) {
  const Index n = data.rows(), d = data.cols();
  Model::Head head;
  head.method = kFactorAnalysis;
  head.precision = data.precision();
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, n, o.seed);
  head.feature_names = data.column_names;
  for (Index c = 1; c <= k; ++c) head.component_names.push_back(fmt::format("F{}", c));
  Certificate& certificate = head.certificate;
  certificate.route = fitted.route;
  certificate.why = fitted.why;
  certificate.iterations = fitted.iterations;
  certificate.tolerance = fitted.route == Route::em ? std::sqrt(o.tolerance) : o.tolerance;
  certificate.converged = true;
  certificate.residuals = Vector<double>::Constant(k, fitted.residual);
  const double parameters = static_cast<double>(d * k - k * (k - 1) / 2 + 2 * d);
  head.diagnostics.emplace_back("bic", -2.0 * fitted.log_likelihood + parameters * std::log(static_cast<double>(n)));
  if (fitted.discrepancy >= 0.0 && degrees(d, k) > 0) {
    // Bartlett's correction (1951), as R has it.
    const double factor =
        static_cast<double>(n) - 1.0 - static_cast<double>(2 * d + 5) / 6.0 - 2.0 * static_cast<double>(k) / 3.0;
    const double statistic = std::max(0.0, factor * fitted.discrepancy);
    head.diagnostics.emplace_back("chi_squared", statistic);
    head.diagnostics.emplace_back("degrees_of_freedom", static_cast<double>(degrees(d, k)));
    head.diagnostics.emplace_back("p_value",
                                  boost::math::cdf(boost::math::complement(
                                      boost::math::chi_squared(static_cast<double>(degrees(d, k))), statistic)));
  }
  head.diagnostics.emplace_back("log_likelihood", fitted.log_likelihood);
  if (fitted.missing > 0) {
    head.diagnostics.emplace_back("missing_values", static_cast<double>(fitted.missing));
    head.diagnostics.emplace_back("patterns", static_cast<double>(fitted.patterns));
  }
  if (degrees(d, k) < 0)
    certificate.warnings.push_back(
        fmt::format("{} factor{} of {} features {} more than the correlations determine: other loadings are as likely "
                    "as these; use {} or less to have them determined",
                    k, k == 1 ? "" : "s", d, k == 1 ? "is" : "are", set_option("components", most_determined(d))));
  if (fitted.starts > 1 && fitted.starts_there == 1)
    certificate.warnings.push_back(
        fmt::format("only 1 of {} starts ends at the likelihood that was taken: there may be a greater one; try {}",
                    fitted.starts, set_option("starts", 10 * fitted.starts)));
  std::vector<std::string> heywood;
  for (Index j = 0; j < d; ++j)
    if (fitted.uniquenesses[j] <= fitted.least[j] * (1.0 + 1e-6))
      heywood.push_back(data.column_names.empty() ? fmt::format("column {}", j + 1)
                                                  : data.column_names[static_cast<std::size_t>(j)]);
  if (!heywood.empty())
    certificate.warnings.push_back(
        fmt::format("the uniqueness of {} stopped at its bound{}: a Heywood case, where the factors explain a "
                    "feature wholly; {}",
                    fmt::join(heywood, ", "), bound_text(fitted, o.least_uniqueness), lower_option("components")));
  return head;
}

}  // namespace

Model fit_factor_analysis(const Dataset& data, const FactorAnalysisOptions& options, const Execution& exec) {
  require_numbers(data, kFactorAnalysis);
  require_nonempty(data, kFactorAnalysis);
  if (!data.is_dense())
    throw Unsupported(fmt::format("{}: needs dense rows in memory; use {} or {} for sparse rows and streams",
                                  kFactorAnalysis, use_method("svd"), use_method("pca")));
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const bool gaps = has_missing(data, exec);
  if (!gaps) require_finite(data, kFactorAnalysis, exec);
  const Index k = factor_count(options, data.rows(), data.cols());
  Plan plan = plan_factors(shape_of(data), k, options, gaps, exec);
  const FittedFactors fitted = gaps ? fit_observed(data, k, options, exec) : fit_complete(data, k, options, exec);
  watch.lap("factors");
  const Rotated rotated = turned(fitted.loadings, options.rotation);
  const Precision precision = data.precision();
  LinearModel shape;
  shape.mean = fitted.mean;
  shape.scale = fitted.scale;
  shape.loadings = rotated.loadings;
  shape.noise = fitted.uniquenesses;
  shape.factor_correlation = rotated.correlation;
  set_maps(shape, options.scores);
  for (Matrix<double>* m : {&shape.loadings, &shape.map, &shape.inverse_map, &shape.factor_correlation})
    round_to(precision, *m);
  for (Vector<double>* v : {&shape.mean, &shape.scale, &shape.noise}) round_to(precision, *v);
  shape.explained_variance = shape.loadings.colwise().squaredNorm().transpose();
  shape.total_variance = static_cast<double>(data.cols());
  shape.explained_variance_ratio = shape.explained_variance / shape.total_variance;
  watch.lap("rotation");
  Model::Head head = head_of(data, fitted, options, k);
  head.plan = std::move(plan);
  head.seconds = std::move(seconds);
  Model model(std::move(head), std::move(shape));
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_factor_analysis(const DataShape& shape, const FactorAnalysisOptions& options, const Execution& exec) {
  const Index k = std::max<Index>(options.components.kind == Components::Kind::count ? options.components.count : 1, 1);
  return plan_factors(shape, k, options, false, exec);
}

const MethodCard& factor_analysis_card() {
  static const MethodCard card{
      .name = kFactorAnalysis,
      .title = "Factor analysis: common factors, and a noise of its own for each feature",
      .citation = "Lawley & Maxwell 1971; Jöreskog 1967",
      .task = Task::parts,
      .use_when = "Use it when a few hidden factors may explain the correlations and each column has noise of its own.",
      .fields = fields_of<FactorAnalysisOptions>(),
      .takes = {.kinds = {DataKind::rows}, .missing = Support::yes},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::directions, ResultKind::loadings,
                            ResultKind::uniquenesses, ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::biplot, PictureKind::residual}},
      .verified_by = VerifiedBy::nothing,
      .unverified =
          "is for eigenvectors, and the directions of factor-analysis are none; what is known of them is in " +
          use_command("inspect"),
      .python_class = "FactorAnalysis",
      .page = "docs/methods/factor-analysis.md",
      .examples = {{"fewdim factor-analysis tests.csv -k 2 --loadings loadings.csv", "loadings and uniquenesses"},
                   {"fewdim factor-analysis tests.csv -k 2 --rotation promax -o factors.csv",
                    "factors that may be correlated"}},
      .fit =
          [](const Dataset& data, const OptionMap& map, const Execution& exec) {
            return fit_factor_analysis(data, options_from_map<FactorAnalysisOptions>(map, kFactorAnalysis), exec);
          },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            return plan_factor_analysis(shape, options_from_map<FactorAnalysisOptions>(map, kFactorAnalysis), exec);
          }};
  return card;
}

}  // namespace fewdim
