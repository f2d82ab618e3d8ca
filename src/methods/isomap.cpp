#include "fewdim/isomap.hpp"

#include <fmt/format.h>

#include <array>

#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "features/metric.hpp"
#include "graph/geodesics.hpp"
#include "graph/landmarks.hpp"
#include "methods/shared/neighbor_objects.hpp"
#include "methods/shared/neighborhood_options.hpp"
#include "methods/shared/path_embedding.hpp"
#include "methods/shared/similarity_options.hpp"
#include "methods/shared/spectrum_report.hpp"
#include "quality/embedding/residual_variance.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

template <>
struct EnumNames<GeodesicStorage> {
  static constexpr std::array names{std::pair{GeodesicStorage::automatic, "auto"},
                                    std::pair{GeodesicStorage::float32, "float32"},
                                    std::pair{GeodesicStorage::float64, "float64"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(IsomapOptions& o, Visitor&& field) {
  field(o.components, {.name = "components", .flag = 'k', .help = "coordinates to keep: a number, a share, or all"});
  describe_neighborhood(o.neighborhood, field);
  describe_metric(o.metric, field);
  field(o.graph,
        {.name = "graph", .help = "the data are the graph: a square matrix of lengths, 0 where there is no link"});
  field(o.landmarks, {.name = "landmarks",
                      .minimum = 0,
                      .help = "measure paths from so many objects only, and place the others by them; 0: from all"});
  field(o.choice, {.name = "choice", .help = "of landmarks: a random sample, or far from each other"});
  field(o.storage, {.name = "storage",
                    .help = "numbers that paths are held in; auto: as the data, or float32 where that alone fits"});
  field(o.geodesics, {.name = "geodesics", .help = "keep the paths' lengths in the model: new points need no search"});
  describe_tolerance(o.tolerance, field);
  field(o.seed, {.name = "seed", .help = "of the landmarks and the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training objects in the model"});
}

namespace {

constexpr const char* kIsomap = "isomap";
constexpr Index kDimensions = 10;  // of the curve of residual variance

/// The plan, and the numbers that paths are held in.
struct PathPlan {
  Plan plan;
  bool single = false;
};

template <class S>
std::uint64_t bytes_for(Index n, const IsomapOptions& o) {
  const auto objects = static_cast<std::uint64_t>(n);
  const Index count = o.components.kind == Components::Kind::count && o.components.count > 0
                          ? std::max(o.components.count, kDimensions)
                          : 24;
  const Index landmarks = o.landmarks > 0 ? std::min(o.landmarks, n) : n;
  std::uint64_t bytes = SymmetricTiles<S>::kept_bytes(landmarks) +
                        symmetric_pairs_bytes(landmarks, std::min(count, landmarks)) +
                        objects * static_cast<std::uint64_t>(count) * 2 * sizeof(double);
  if (o.landmarks > 0) bytes += static_cast<std::uint64_t>(landmarks) * objects * sizeof(S);
  if (o.geodesics) bytes += static_cast<std::uint64_t>(landmarks) * objects * sizeof(double);
  return bytes;
}

RouteCost path_cost(const DataShape& shape, const IsomapOptions& o, bool single) {
  const Index sources = o.landmarks > 0 ? o.landmarks : shape.rows;
  const auto n = static_cast<double>(shape.rows), m = static_cast<double>(sources);
  const double products = 320.0 * m * m;  // of about ten blocks of 16 columns
  return {.route = o.landmarks > 0 ? Route::landmarks : Route::all_pairs,
          .bytes = single ? bytes_for<float>(shape.rows, o) : bytes_for<double>(shape.rows, o),
          .passes = 1,
          .flops = products,
          .seconds = seconds_for(Work::path_pairs, n * m) + seconds_for(Work::path_products, products)};
}

PathPlan plan_paths(const DataShape& shape, const IsomapOptions& o, const Execution& exec) {
  PlanBuilder plan(shape, exec);
  const Index n = shape.rows;
  const std::uint64_t wide = bytes_for<double>(n, o);
  const bool fallback =
      o.storage == GeodesicStorage::automatic && shape.precision == Precision::float64 && wide > plan.limit();
  const bool single = o.storage == GeodesicStorage::float32 ||
                      (o.storage == GeodesicStorage::automatic && (shape.precision == Precision::float32 || fallback));
  const int bits = single ? 32 : 64;
  const Reason paths = o.landmarks > 0 ? Reason(ReasonKind::landmark_paths, std::min(o.landmarks, n), n, bits)
                                       : Reason(ReasonKind::all_paths, n, bits);
  IsomapOptions other = o;
  other.landmarks = o.landmarks > 0 ? 0 : std::min<Index>(1000, n);
  RouteCost beside = path_cost(shape, other, single);
  beside.landmarks = other.landmarks;
  beside.verdict = Verdict::not_asked;
  plan.consider(path_cost(shape, o, single)).consider(beside).because(paths);
  if (fallback) plan.because(Reason(ReasonKind::wide_over_limit, wide, plan.limit()));
  return {
      plan.take(o.landmarks > 0 ? Route::landmarks : Route::all_pairs, fmt::format("{}: {}", kIsomap, words_of(paths)),
                o.landmarks > 0 ? "take fewer landmarks" : fmt::format("use {}", set_option("landmarks", 1000))),
      single};
}

std::vector<std::int32_t> chosen_landmarks(const NeighborObjects& objects, Metric metric, const IsomapOptions& o,
                                           const Execution& exec) {
  const Index n = objects.graph.vertices();
  if (o.landmarks == 0) return {};
  if (o.choice == LandmarkChoice::random) return random_landmarks(n, o.landmarks, o.seed, kIsomap);
  if (objects.points.size() > 0) {
    const Dataset points(objects.points);
    const auto rows = pack_rows<double>(points, metric, metric_center(points, metric, exec), kIsomap, exec);
    return maxmin_landmarks(rows, o.landmarks, o.seed, kIsomap, exec);
  }
  const auto distances_from = [&](Index i, double* out) {
    if (objects.distances.size() > 0)
      for (Index j = 0; j < n; ++j) out[j] = objects.distances(j, i);
    else
      geodesics_into(objects.graph, std::array{static_cast<std::int32_t>(i)}, out, n, exec);
  };
  return maxmin_landmarks(n, o.landmarks, o.seed, distances_from, kIsomap, exec);
}

SymmetricProblem problem_of(const IsomapOptions& o, bool single) {
  SymmetricProblem problem{.who = kIsomap, .components = o.components, .seed = o.seed, .at_least = kDimensions};
  problem.tolerance =
      o.tolerance > 0.0 ? o.tolerance : gram_tolerance(single ? Precision::float32 : Precision::float64);
  return problem;
}

void report_dimensions(const Vector<double>& residual_variance, Model::Head& head) {
  const Index count = std::min(kDimensions, residual_variance.size());
  for (Index d = 0; d < count; ++d)
    head.diagnostics.emplace_back(diagnostic::residual_variance(d + 1), residual_variance[d]);
  head.diagnostics.emplace_back("elbow", static_cast<double>(elbow_of_curve(residual_variance.head(count))));
}

/// Neighbors, shortest paths, classical scaling (Tenenbaum, de Silva & Langford 2000).
Model fit_objects(const Dataset& data, const IsomapOptions& o, Metric metric, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  NeighborObjects objects = neighbor_objects(data, o.neighborhood, metric, o.graph, kIsomap, exec);
  const NeighborGraph& graph = objects.graph;
  watch.lap("neighbors");
  DataShape seen = shape_of(data);
  seen.rows = graph.vertices();
  auto [plan, single] = plan_paths(seen, o, exec);
  const std::vector<std::int32_t> landmarks = chosen_landmarks(objects, metric, o, exec);
  if (!landmarks.empty()) watch.lap("landmarks");
  const SymmetricProblem problem = problem_of(o, single);
  PathEmbedding paths = single ? embed_paths<float>(graph, landmarks, problem, o.geodesics, watch, exec)
                               : embed_paths<double>(graph, landmarks, problem, o.geodesics, watch, exec);
  // Paths are never quite Euclidean: shares are of the positive eigenvalues, where all are known, or else of the trace;
  // but of no less than the ten leading ones, however many are kept.
  paths.gram.total = std::max(paths.gram.total, paths.gram.pairs.values.sum());
  paths.gram.pairs.keep_wanted();
  explain(paths.gram.pairs.certificate, plan.why);
  if (paths.gram.pairs.spectrum.size() > 0) paths.gram.total = paths.gram.pairs.spectrum.cwiseMax(0.0).sum();

  KernelModel shape;
  shape.similarity = Similarity::geodesic;
  shape.metric = o.graph ? Metric::precomputed : metric;
  shape.objects = std::move(objects.points);
  fill_shape(shape, paths.gram, 1.0);
  shape.paths = {.neighbors = o.graph || o.neighborhood.radius > 0.0 ? 0 : o.neighborhood.k,
                 .radius = o.graph ? 0.0 : o.neighborhood.radius,
                 .given = o.graph,
                 .vertices = graph.vertices(),
                 .links = links_of(graph),
                 .landmarks = landmarks,
                 .left_out = graph.left_out,
                 .geodesics = std::move(paths.geodesics)};
  Model::Head head = gram_head(kIsomap, data, paths.gram, options_to_map(o), o.seed, "ISO");
  head.extension = Extension::nystrom;
  head.plan = std::move(plan);
  head.seconds = std::move(seconds);
  report_graph(graph, data, head);
  report_fit(paths.gram.pairs, head);
  report_negative(paths.gram.pairs, head);
  report_dimensions(paths.residual_variance, head);
  if (shape.objects.size() == 0 && head.feature_names.empty()) head.feature_names = data.row_names;
  Model model(std::move(head), std::move(shape));
  if (o.embedding) model.keep_embedding(paths.coordinates.leftCols(model.components()));
  return model;
}

}  // namespace

Model fit_isomap(const Dataset& data, const IsomapOptions& options, const Execution& exec) {
  if (options.components.kind == Components::Kind::criterion)
    throw InvalidOption(kIsomap, "components", options.components.text(),
                        "names a criterion, and those judge linear PCA", "use a number or a share");
  const auto [objects, metric] = what_to_compare(data, options.metric, options.graph, kIsomap, exec);
  return fit_objects(objects, options, metric, exec);
}

Plan plan_isomap(const DataShape& shape, const IsomapOptions& options, const Execution& exec) {
  return plan_paths(shape, options, exec).plan;
}

const MethodCard& isomap_card() {
  static const MethodCard card{
      .name = kIsomap,
      .title = "Keeps distances along the data's manifold",
      .citation = "Tenenbaum, de Silva & Langford 2000; de Silva & Tenenbaum 2003",
      .task = Task::distances,
      .use_when = "Use it when the rows lie on a curved sheet and you want a map of the distances along it.",
      .fields = fields_of<IsomapOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::distances, DataKind::graph}},
      .gives = {.extension = Extension::nystrom,
                .results = {ResultKind::scores, ResultKind::spectrum},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::residual},
                .keeps_distances = true},
      .verified_by = VerifiedBy::nothing,
      .unverified = "paths are found anew by a fit only; fit again and compare the eigenvalues",
      .python_class = "Isomap",
      .page = "docs/methods/isomap.md",
      .examples = {{"fewdim isomap roll.csv --label position -k 2 -m roll.fewdim -o map.csv",
                    "a map of two dimensions"},
                   {"fewdim isomap @digits -k 2 --neighbors 10 --plot digits.svg", "a built-in table, drawn"},
                   {"fewdim isomap streets.mtx --graph -k 2 -o streets.csv", "from a graph whose links have lengths"}},
      .fit =
          [](const Dataset& data, const OptionMap& map, const Execution& exec) {
            return fit_isomap(data, options_from_map<IsomapOptions>(map, kIsomap), exec);
          },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            return plan_isomap(shape, options_from_map<IsomapOptions>(map, kIsomap), exec);
          }};
  return card;
}

}  // namespace fewdim
