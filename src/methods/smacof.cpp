#include "fewdim/smacof.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/conventions.hpp"
#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "features/distance_matrix.hpp"
#include "features/metric.hpp"
#include "methods/shared/similarity_options.hpp"
#include "methods/smacof_plan.hpp"
#include "methods/smacof_start.hpp"
#include "models/file/metadata.hpp"
#include "models/file/provenance.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/stress/stress.hpp"

namespace fewdim {

template <>
struct EnumNames<Ties> {
  static constexpr std::array names{std::pair{Ties::weak, "weak"}, std::pair{Ties::strong, "strong"}};
};
template <>
struct EnumNames<MapStart> {
  static constexpr std::array names{std::pair{MapStart::classical, "classical"}, std::pair{MapStart::random, "random"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(SmacofOptions& o, Visitor&& field) {
  field(o.components, {.name = "components", .flag = 'k', .help = "coordinates of the map: a number"});
  field(o.type, {.name = "type",
                 .help = "what counts of the dissimilarities: their ratios (metric), their differences (interval), or "
                         "their order alone (ordinal, also called nonmetric)"});
  field(o.ties, {.name = "ties",
                 .help = "equal dissimilarities of ordinal scaling: weak, may be apart in the map (Kruskal's primary "
                         "approach); strong, get one disparity (his secondary)"});
  describe_metric(o.metric, field);
  field(o.start, {.name = "start", .help = "where to start: at classical scaling, or at random points"});
  field(o.restarts, {.name = "restarts",
                     .minimum = 0,
                     .maximum = 10'000,
                     .help = "further starts at random points; the map of least stress is kept"});
  field(o.iterations,
        {.name = "iterations", .minimum = 1, .maximum = 1e9, .help = "passes over all pairs, at most, for each start"});
  field(o.tolerance,
        {.name = "tolerance",
         .minimum = 0,
         .maximum = 1,
         .help = "stop when a step lowers the normalized stress by no more than this share of it (of 1e-6 where it is "
                 "below that)"});
  field(o.seed, {.name = "seed", .help = "of the random points"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training objects in the model"});
}

namespace {

constexpr const char* kSmacof = "smacof";
constexpr Index kMostKnots = 4096;

/// Centered, turned to its principal axes, signs fixed; the residual is turned with it. Returns the largest cosine
/// between two axes' coordinates.
double settle(Matrix<double>& x, Matrix<double>& residual) {
  for (Index c = 0; c < x.cols(); ++c) {
    double sum = 0.0;
    for (Index i = 0; i < x.rows(); ++i) sum += x(i, c);
    for (Index i = 0; i < x.rows(); ++i) x(i, c) -= sum / static_cast<double>(x.rows());
  }
  Matrix<double> product = x.transpose() * x;
  const Matrix<double> axes = eigen_symmetric(product, x.cols()).vectors;
  x = x * axes;
  residual = residual * axes;
  fix_signs(x);
  double worst = 0.0;
  for (Index a = 0; a < x.cols(); ++a)
    for (Index b = 0; b < a; ++b) {
      const double lengths = x.col(a).norm() * x.col(b).norm();
      if (lengths > 0.0) worst = std::max(worst, std::abs(x.col(a).dot(x.col(b))) / lengths);
    }
  return worst;
}

struct FittedStress {
  Majorized best;
  Index iterations = 0;
};

template <class S>
FittedStress best_map(StressFunction<S>& stress, const std::function<Matrix<double>()>& classical, Index objects,
                      const SmacofOptions& o, const Execution& exec) {
  MajorizeOptions options{.iterations = o.iterations, .tolerance = o.tolerance};
  if constexpr (sizeof(S) == sizeof(float)) options.nothing = 1e-14;
  FittedStress out;
  bool last = true;  // the last map looked at is the best
  for (Index start = 0; start <= o.restarts; ++start) {
    Majorized map = majorize(stress,
                             start == 0 && o.start == MapStart::classical
                                 ? classical()
                                 : random_start(objects, o.components.count, o.seed, start),
                             options, exec);
    out.iterations += map.iterations;
    last = start == 0 || map.stress < out.best.stress;
    if (last) out.best = std::move(map);
  }
  if (!last) {
    Matrix<double> image;
    stress(out.best.x, image);
  }
  return out;
}

void require_converged(const Majorized& map, const SmacofOptions& o) {
  if (map.converged) return;
  throw NotConverged(
      fmt::format("{}: after {} iterations a step still lowers the stress by {:.1e} of it, and would move the map by "
                  "{:.1e} of its size; the tolerance is {:.1e}: {} or {}",
                  kSmacof, map.iterations, map.change, map.residual, o.tolerance, raise_option("iterations"),
                  raise_option("tolerance")));
}

Model::Head head_of(const Dataset& data, const SmacofOptions& o, const Plan& plan, const FittedStress& fitted,
                    const StressModel& shape, double r_squared) {
  Model::Head head;
  head.method = kSmacof;
  head.precision = data.precision();
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, data.rows(), o.seed);
  head.extension = Extension::heuristic;
  head.feature_names = shape.objects.size() == 0 && data.column_names.empty() ? data.row_names : data.column_names;
  for (Index c = 1; c <= o.components.count; ++c) head.component_names.push_back(fmt::format("D{}", c));
  Certificate& certificate = head.certificate;
  certificate.route = plan.route;
  certificate.why = plan.why;
  certificate.iterations = fitted.iterations;
  certificate.tolerance = std::sqrt(o.tolerance);
  certificate.converged = fitted.best.converged;
  if (shape.knots.size() > 0) head.diagnostics.emplace_back("disparity_knots", static_cast<double>(shape.knots.size()));
  head.diagnostics.emplace_back("last_decrease", fitted.best.change);
  head.diagnostics.emplace_back("normalized_stress", fitted.best.stress);
  head.diagnostics.emplace_back("r_squared", r_squared);
  head.diagnostics.emplace_back("residual", fitted.best.residual);
  head.diagnostics.emplace_back("stress_1", std::sqrt(fitted.best.stress));
  if (shape.knots.size() > 0 && shape.knots.size() <= 4 && pair_count(data.rows()) > 10)
    certificate.warnings.push_back(
        "the disparities have hardly any steps: the map may be degenerate, with objects heaped on a few places; look "
        "at it, and try " +
        set_option("type", "interval"));
  return head;
}

template <class S>
Model fit_as(const Dataset& data, const SmacofOptions& o, Metric metric, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const Index n = data.rows();
  const bool given = metric == Metric::precomputed;
  DataShape seen = shape_of(data);
  seen.precision = sizeof(S) == sizeof(float) ? Precision::float32 : Precision::float64;
  SmacofOptions resolved = o;
  resolved.metric = metric;
  Plan plan = plan_smacof(seen, resolved, exec);
  MetricRows<S> rows;
  PairDistances<S> deltas = PairDistances<S>::given(given ? data : Dataset());
  if (!given) {
    rows = pack_rows<S>(data, metric, metric_center(data, metric, exec), kSmacof, exec);
    deltas = PairDistances<S>::anew(n, [&rows](Index row, Index m, Index col, Index width, S* out) {
      distance_tile(rows, row, m, rows, col, width, false, out);
    });
    if (plan.route == Route::kept) deltas = deltas.kept("distances", exec);
  }
  watch.lap("distances");
  std::optional<OrdinalDisparities> ordinal;
  if (o.type == Disparity::ordinal) {
    ordinal.emplace(deltas, o.ties == Ties::strong, exec);
    watch.lap("order");
  }
  StressFunction<S> stress(deltas, o.type, ordinal ? &*ordinal : nullptr, exec);
  if (!(stress.dissimilarity_squares() > 0.0))
    throw DataError(fmt::format("{}: all distances are 0: all objects are alike", kSmacof));
  const auto classical = [&] {
    Matrix<double> x = ordinal ? classical_start(ordinal->ranks(), o.components, o.seed, exec)
                               : classical_start(deltas, o.components, o.seed, exec);
    separate(x, deltas, o.seed);
    return x;
  };
  FittedStress fitted = best_map(stress, classical, n, o, exec);
  Majorized& map = fitted.best;
  require_converged(map, o);
  watch.lap("majorize");

  StressModel shape;
  shape.metric = metric;
  shape.type = o.type;
  shape.shift = ordinal ? 0.0 : stress.disparities().shift;
  shape.factor = ordinal ? 1.0 : stress.disparities().factor;
  if (ordinal) {
    ordinal->knots(deltas, kMostKnots, shape.knots, shape.knot_heights);
    shape.knot_heights *= stress.disparities().factor;
  }
  if (!given) shape.objects = data.matrix<double>();
  const double scale = stress.scale();
  Matrix<double> x = scale * map.x, residual = x - map.image;
  const double length = x.norm();
  const double r_squared = stress.squared_correlation(x);
  shape.point_stress = stress.by_object(x);
  if (const double sum = shape.point_stress.sum(); sum > 0.0) shape.point_stress /= sum;
  const double orthogonality = settle(x, residual);
  shape.explained_variance = x.colwise().squaredNorm().transpose() / static_cast<double>(n - 1);
  shape.total_variance = stress.size() / (static_cast<double>(n) * static_cast<double>(n - 1));
  shape.explained_variance_ratio = shape.explained_variance / shape.total_variance;
  shape.configuration = x;

  Model::Head head = head_of(data, o, plan, fitted, shape, r_squared);
  head.plan = std::move(plan);
  head.seconds = std::move(seconds);
  head.certificate.residuals = residual.colwise().norm().transpose() / length;
  head.certificate.orthogonality = orthogonality;
  Model model(std::move(head), std::move(shape));
  if (o.embedding) model.keep_embedding(std::move(x));
  return model;
}

}  // namespace

Model fit_smacof(const Dataset& data, const SmacofOptions& options, const Execution& exec) {
  require_numbers(data, kSmacof);
  if (data.rows() == 0 || data.cols() == 0) throw DataError(fmt::format("{}: there are no objects", kSmacof));
  Metric metric = options.metric;
  if (metric == Metric::automatic) metric = looks_like_distances(data, exec) ? Metric::precomputed : Metric::euclidean;
  const Dataset objects = metric == Metric::precomputed ? full_distances(data, kSmacof, exec) : data;
  if (objects.is_stream())
    throw Unsupported(
        fmt::format("{}: needs the rows in memory, and these arrive as a stream; use a file that fits", kSmacof));
  if (objects.rows() < 2)
    throw DataError(fmt::format("{}: one object has no distances; at least 2 are needed", kSmacof));
  require_map_size(options.components, objects.rows());
  if (data.precision() == Precision::float32) return fit_as<float>(objects, options, metric, exec);
  return fit_as<double>(objects, options, metric, exec);
}

const MethodCard& smacof_card() {
  static const MethodCard card{
      .name = kSmacof,
      .title = "Scaling by stress: a map whose distances, or their order, fit those given",
      .citation = "Kruskal 1964; de Leeuw 1977; Borg & Groenen 2005",
      .task = Task::distances,
      .use_when =
          "Use it when you want a map in two or three dimensions that fits the distances, or only their order, as well "
          "as possible.",
      .fields = fields_of<SmacofOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::distances}},
      .gives = {.extension = Extension::heuristic,
                .results = {ResultKind::scores, ResultKind::spectrum},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::shepard, PictureKind::residual},
                .keeps_distances = true},
      .verified_by = VerifiedBy::nothing,
      .unverified = "is for eigenvectors; how far a map by stress may still move is in " + use_command("inspect"),
      .python_class = "MDS",
      .page = "docs/methods/smacof.md",
      .examples = {{"fewdim smacof roads.csv --metric precomputed -o map.csv --shepard fit.svg",
                    "a map from distances; how well it fits"},
                   {"fewdim smacof @iris --type ordinal --plot iris.svg", "by the order of the distances alone"}},
      .fit =
          [](const Dataset& data, const OptionMap& map, const Execution& exec) {
            return fit_smacof(data, options_from_map<SmacofOptions>(map, kSmacof), exec);
          },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            return plan_smacof(shape, options_from_map<SmacofOptions>(map, kSmacof), exec);
          }};
  return card;
}

}  // namespace fewdim
