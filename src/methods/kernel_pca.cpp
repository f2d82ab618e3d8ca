#include "fewdim/kernel_pca.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "features/given_matrix.hpp"
#include "features/kernel.hpp"
#include "features/string_kernel.hpp"
#include "methods/shared/gram_embedding.hpp"
#include "methods/shared/kernel_features.hpp"
#include "methods/shared/kernel_inverse.hpp"
#include "methods/shared/kernel_objects.hpp"
#include "methods/shared/similarity_options.hpp"
#include "methods/shared/spectrum_report.hpp"
#include "methods/verify/verify.hpp"
#include "models/file/metadata.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

template <>
struct EnumNames<Indefinite> {
  static constexpr std::array names{std::pair{Indefinite::error, "error"}, std::pair{Indefinite::clip, "clip"},
                                    std::pair{Indefinite::keep, "keep"}};
};

template <>
struct EnumNames<KernelApproximation> {
  static constexpr std::array names{std::pair{KernelApproximation::none, "none"},
                                    std::pair{KernelApproximation::nystrom, "nystrom"},
                                    std::pair{KernelApproximation::fourier, "fourier"}};
};
template <>
struct EnumNames<KernelPivots> {
  static constexpr std::array names{std::pair{KernelPivots::adaptive, "adaptive"},
                                    std::pair{KernelPivots::uniform, "uniform"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(KernelPcaOptions& o, Visitor&& field) {
  field(o.components, {.name = "components",
                       .flag = 'k',
                       .help = "components to keep: a number (20), a share of the variance (0.95), or all"});
  field(o.kernel,
        {.name = "kernel",
         .help = "similarity of two rows; spectrum: of two lines of text; precomputed: the data are the kernel "
                 "matrix"});
  field(o.sigma, {.name = "sigma", .help = "width of the gaussian kernel; auto: the median distance of rows"});
  field(o.gamma, {.name = "gamma",
                  .help = "instead of sigma, 1/(2 sigma^2); auto for laplacian: 1/median distance, for chi2: 1, for "
                          "others: 1/columns"});
  field(o.offset, {.name = "offset", .help = "c of the polynomial and sigmoid kernels"});
  field(o.degree, {.name = "degree", .help = "power of the polynomial kernel"});
  field(o.length, {.name = "length",
                   .minimum = 1,
                   .maximum = longest_substring,
                   .help = "characters of the spectrum kernel's substrings"});
  field(o.normalize,
        {.name = "normalize", .help = "the spectrum kernel over that of each string with itself, as a cosine"});
  field(o.center, {.name = "center", .help = "center in feature space; false gives the kernel SVD"});
  field(o.indefinite,
        {.name = "indefinite",
         .help = "a kernel with negative eigenvalues: refuse it, count them as zero, or keep them in the total"});
  field(o.approximation,
        {.name = "approximation",
         .help = "for many rows: nystrom, from a few of them, or random fourier features of the gaussian kernel"});
  field(o.landmarks,
        {.name = "landmarks", .minimum = 0, .help = "rows, or Fourier features, of an approximation; 0 means 1,000"});
  field(o.pivots, {.name = "pivots", .help = "which rows nystrom takes: where the error is, or any"});
  field(
      o.inverse,
      {.name = "inverse",
       .help = "the way back to the input: a regression on the coordinates (ridge), the nearest features by iteration "
               "(fixed-point, gaussian kernel), or from distances to neighbors"});
  field(o.ridge, {.name = "ridge",
                  .minimum = 0,
                  .help = "where inverse is ridge: added to the diagonal of a kernel between coordinates, which is 1"});
  describe_tolerance(o.tolerance, field);
  field(o.seed, {.name = "seed", .help = "of the random start vectors and of the sample for the median distance"});
  field(o.embedding, {.name = "embedding", .help = "keep the scores of the training rows in the model"});
}

namespace {

constexpr const char* kKernelPca = "kernel-pca";

/// An eigenvalue below minus this share of the largest is no rounding: the kernel is no inner product. Kernel values of
/// float32 rows have a rounding of their own, for which the tolerance of eigenvalues stands.
constexpr double negative_share(Precision precision) { return precision == Precision::float32 ? 1e-5 : 1e-8; }

void require_parameters(const KernelPcaOptions& o) {
  const auto refuse = [](const char* name, double value, const char* bound, const char* remedy) {
    throw DataError(fmt::format("{}: {}={} {}; {}", kKernelPca, name, value, bound, remedy));
  };
  const bool sigma = !std::isnan(o.sigma), gamma = !std::isnan(o.gamma);
  if (sigma && !(o.sigma > 0.0)) refuse("sigma", o.sigma, "must be above 0", "use auto for the median distance");
  if (gamma && !(o.gamma > 0.0)) refuse("gamma", o.gamma, "must be above 0", "use auto");
  if (sigma && gamma) refuse("sigma", o.sigma, "and gamma say the same", "give one of them");
  if (sigma && o.kernel != KernelKind::gaussian)
    refuse("sigma", o.sigma, "is the width of the gaussian kernel", "use gamma for the others");
  if (o.degree < 1 || o.degree > 100)
    refuse("degree", static_cast<double>(o.degree), "must be from 1 to 100", "3 is common");
  if (o.length < 1 || o.length > longest_substring)
    refuse("length", static_cast<double>(o.length), "must be from 1 to 100", "3 is common");
  if (o.components.kind == Components::Kind::criterion)
    throw InvalidOption(kKernelPca, "components", o.components.text(), "names a criterion, and those judge linear PCA",
                        "use a number or a share of variance");
}

/// Objects that are no points have no point to go back to.
void require_no_inverse(const KernelPcaOptions& o) {
  if (o.inverse != Preimage::none)
    throw DataError(fmt::format("{}: strings and other objects have no way back; use {}", kKernelPca,
                                set_option("inverse", "none")));
}

/// γ as given, or chosen from the rows; `why` says so.
template <class C>
double gamma_of(const KernelPcaOptions& o, const MetricRows<C>& rows, std::vector<Reason>& why, const Execution& exec) {
  if (!std::isnan(o.gamma)) return o.gamma;
  if (!std::isnan(o.sigma)) return 0.5 / (o.sigma * o.sigma);
  if (o.kernel == KernelKind::gaussian) {
    const double sigma = median_distance(rows, o.seed, kKernelPca, exec);
    why.emplace_back(ReasonKind::median_sigma, sigma);
    return 0.5 / (sigma * sigma);
  }
  if (o.kernel == KernelKind::laplacian) {
    const double median = median_distance(rows, o.seed, kKernelPca, exec);
    why.emplace_back(ReasonKind::median_gamma, 1.0 / median);
    return 1.0 / median;
  }
  return o.kernel == KernelKind::chi2 ? 1.0 : 1.0 / static_cast<double>(rows.cols);
}

/// Mercer's condition, judged by the smallest eigenvalue.
void judge_mercer(GramEmbedding& embedding, Indefinite policy, Precision precision) {
  const double share = embedding.pairs.lowest / embedding.pairs.values[0];
  if (share >= -negative_share(precision)) return;
  const std::string fact =
      fmt::format("the kernel is no inner product: its smallest eigenvalue is {:.3g} of the largest", share);
  if (policy == Indefinite::error)
    throw DataError(fmt::format("{}: {}; use {} or {}, or another kernel", kKernelPca, fact,
                                set_option("indefinite", "clip"), set_option("indefinite", "keep")));
  const Vector<double>& spectrum = embedding.pairs.spectrum;
  const bool clipped = policy == Indefinite::clip && spectrum.size() > 0;
  if (clipped) embedding.total = spectrum.cwiseMax(0.0).sum();
  embedding.pairs.certificate.warnings.push_back(fmt::format(
      "{}; {}", fact, clipped ? "negative ones count as zero in the total" : "negative ones are part of the total"));
}

/// How much of the kernel negative eigenvalues have; the lowest where it is one of them.
void report_mercer(const SymmetricPairs& pairs, Precision precision, Model::Head& head) {
  const bool whole = pairs.spectrum.size() > 0;
  if (pairs.lowest < -negative_share(precision) * pairs.values[0])
    head.diagnostics.emplace_back(whole ? "lowest_eigenvalue" : "lowest_eigenvalue_at_most", pairs.lowest);
  if (!whole) return;
  const SpectrumSums sums = sums_of(pairs.spectrum, negative_share(precision));
  head.diagnostics.emplace_back("negative_eigenvalues", static_cast<double>(sums.negative));
  head.diagnostics.emplace_back("negative_share", sums.negative_share);
}

Plan plan_features(const DataShape& shape, const KernelPcaOptions& o, const Execution& exec) {
  const Index count = feature_count(o, shape.rows);
  const bool nystrom = o.approximation == KernelApproximation::nystrom;
  const Route route = nystrom ? Route::nystrom : Route::fourier;
  // The features, their factorization and their covariance.
  const auto n = static_cast<double>(shape.rows), m = static_cast<double>(count);
  const double flops = n * m * (2.0 * static_cast<double>(shape.cols) + 40.0) + 3.0 * n * m * m;
  return PlanBuilder(shape, exec)
      .consider({.route = route,
                 .bytes = kernel_features_bytes(shape.rows, count, shape.cols),
                 .passes = 1,
                 .flops = flops,
                 .seconds = seconds_for(Work::features, flops)})
      .because(Reason(nystrom ? ReasonKind::nystrom_asked : ReasonKind::fourier_asked, count, shape.rows))
      .take(route, fmt::format("{}: {} features of {} rows", kKernelPca, count, shape.rows), lower_option("landmarks"));
}

/// Few explicit features instead of the kernel matrix.
Model fit_features(const Dataset& data, const KernelPcaOptions& o, const Execution& exec) {
  const bool nystrom = o.approximation == KernelApproximation::nystrom;
  if (o.kernel == KernelKind::spectrum)
    throw DataError(
        fmt::format("{}: the spectrum kernel has no approximation; {}", kKernelPca, leave_out("approximation")));
  if (o.kernel == KernelKind::precomputed)
    throw DataError(
        fmt::format("{}: a given kernel matrix needs no approximation; {}", kKernelPca, leave_out("approximation")));
  if (!nystrom && o.kernel != KernelKind::gaussian)
    throw DataError(fmt::format("{}: fourier features are those of the gaussian kernel, not of {}; use {}", kKernelPca,
                                enum_text(o.kernel), set_option("approximation", "nystrom")));
  if (nystrom && o.kernel == KernelKind::sigmoid)
    throw DataError(fmt::format("{}: the sigmoid kernel is no inner product, and nystrom needs one; use {}", kKernelPca,
                                set_option("approximation", "none")));
  Kernel kernel{o.kernel, 1.0, o.offset, o.degree};
  std::vector<Reason> why;
  const auto rows = pack_rows<double>(data, kernel, kernel_center(data, kernel, exec), kKernelPca, exec);
  kernel.gamma = gamma_of(o, rows, why, exec);
  Plan plan = plan_features(shape_of(data), o, exec);
  Model model = nystrom ? fit_nystrom(data, o, options_to_map(o), kernel, rows, exec)
                        : fit_fourier(data, o, options_to_map(o), kernel, rows, exec);
  explain(model.head().certificate, why);
  model.head().plan = std::move(plan);
  return model;
}

Plan plan_objects(const DataShape& shape, const KernelPcaOptions& o, bool given, const Execution& exec) {
  Plan plan = plan_tiles(shape, o.components, given, kKernelPca, exec);
  if (o.inverse == Preimage::ridge) plan.bytes = std::max(plan.bytes, ridge_bytes(shape.rows, shape.cols));
  return plan;
}

/// K̃α = λα, then Ψ(x) = α·k̃(x)/√λ (Schölkopf, Smola & Müller 1998).
template <class C>
Model fit_as(const Dataset& data, const KernelPcaOptions& o, const Execution& exec,
             const ObjectKernel* objects = nullptr) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const Index n = data.rows();
  const bool given = o.kernel == KernelKind::precomputed;
  KernelModel shape;
  shape.kernel = o.kernel;
  shape.offset = o.offset;
  shape.degree = o.degree;
  Kernel kernel{o.kernel, 1.0, o.offset, o.degree};
  MetricRows<C> rows;
  std::vector<Reason> why;
  if (objects) {
    shape.strings = objects->strings;
    why = objects->why;
  } else if (given) {
    require_symmetric(data, kKernelPca, "kernel", exec);
  } else {
    rows = pack_rows<C>(data, kernel, kernel_center(data, kernel, exec), kKernelPca, exec);
    kernel.gamma = shape.gamma = gamma_of(o, rows, why, exec);
    shape.objects = data.matrix<double>();
    shape.inverse.kind = o.inverse;
  }
  Vector<double> diagonal(n);
  for (Index i = 0; i < n; ++i)
    diagonal[i] = objects ? objects->diagonal[i] : given ? given_entry(data, i, i) : kernel_diagonal(kernel, rows, i);

  DataShape seen = shape_of(data);
  seen.precision = sizeof(C) == sizeof(float) ? Precision::float32 : Precision::float64;
  Plan plan = plan_objects(seen, o, given && !objects, exec);
  SymmetricProblem problem{.who = kKernelPca, .components = o.components, .seed = o.seed};
  problem.tolerance = o.tolerance > 0.0 ? o.tolerance : gram_tolerance(data.precision());
  const auto embed = [&] {  // the tiles are gone before the way back needs a matrix of its own
    const SymmetricTiles<C> tiles(
        n,
        [&](Index row, Index m, Index col, Index width, C* out) {
          if constexpr (std::is_same_v<C, double>)
            if (objects) return objects->tile(row, m, col, width, out);
          if (given) return copy_given(data, row, m, col, width, out);
          kernel_tile(kernel, rows, row, m, rows, col, width, out);
        },
        plan.route == Route::kept, "kernel", exec);
    watch.lap("kernel");
    return embed_gram(tiles, 1.0, diagonal, o.center, {}, problem, exec);
  };
  GramEmbedding embedding = embed();
  watch.lap("eigen");
  judge_mercer(embedding, o.indefinite, data.precision());
  explain(embedding.pairs.certificate, plan.why);
  explain(embedding.pairs.certificate, why);

  fill_shape(shape, embedding, o.center ? static_cast<double>(n - 1) : 1.0);
  Model::Head head = gram_head(kKernelPca, data, embedding, options_to_map(o), o.seed, "KPC");
  head.extension = Extension::nystrom;
  head.plan = std::move(plan);
  report_mercer(embedding.pairs, data.precision(), head);
  if (o.inverse == Preimage::ridge) {
    double error = 0.0;
    shape.inverse = fit_ridge(shape.objects, coordinates_of(embedding), o.ridge, o.seed, error, exec);
    head.diagnostics.emplace_back("inverse_error", error);
    watch.lap("inverse");
  }
  head.seconds = std::move(seconds);
  if (given && head.feature_names.empty()) head.feature_names = data.row_names;
  Model model(std::move(head), std::move(shape));
  if (o.embedding) model.keep_embedding(coordinates_of(embedding));
  return model;
}

}  // namespace

Model fit_kernel_pca(const Dataset& data, const KernelPcaOptions& options, const Execution& exec) {
  require_parameters(options);
  const bool text = options.kernel == KernelKind::spectrum;
  if (text && !data.is_text())
    throw DataError(
        fmt::format("{}: the spectrum kernel compares strings, and the data have none; give lines of text, "
                    "or use another kernel",
                    kKernelPca));
  if (!text) require_numbers(data, kKernelPca);
  if (data.rows() >= 0 && data.rows() < 2)
    throw DataError(fmt::format("{}: at least 2 objects are needed, and there {}", kKernelPca,
                                data.rows() == 1 ? "is one" : "are none"));
  if (data.cols() == 0 && !text) throw DataError(fmt::format("{}: the data have no columns of numbers", kKernelPca));
  if (!text) require_inverse(options, data.rows(), data.cols(), exec);
  if (options.approximation != KernelApproximation::none) return fit_features(data, options, exec);
  if (text) {
    require_no_inverse(options);
    const ObjectKernel objects = kernel_of_texts(data, {options.length, options.normalize, {}}, kKernelPca, exec);
    return fit_as<double>(data, options, exec, &objects);
  }
  if (data.precision() == Precision::float32) return fit_as<float>(data, options, exec);
  return fit_as<double>(data, options, exec);
}

Model fit_kernel_pca_of(Index count, const PairKernel& k, const KernelPcaOptions& options, const Execution& exec) {
  KernelPcaOptions o = options;
  o.kernel = KernelKind::precomputed;
  o.sigma = o.gamma = from_data;
  require_parameters(o);
  require_no_inverse(o);
  if (o.approximation != KernelApproximation::none)
    throw DataError(fmt::format("{}: a kernel of objects has no approximation; leave it at none", kKernelPca));
  if (count < 2)
    throw DataError(
        fmt::format("{}: at least 2 objects are needed, and there {}", kKernelPca, count == 1 ? "is one" : "are none"));
  const ObjectKernel objects = kernel_of_pairs(count, k, kKernelPca, exec);
  return fit_as<double>(Dataset(Matrix<double>(count, 0)), o, exec, &objects);
}

Plan plan_kernel_pca(const DataShape& shape, const KernelPcaOptions& options, const Execution& exec) {
  require_inverse(options, shape.rows, shape.cols, exec);
  if (options.approximation != KernelApproximation::none) return plan_features(shape, options, exec);
  return plan_objects(shape, options, options.kernel == KernelKind::precomputed, exec);
}

const MethodCard& kernel_pca_card() {
  static const MethodCard card{
      .name = kKernelPca,
      .title = "Principal components in a kernel's feature space, for curved structure",
      .citation = "Schölkopf, Smola & Müller 1998",
      .task = Task::curved,
      .use_when =
          "Use it when the structure is curved, or when objects such as strings are known only by their similarities.",
      .fields = fields_of<KernelPcaOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::kernel, DataKind::lines}},
      .gives = {.extension = Extension::nystrom,
                .inverse = Support::on_request,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::residual}},
      .verified_by = VerifiedBy::similarities,
      .python_class = "KernelPCA",
      .page = "docs/methods/kernel-pca.md",
      .examples = {{"fewdim kernel-pca rings.csv -k 3 -m rings.fewdim -o scores.csv",
                    "a Gaussian kernel whose width comes from the data"},
                   {"fewdim kernel-pca names.txt --kernel spectrum --length 2 -k 2 -o names.csv", "lines of text"},
                   {"fewdim kernel-pca @digits -k 5 --approximation nystrom --landmarks 200 -m digits.fewdim",
                    "many rows, by way of some of them"}},
      .fit =
          [](const Dataset& data, const OptionMap& map, const Execution& exec) {
            return fit_kernel_pca(data, options_from_map<KernelPcaOptions>(map, kKernelPca), exec);
          },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            return plan_kernel_pca(shape, options_from_map<KernelPcaOptions>(map, kKernelPca), exec);
          },
      .takes_text =
          [](const OptionMap& map) {
            return options_from_map<KernelPcaOptions>(map, kKernelPca).kernel == KernelKind::spectrum;
          },
      .verify = verify_similarities};
  return card;
}

}  // namespace fewdim
