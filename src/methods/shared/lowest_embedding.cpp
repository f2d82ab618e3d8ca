#include "methods/shared/lowest_embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "models/file/provenance.hpp"
#include "models/shapes/neighbor.hpp"
#include "quality/embedding/neighbors_kept.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"

namespace fewdim {

namespace {

constexpr Index kNeighbors = 10;  // K of trustworthiness, as `fewdim quality` has it

/// New rows near a training row have the links that it has in the graph, but where neighbors are equally far, were not
/// found, or are no neighbors at all.
bool may_jump(const NeighborModel& shape, const NeighborGraph& graph) {
  if (shape.own == OwnLink::ignored || shape.objects.size() == 0 || shape.metric == Metric::hamming) return false;
  return graph.ties > 0 || !graph.bridges.empty() || graph.trace.recall_rows > 0;
}

/// Training rows to look at: the ends of bridges, and others evenly among all.
std::vector<Index> some_vertices(const NeighborGraph& graph) {
  constexpr Index kMost = 200;
  std::vector<Index> out;
  for (const Link& bridge : graph.bridges)
    if (std::ssize(out) < kMost / 2) out.insert(out.end(), {bridge.first, bridge.second});
  const Index count = std::min(graph.vertices(), kMost - std::ssize(out));
  for (Index i = 0; i < count; ++i) out.push_back(i * graph.vertices() / count);
  return out;
}

/// How far a training row's place is from that of a row all but equal to it: the largest of some, over the root of the
/// mean squared distance from the map's center.
double largest_jump(const Model& model, const NeighborGraph& graph, const Execution& exec) {
  constexpr double kHair = 1e-9;
  const NeighborModel& shape = model.neighbor();
  const std::vector<Index> vertices = some_vertices(graph);
  const Random random(0, 0x6a756d70);
  Matrix<double> moved(std::ssize(vertices), shape.objects.cols());
  const double size = std::sqrt(shape.objects.squaredNorm() / static_cast<double>(shape.objects.size()));
  for (Index i = 0; i < moved.rows(); ++i)
    for (Index j = 0; j < moved.cols(); ++j)
      moved(i, j) = shape.objects(vertices[static_cast<std::size_t>(i)], j) +
                    kHair * size * random.normal(static_cast<std::uint64_t>(i * moved.cols() + j));
  const Matrix<double> places = neighbor_transform(shape, Dataset(moved), Precision::float64, exec).matrix<double>();
  const Eigen::RowVectorXd center = shape.configuration.colwise().mean();
  const double spread = std::sqrt((shape.configuration.rowwise() - center).rowwise().squaredNorm().mean());
  double largest = 0.0;
  for (Index i = 0; i < moved.rows(); ++i)
    largest =
        std::max(largest, (places.row(i) - shape.configuration.row(vertices[static_cast<std::size_t>(i)])).norm());
  return largest / spread;
}

}  // namespace

void require_components(Index components, Index objects, std::string_view who) {
  if (components < objects) return;
  throw InvalidOption(who, "components", std::to_string(components),
                      fmt::format("must be below the number of objects, {}", objects), lower_option("components"),
                      ErrorKind::data);
}

SmallestPairs lowest_pairs(const LowestProblem& lowest, std::string_view who, Index components, SmallestRoute route,
                           double tolerance, Seed seed, const Execution& exec) {
  SmallestProblem problem{.who = std::string(who), .count = components, .seed = seed, .route = route};
  problem.null_space = lowest.null_vector.normalized();
  if (tolerance > 0.0) problem.tolerance = tolerance;
  return smallest_pairs(lowest.matrix, problem, exec);
}

SpectrumEnd end_of_lowest(const SmallestPairs& pairs) {
  const double last = pairs.values[pairs.values.size() - 1];
  const double gap = pairs.next > 0.0 ? (pairs.next - last) / pairs.next : 0.0;
  return {pairs.next, std::clamp(gap, 0.0, 1.0)};
}

Model::Head lowest_head(std::string_view who, std::string_view prefix, const Dataset& data, SmallestPairs& pairs,
                        const SpectrumEnd& spectrum, OptionMap options, Seed seed, const Execution& exec) {
  Model::Head head;
  head.method = who;
  head.precision = data.precision();
  head.options = std::move(options);
  head.provenance = provenance_of(data, data.rows(), seed);
  head.certificate = std::move(pairs.certificate);
  head.plan = plan_of(pairs.cost, shape_of(data), exec);
  head.feature_names = data.column_names;
  const Index count = pairs.values.size();
  for (Index i = 1; i <= count; ++i) head.component_names.push_back(fmt::format("{}{}", prefix, i));
  if (std::isfinite(spectrum.next)) {
    head.diagnostics.emplace_back(diagnostic::next_eigenvalue, spectrum.next);
    head.diagnostics.emplace_back("eigenvalue_gap", spectrum.gap);
  }
  return head;
}

void report_neighbors(const NeighborObjects& objects, Metric metric, const Matrix<double>& map, Seed seed,
                      Model::Head& head, const Execution& exec) {
  if (map.rows() < 3 || (objects.points.size() == 0 && objects.distances.size() == 0)) return;
  const bool rows = objects.points.size() > 0;
  const auto from = row_distances(Dataset(rows ? objects.points : objects.distances),
                                  rows ? metric : Metric::precomputed, head.method, exec);
  const auto to = row_distances(Dataset(map), Metric::euclidean, head.method, exec);
  const NeighborsKept kept = neighbors_kept(*from, *to, kNeighbors, rows ? objects.points.cols() : 0, seed, exec);
  head.diagnostics.emplace_back("trustworthiness", kept.trustworthiness);
  head.diagnostics.emplace_back("continuity", kept.continuity);
  if (kept.sampled < map.rows()) head.diagnostics.emplace_back("standard_error_of_these", kept.standard_error);
}

void link_like(const Neighborhood& neighborhood, Metric metric, bool is_graph, NeighborModel& shape) {
  shape.metric = is_graph ? Metric::precomputed : metric;
  shape.neighbors = is_graph || neighborhood.radius > 0.0 ? 0 : neighborhood.k;
  shape.radius = is_graph ? 0.0 : neighborhood.radius;
  shape.given = is_graph;
}

void meet_training(OwnLink own, const NeighborGraph& graph, NeighborModel& shape) {
  if (shape.given) return;  // a new object comes as its links, and has none to itself
  shape.own = own;
  shape.reach = Eigen::Map<const Vector<double>>(graph.reach.data(), std::ssize(graph.reach));
}

Vector<double> factors_of(Placement placement, const Vector<double>& values) {
  if (placement == Placement::unnormalized) return values;
  return Vector<double>::Ones(values.size()) - values;
}

Metric compared_by(const Model& model, Metric asked) {
  return asked == Metric::automatic ? model.neighbor().metric : asked;
}

Model finished(Model::Head head, NeighborModel shape, NeighborObjects objects, const Dataset& data, bool embedding,
               const Execution& exec) {
  shape.objects = std::move(objects.points);
  if (shape.placement == Placement::barycentric) shape.distances = std::move(objects.distances);
  if (shape.objects.size() == 0 && head.feature_names.empty()) head.feature_names = data.row_names;
  const Matrix<double> coordinates = embedding ? shape.configuration : Matrix<double>();
  Model model(std::move(head), std::move(shape));
  if (may_jump(model.neighbor(), objects.graph))
    model.head().diagnostics.emplace_back("jump_at_training_rows", largest_jump(model, objects.graph, exec));
  if (embedding) model.keep_embedding(coordinates);
  return model;
}

namespace {

RouteCost lowest_cost(const DataShape& shape, const SmallestCost& cost) {
  const auto n = static_cast<double>(shape.rows), d = static_cast<double>(shape.cols);
  // Neighbors by trees in few columns, by products in many.
  const double neighbors =
      shape.cols <= 8 ? seconds_for(Work::tree_rows, n) : seconds_for(Work::neighbor_products, n * n * d);
  return {.route = route_of(cost.route),
          .bytes = cost.bytes,
          .passes = 1,
          .flops = cost.flops,
          .seconds = neighbors + seconds_for(Work::fronts, cost.flops)};
}

}  // namespace

Plan plan_of(const SmallestCost& cost, const DataShape& shape, const Execution& exec) {
  return PlanBuilder(shape, exec).consider(lowest_cost(shape, cost)).because(cost.why).take(route_of(cost.route));
}

Plan plan_lowest(const DataShape& shape, std::string_view who, Index components, Index row_entries, SmallestRoute route,
                 const Execution& exec) {
  PlanBuilder plan(shape, exec);
  // How much a factor fills depends on the dimension of what the data lie on, which only the data know.
  const SmallestCost cost = smallest_cost(shape.rows, row_entries, components, 2, plan.limit(), route);
  plan.consider(lowest_cost(shape, cost)).because(cost.why).because(Reason(ReasonKind::on_surface));
  if (shape.cols > 3) {
    const Index many = std::min<Index>(shape.cols, 10);
    RouteCost other = lowest_cost(shape, smallest_cost(shape.rows, row_entries, components, many, plan.limit(), route));
    other.dimensions = many;
    other.verdict = Verdict::many_dimensions;
    plan.consider(other);
  }
  return plan.take(route_of(cost.route), fmt::format("{}: eigenvectors of {} objects", who, shape.rows),
                   "use fewer rows or fewer neighbors");
}

}  // namespace fewdim
