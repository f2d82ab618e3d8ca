#include "fewdim/mds.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "features/distance_matrix.hpp"
#include "features/given_matrix.hpp"
#include "features/metric.hpp"
#include "graph/landmarks.hpp"
#include "methods/landmark_mds.hpp"
#include "methods/shared/gram_embedding.hpp"
#include "methods/shared/similarity_options.hpp"
#include "methods/shared/spectrum_report.hpp"
#include "methods/verify/verify.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/problem.hpp"

namespace fewdim {

template <>
struct EnumNames<DistanceCorrection> {
  static constexpr std::array names{std::pair{DistanceCorrection::none, "none"},
                                    std::pair{DistanceCorrection::lingoes, "lingoes"},
                                    std::pair{DistanceCorrection::cailliez, "cailliez"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(MdsOptions& o, Visitor&& field) {
  field(o.components, {.name = "components", .flag = 'k', .help = "coordinates to keep: a number, a share, or all"});
  describe_metric(o.metric, field);
  field(o.correction, {.name = "correction", .help = "make the distances Euclidean by a constant"});
  field(o.triangle, {.name = "triangle", .help = "count the triples that break the triangle inequality"});
  field(o.landmarks,
        {.name = "landmarks",
         .minimum = 0,
         .help = "for many objects: scale so many of them, and place the others by their distances to those; 0: all"});
  field(o.choice, {.name = "choice", .help = "of landmarks: a random sample, or far from each other"});
  describe_tolerance(o.tolerance, field);
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training objects in the model"});
}

namespace {

constexpr const char* kMds = "mds";

/// What negative eigenvalues say: no point set has these distances exactly.
void report_spectrum(const SymmetricPairs& pairs, Model::Head& head) {
  report_fit(pairs, head);
  report_negative(pairs, head);
  std::vector<std::string>& warnings = head.certificate.warnings;
  if (pairs.spectrum.size() == 0) {
    if (const double share = pairs.lowest / pairs.values[0]; share < -1e-8)
      warnings.push_back(
          fmt::format("the distances are not Euclidean: an eigenvalue is {:.3g} of the largest or less", share));
    return;
  }
  if (const SpectrumSums sums = sums_of(pairs.spectrum); sums.negative > 0)
    warnings.push_back(fmt::format(
        "the distances are not Euclidean: {} of {} eigenvalues {} negative, {:.2f} % of the total in size",
        sums.negative, pairs.spectrum.size(), sums.negative == 1 ? "is" : "are", 100.0 * sums.negative_share));
}

/// w, summing to 1; empty where all count alike.
Vector<double> weights_of(const MdsOptions& o, const Dataset& data, Index objects) {
  const Vector<double>& weights = o.weights.size() > 0 ? o.weights : data.weights;
  require_weights({.who = kMds, .weights = weights}, objects);
  return weights.size() == 0 ? weights : Vector<double>(weights / weights.sum());
}

/// −½J f(Δ) J.
template <class Function>
Matrix<double> centered(const Matrix<double>& distances, Function f) {
  Matrix<double> b = distances.unaryExpr(f) * -0.5;
  const Vector<double> means = b.rowwise().mean();
  const double mean = means.mean();
  b.colwise() -= means;
  b.rowwise() -= means.transpose();
  b.array() += mean;
  return b;
}

/// Sets the constant that makes the distances Euclidean. Both need all of them, and LAPACK.
void set_correction(KernelModel& shape, const Dataset& distances, DistanceCorrection correction) {
  constexpr Index kMost = 2000;
  const Index n = distances.rows();
  if (correction == DistanceCorrection::none) return;
  if (n > kMost)
    throw DataError(
        fmt::format("{}: a correction takes all eigenvalues, which is done for up to {} objects, not {}; use {}", kMds,
                    kMost, n, set_option("correction", "none")));
  const Matrix<double> d = distances.matrix<double>();
  Matrix<double> squares = centered(d, [](double x) { return x * x; });
  if (correction == DistanceCorrection::lingoes) {  // d² + 2c, c = −λ_min(−½JΔ²J)
    const Vector<double> values = eigenvalues_symmetric(squares);
    shape.square_shift = 2.0 * std::max(0.0, -values[n - 1]);
    return;
  }
  // d + c, c the largest eigenvalue of (0 2B; −I −4B′), B of the squared distances and B′ of the distances.
  Matrix<double> m = Matrix<double>::Zero(2 * n, 2 * n);
  m.topRightCorner(n, n) = 2.0 * squares;
  m.bottomLeftCorner(n, n) = -Matrix<double>::Identity(n, n);
  m.bottomRightCorner(n, n) = -4.0 * centered(d, [](double x) { return x; });
  shape.distance_shift = std::max(0.0, largest_real_eigenvalue(m));
}

void report_triangles(const Dataset& distances, Model::Head& head, const Execution& exec) {
  const TriangleBreaches breaches = triangle_breaches(distances, exec);
  head.diagnostics.emplace_back("triangle_breaches", static_cast<double>(breaches.count));
  if (breaches.count == 0) return;
  head.certificate.warnings.push_back(fmt::format(
      "{} triples break the triangle inequality; the worst by {:.4g}: from object {} to {} it is nearer by way of {}",
      breaches.count, breaches.excess, breaches.i + 1, breaches.j + 1, breaches.k + 1));
}

/// All distances between rows, for what needs them at once.
template <class C>
Dataset all_distances(const MetricRows<C>& rows) {
  RowMatrix<C> out(rows.rows, rows.rows);
  distance_tile(rows, 0, rows.rows, rows, 0, rows.rows, false, out.data());
  out.diagonal().setZero();
  return Dataset(std::move(out));
}

/// B = −½JΔ²J = UΛUᵀ, coordinates UΛ^½ (Torgerson 1952), new objects by Gower's formula (1968).
template <class C>
Model fit_as(const Dataset& data, const MdsOptions& o, Metric metric, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const Index n = data.rows();
  const bool given = metric == Metric::precomputed;
  KernelModel shape;
  shape.similarity = Similarity::distance;
  shape.metric = metric;
  MetricRows<C> rows;
  if (!given) {
    rows = pack_rows<C>(data, metric, metric_center(data, metric, exec), kMds, exec);
    shape.objects = data.matrix<double>();
  }
  const bool needs_all = o.triangle || o.correction != DistanceCorrection::none;
  if (needs_all)
    require_memory(exec, static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n) * 6 * sizeof(double),
                   fmt::format("{}: all distances at once", kMds),
                   leave_out("triangle") + " and " + leave_out("correction"));
  const Dataset all = !needs_all ? Dataset() : given ? data : all_distances(rows);
  if (needs_all) set_correction(shape, all, o.correction);

  DataShape seen = shape_of(data);
  seen.precision = sizeof(C) == sizeof(float) ? Precision::float32 : Precision::float64;
  Plan plan = plan_tiles(seen, o.components, false, kMds, exec);
  const auto fill = [&](Index row, Index m, Index col, Index width, C* out) {
    if (given)
      copy_given(data, row, m, col, width, out);
    else
      distance_tile(rows, row, m, rows, col, width, false, out);
    square_distances(out, m * width, shape.distance_shift, shape.square_shift);
    if (row == col)
      for (Index i = 0; i < m; ++i) out[i * width + i] = C(0);
  };
  const SymmetricTiles<C> squares(n, fill, plan.route == Route::kept, "distances", exec);
  watch.lap("distances");
  SymmetricProblem problem{.who = kMds, .components = o.components, .seed = o.seed};
  problem.tolerance = o.tolerance > 0.0 ? o.tolerance : gram_tolerance(data.precision());
  GramEmbedding embedding =
      embed_gram(squares, -0.5, Vector<double>::Zero(n), true, weights_of(o, data, n), problem, exec);
  watch.lap("eigen");
  explain(embedding.pairs.certificate, plan.why);
  // Shares are of what a point set can have: the positive eigenvalues, where all are known.
  if (embedding.pairs.spectrum.size() > 0) embedding.total = embedding.pairs.spectrum.cwiseMax(0.0).sum();
  fill_shape(shape, embedding, 1.0);
  Model::Head head = gram_head(kMds, data, embedding, options_to_map(o), o.seed, "MDS");
  head.extension = Extension::nystrom;
  head.plan = std::move(plan);
  head.seconds = std::move(seconds);
  report_spectrum(embedding.pairs, head);
  if (o.triangle) report_triangles(all, head, exec);
  if (o.correction != DistanceCorrection::none)
    head.diagnostics.emplace_back(
        "correction", o.correction == DistanceCorrection::lingoes ? 0.5 * shape.square_shift : shape.distance_shift);
  if (given && head.feature_names.empty()) head.feature_names = data.row_names;
  Model model(std::move(head), std::move(shape));
  // An object without weight has no entry in the eigenvectors; it is placed as a new one would be.
  if (o.embedding)
    model.keep_embedding(embedding.weights.size() > 0 ? model.transform(data, exec).matrix<double>()
                                                      : coordinates_of(embedding));
  return model;
}

}  // namespace

Model fit_mds(const Dataset& data, const MdsOptions& options, const Execution& exec) {
  if (options.components.kind == Components::Kind::criterion)
    throw InvalidOption(kMds, "components", options.components.text(), "names a criterion, and those judge linear PCA",
                        "use a number or a share");
  require_numbers(data, kMds);
  if (data.rows() == 0 || data.cols() == 0) throw DataError(fmt::format("{}: there are no objects", kMds));
  Metric metric = options.metric;
  if (metric == Metric::automatic) metric = looks_like_distances(data, exec) ? Metric::precomputed : Metric::euclidean;
  const Dataset objects = metric == Metric::precomputed ? full_distances(data, kMds, exec) : data;
  if (objects.rows() >= 0 && objects.rows() < 2)
    throw DataError(fmt::format("{}: one object has no distances; at least 2 are needed", kMds));
  const bool single = data.precision() == Precision::float32;
  if (options.landmarks > 0)
    return single ? fit_landmark_mds<float>(objects, options, options_to_map(options), metric, exec)
                  : fit_landmark_mds<double>(objects, options, options_to_map(options), metric, exec);
  if (single) return fit_as<float>(objects, options, metric, exec);
  return fit_as<double>(objects, options, metric, exec);
}

Plan plan_mds(const DataShape& shape, const MdsOptions& options, const Execution& exec) {
  if (options.landmarks > 0) return plan_landmark_mds(shape, options.landmarks, exec);
  return plan_tiles(shape, options.components, false, kMds, exec);
}

const MethodCard& mds_card() {
  static const MethodCard card{
      .name = kMds,
      .title = "Classical scaling: a map from distances alone",
      .citation = "Torgerson 1952; Gower 1966, 1968",
      .task = Task::distances,
      .use_when = "Use it when you have distances between objects and want a map with nearly the same distances.",
      .fields = fields_of<MdsOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::distances}, .weights = true},
      .gives = {.extension = Extension::nystrom,
                .results = {ResultKind::scores, ResultKind::spectrum},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::shepard, PictureKind::residual},
                .keeps_distances = true},
      .verified_by = VerifiedBy::similarities,
      .python_class = "ClassicalMDS",
      .page = "docs/methods/mds.md",
      .examples = {{"fewdim mds roads.csv --metric precomputed -k 2 -o map.csv --plot map.svg",
                    "a map from a table of distances"},
                   {"fewdim mds @iris -k 2 --metric manhattan --shepard iris.svg",
                    "rows under another metric; how well it fits"},
                   {"fewdim mds @digits -k 2 --landmarks 100 -m digits.fewdim", "many rows, by way of some of them"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_mds(data, options_from_map<MdsOptions>(map, kMds), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_mds(shape, options_from_map<MdsOptions>(map, kMds), exec); },
      .verify = verify_similarities};
  return card;
}

}  // namespace fewdim
