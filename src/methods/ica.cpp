#include "fewdim/ica.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "base/conventions.hpp"
#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "methods/ica_checks.hpp"
#include "methods/shared/spectral.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/sparse_check.hpp"
#include "solvers/ica/ica.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

template <>
struct EnumNames<IcaAlgorithm> {
  static constexpr std::array names{
      std::pair{IcaAlgorithm::automatic, "auto"},      std::pair{IcaAlgorithm::fastica, "fastica"},
      std::pair{IcaAlgorithm::deflation, "deflation"}, std::pair{IcaAlgorithm::picard, "picard"},
      std::pair{IcaAlgorithm::picard_o, "picard-o"},   std::pair{IcaAlgorithm::jade, "jade"}};
};
template <>
struct EnumNames<IcaContrast> {
  static constexpr std::array names{std::pair{IcaContrast::logcosh, "logcosh"}, std::pair{IcaContrast::exp, "exp"},
                                    std::pair{IcaContrast::cube, "cube"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(IcaOptions& o, Visitor&& field) {
  field(o.components, {.name = "components",
                       .flag = 'k',
                       .help = "sources: a number (3), a share of the variance (0.95), all, auto, or auto:CRITERION"});
  field(o.algorithm,
        {.name = "algorithm",
         .help = "auto is fastica, with picard-o after it where that does not converge; deflation finds one source "
                 "after the other; picard gives up whiteness; jade is for few sources"});
  field(o.contrast, {.name = "contrast",
                     .help = "what tells a source from a Gaussian: logcosh is good for most, exp for heavy tails, cube "
                             "is kurtosis; jade has its own"});
  field(o.scale, {.name = "scale", .help = "divide each column by its standard deviation before whitening"});
  field(o.iterations, {.name = "iterations",
                       .minimum = 1,
                       .maximum = 1e9,
                       .help = "steps at most; of deflation for each source, of jade sweeps"});
  field(o.tolerance, {.name = "tolerance",
                      .minimum = 0,
                      .maximum = 1,
                      .help = "largest relative gradient allowed; 0 means 1e-7, or 1e-5 for float32"});
  field(o.seed, {.name = "seed", .help = "of the first rotation"});
  field(o.embedding, {.name = "embedding", .help = "keep the sources of the training rows in the model"});
}

namespace {

constexpr const char* kIca = "ica";

SpectralProblem whitening(const IcaOptions& o, Precision precision) {
  SpectralProblem p;
  p.who = kIca;
  p.components = o.components;
  p.scale = o.scale;
  p.float64_products = precision == Precision::float64;
  p.tolerance = p.float64_products ? 1e-10 : 1e-5;
  p.seed = o.seed;
  return p;
}

void require_options(const IcaOptions& o) {
  if (o.algorithm == IcaAlgorithm::picard && o.contrast != IcaContrast::logcosh)
    throw InvalidOption(kIca, "contrast", enum_text(o.contrast), "has no likelihood that picard could maximize",
                        "use " + set_option("contrast", "logcosh") + ", or " + set_option("algorithm", "picard-o"));
  if (o.algorithm == IcaAlgorithm::jade && o.contrast != IcaContrast::logcosh)
    throw InvalidOption(kIca, "contrast", enum_text(o.contrast), "means nothing for jade, which has fourth cumulants",
                        "leave it out");
}

void require_jade_size(const IcaOptions& o, Index k) {
  if (o.algorithm == IcaAlgorithm::jade && k > most_jade_sources)
    throw InvalidOption(kIca, "algorithm", "jade",
                        fmt::format("is for up to {} sources, and these are {}", most_jade_sources, k),
                        "use " + set_option("algorithm", "fastica") + " or " + set_option("algorithm", "picard-o") +
                            ", or " + lower_option("components"));
}

/// Bytes beside the whitening: the scores as they come, and by tiles.
std::uint64_t rotation_bytes(const IcaOptions& o, Index rows, Index k, Precision precision) {
  const auto scalar = static_cast<std::uint64_t>(precision == Precision::float32 ? 4 : 8);
  const double numbers = 2.0 * static_cast<double>(std::max<Index>(rows, 0) + 1024) * static_cast<double>(k);
  return static_cast<std::uint64_t>(numbers) * scalar +
         (o.algorithm == IcaAlgorithm::jade && k <= most_jade_sources ? jade_bytes(k) : 0);
}

Route ica_route(IcaAlgorithm algorithm) {
  switch (algorithm) {
    case IcaAlgorithm::automatic:
      return Route::automatic;
    case IcaAlgorithm::fastica:
      return Route::fastica;
    case IcaAlgorithm::deflation:
      return Route::deflation;
    case IcaAlgorithm::picard:
      return Route::picard;
    case IcaAlgorithm::picard_o:
      return Route::picard_o;
    case IcaAlgorithm::jade:
      return Route::jade;
  }
  return Route::automatic;
}

/// The plan of the whitening, and the rotation to k sources after it. Throws OverMemory.
Plan with_rotation(Plan plan, const DataShape& shape, const IcaOptions& o, Index k, const Execution& exec) {
  constexpr double kSteps = 20.0;
  const double numbers = static_cast<double>(std::max<Index>(0, shape.rows)) * static_cast<double>(k);
  const double flops = kSteps * numbers * 4.0 * static_cast<double>(k);
  const std::uint64_t bytes = rotation_bytes(o, shape.rows, k, shape.precision);
  require_memory(exec, bytes, "ica: the whitened rows", lower_option("components"));
  plan.why.insert(plan.why.begin(), Reason(ReasonKind::for_whitening));
  add_stage(plan, {.route = ica_route(o.algorithm),
                   .bytes = bytes,
                   .flops = flops,
                   .seconds = seconds_for(Work::source_numbers, kSteps * numbers) + seconds_for(Work::plain, flops),
                   .verdict = Verdict::whitened_rows});
  return plan;
}

/// Directions whose variance is above rounding: the others can't be made white.
void drop_null_directions(Decomposition& d, const IcaOptions& o, Precision precision,
                          std::vector<std::string>& warnings) {
  const double floor =
      std::max(d.certificate.forming_error, precision == Precision::float32 ? 1e-9 : 1e-13) * d.values[0];
  Index rank = 0;
  while (rank < d.values.size() && d.values[rank] > floor) ++rank;
  const Index asked = d.values.size();
  if (rank == asked) return;
  if (o.components.kind == Components::Kind::count && o.components.count != Components::all)
    throw InvalidOption(kIca, "components", o.components.text(),
                        fmt::format("is more than the data have: they span {} directions", rank),
                        fmt::format("use {} or less", set_option("components", rank)), ErrorKind::data);
  warnings.push_back(fmt::format("the data span {} directions, not {}: so many sources are looked for", rank, asked));
  d.values.conservativeResize(rank);
  d.vectors.conservativeResize(Eigen::NoChange, rank);
}

/// x = mean + A y for the sources y = Wz of unit variance, in the order of ‖a_i‖², signs fixed.
LinearModel shape_of_sources(const Decomposition& d, const Matrix<double>& white, const IcaResult& found,
                             Precision precision, std::vector<Index>& order) {
  const Index k = d.values.size();
  // E[y²] = 1 with divisor N; a sample's variance has N − 1.
  const double factor = std::sqrt(d.divisor / static_cast<double>(d.rows));
  Matrix<double> w = found.w;
  for (Index i = 0; i < k; ++i) w.row(i) /= w.row(i).norm();
  const Vector<double> root = d.values.cwiseSqrt();
  const double inside = std::sqrt(static_cast<double>(d.rows) / d.divisor);  // z = inside · Vᵀx/√λ
  const Matrix<double> unmix =
      d.vectors * (root.cwiseInverse() * (inside * factor)).asDiagonal() * white * w.transpose();
  const Matrix<double> mix = d.vectors * (root / (inside * factor)).asDiagonal() * white.inverse() * w.inverse();
  const Vector<double> size = mix.colwise().squaredNorm();
  order.resize(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) order[static_cast<std::size_t>(i)] = i;
  std::ranges::stable_sort(order, [&](Index a, Index b) { return size[a] > size[b]; });
  LinearModel shape;
  shape.mean = d.mean;
  shape.scale = d.scale;
  shape.map.resize(d.vectors.rows(), k);
  shape.inverse_map.resize(d.vectors.rows(), k);
  shape.explained_variance.resize(k);
  for (Index i = 0; i < k; ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    const double sign = sign_of(mix.col(from));
    shape.map.col(i) = sign * unmix.col(from);
    shape.inverse_map.col(i) = sign * mix.col(from);
    shape.explained_variance[i] = size[from];
  }
  shape.total_variance = d.total;
  shape.explained_variance_ratio = shape.explained_variance / d.total;
  shape.column_variance = d.column_variance;
  round_to(precision, shape.mean);
  round_to(precision, shape.scale);
  round_to(precision, shape.map);
  round_to(precision, shape.inverse_map);
  return shape;
}

void require_converged(const IcaResult& found, const IcaRequest& request) {
  const double worst = found.residuals.maxCoeff();
  if (worst <= request.tolerance) return;
  const bool other = request.algorithm == IcaAlgorithm::fastica || request.algorithm == IcaAlgorithm::deflation;
  throw NotConverged(
      fmt::format("{}: after {} iterations the relative gradient is {:.1e}, and the tolerance {:.1e}; {}", kIca,
                  found.iterations, worst, request.tolerance,
                  other ? "use " + set_option("algorithm", "auto") + ", or " + raise_option("iterations") + " or " +
                              raise_option("tolerance")
                        : raise_option("iterations") + " or " + raise_option("tolerance")));
}

template <class T>
Model fit_as(const Dataset& data, const IcaOptions& o, const Execution& exec) {
  constexpr Precision precision = sizeof(T) == 4 ? Precision::float32 : Precision::float64;
  SpectralProblem problem = whitening(o, precision);
  const ChooseOptions choose{.scale = o.scale, .seed = o.seed, .criteria = {}};
  problem.components = resolve_components(data, o.components, choose, kIca, exec);
  Decomposition d = decompose(data, problem, exec);
  std::vector<std::string> warnings;
  warn_of_constant_columns(data, d, warnings);
  drop_null_directions(d, o, precision, warnings);
  const Index k = d.values.size();
  require_jade_size(o, k);
  const Route whitened = d.certificate.route;
  Plan plan = with_rotation(std::move(*d.plan), shape_of(data), o, k, exec);
  Stopwatch::Seconds seconds = d.seconds;
  Stopwatch watch(seconds);

  LinearModel scores;
  scores.mean = d.mean;
  scores.scale = d.scale;
  scores.map = d.vectors;
  scores.output_scale = (d.values.cwiseSqrt() * std::sqrt(d.divisor / static_cast<double>(d.rows))).cwiseInverse();
  const Execution quiet{.threads = exec.threads, .memory_limit = exec.memory_limit, .progress = {}};
  WhiteTiles<T> z = [&] {
    const Dataset rows = linear_transform(scores, data, sizeof(T) == 4 && fits_single(scores), quiet);
    return WhiteTiles<T>(*rows.dense<T>(), exec);
  }();
  Matrix<double> white = z.whiten(exec);
  watch.lap("whiten");

  const IcaRequest request{.algorithm = o.algorithm,
                           .contrast = o.contrast,
                           .iterations = o.iterations,
                           .tolerance = o.tolerance > 0.0 ? o.tolerance
                                        : sizeof(T) == 4  ? 1e-5
                                                          : 1e-7,
                           .seed = o.seed};
  const IcaResult found = separate(z, request, exec);
  require_converged(found, request);
  watch.lap("separate");

  std::vector<Index> order;
  LinearModel shape = shape_of_sources(d, white, found, precision, order);
  const SourceShapes shapes = look_at_sources(z, found.w, order, exec);
  warn_of_gaussian_sources(shapes, d.rows, warnings);
  watch.lap("look");

  d.certificate.residuals.resize(k);
  for (Index i = 0; i < k; ++i) d.certificate.residuals[i] = found.residuals[order[static_cast<std::size_t>(i)]];
  Model::Head head;
  head.method = kIca;
  head.precision = precision;
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, d.rows, o.seed);
  head.feature_names = data.column_names;
  for (Index i = 1; i <= k; ++i) head.component_names.push_back(fmt::format("IC{}", i));
  Certificate& certificate = head.certificate;
  const IcaAlgorithm taken = found.picard ? IcaAlgorithm::picard_o : IcaAlgorithm::fastica;
  certificate.route = ica_route(o.algorithm == IcaAlgorithm::automatic ? taken : o.algorithm);
  if (found.picard) certificate.why.emplace_back(ReasonKind::fixed_points_stalled, 30);
  certificate.why.emplace_back(ReasonKind::whitened_passes, found.passes).route = whitened;
  head.plan = std::move(plan);
  certificate.iterations = found.iterations;
  certificate.tolerance = request.tolerance;
  certificate.converged = true;
  certificate.residuals = d.certificate.residuals;
  certificate.warnings = std::move(warnings);
  head.diagnostics = {{"gaussian_sources", static_cast<double>(shapes.gaussian.size())},
                      {"relative_gradient", certificate.residuals.maxCoeff()}};
  for (Index i = 0; i < std::min<Index>(k, 16); ++i)
    head.diagnostics.emplace_back(fmt::format("excess_kurtosis_{}", i + 1), shapes.excess_kurtosis[i]);
  head.seconds = std::move(seconds);
  return Model(std::move(head), std::move(shape));
}

}  // namespace

/// Whitened rows z = Λ^-½Vᵀ(x − μ), then y = Wz with W found by the algorithm (Hyvärinen & Oja 2000).
Model fit_ica(const Dataset& data, const IcaOptions& options, const Execution& exec) {
  require_numbers(data, kIca);
  require_valid_sparse(data, kIca);
  require_options(options);
  if (data.is_stream())
    throw Unsupported("ica: needs the rows in memory, and these arrive as a stream; " + leave_out("stream"));
  Model model =
      data.precision() == Precision::float32 ? fit_as<float>(data, options, exec) : fit_as<double>(data, options, exec);
  if (options.embedding) keep_scores(model, data, exec);
  return model;
}

Plan plan_ica(const DataShape& shape, const IcaOptions& options, const Execution& exec) {
  require_options(options);
  const bool counted = options.components.kind == Components::Kind::count && options.components.count > 0;
  const Index k = counted ? options.components.count : std::min(shape.cols, std::max<Index>(1, shape.rows - 1));
  require_jade_size(options, k);
  return with_rotation(plan_spectral(shape, whitening(options, shape.precision), exec), shape, options, k, exec);
}

const MethodCard& ica_card() {
  static const MethodCard card{
      .name = kIca,
      .title = "Independent components: sources that were mixed, told apart",
      .citation = "Hyvärinen 1999; Ablin, Cardoso & Gramfort 2018; Cardoso & Souloumiac 1993",
      .task = Task::signals,
      .use_when = "Use it when signals were mixed, for example in several microphones, and you want the sources back.",
      .fields = fields_of<IcaOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::images}, .sparse = true},
      .gives = {.extension = Extension::exact,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::directions,
                            ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::biplot, PictureKind::residual}},
      .verified_by = VerifiedBy::nothing,
      .unverified = "is for eigenvectors, and the directions of ica are none; what is known of them is in " +
                    use_command("inspect"),
      .python_class = "FastICA",
      .page = "docs/methods/ica.md",
      .examples = {{"fewdim ica mix.wav -m unmix.fewdim -o sources.wav", "channels of a sound in, sources out"},
                   {"fewdim ica leads.csv -k 4 -o sources.csv", "columns that were measured together"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_ica(data, options_from_map<IcaOptions>(map, kIca), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_ica(shape, options_from_map<IcaOptions>(map, kIca), exec); }};
  return card;
}

}  // namespace fewdim
