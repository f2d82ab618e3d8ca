#include "fewdim/laplacian.hpp"

#include <fmt/format.h>

#include <array>

#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "methods/shared/link_weights.hpp"
#include "methods/shared/lowest_embedding.hpp"
#include "methods/shared/neighborhood_options.hpp"
#include "methods/shared/similarity_options.hpp"
#include "methods/verify/verify.hpp"

namespace fewdim {

template <>
struct EnumNames<Normalization> {
  static constexpr std::array names{std::pair{Normalization::random_walk, "random-walk"},
                                    std::pair{Normalization::symmetric, "symmetric"},
                                    std::pair{Normalization::unnormalized, "unnormalized"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(LaplacianOptions& o, Visitor&& field) {
  describe_components(o.components, field);
  describe_neighborhood(o.neighborhood, field);
  describe_metric(o.metric, field);
  describe_weights(o.graph, o.weights, o.bandwidth, field);
  field(o.normalization,
        {.name = "normalization", .help = "which Laplacian: (D-W)y = λDy, (I - D^-½WD^-½)y = λy, or (D-W)y = λy"});
  describe_lowest(o.solver, o.tolerance, field);
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training objects in the model"});
}

namespace {

constexpr const char* kLaplacian = "laplacian";

Placement placement_of(Normalization normalization) {
  if (normalization == Normalization::unnormalized) return Placement::unnormalized;
  return normalization == Normalization::symmetric ? Placement::symmetric : Placement::random_walk;
}

/// Weights on the links of the neighbor graph, and a Laplacian of them as a symmetric matrix (Belkin & Niyogi 2003).
LowestProblem problem_of(const Dataset& data, const LaplacianOptions& o, Metric metric, Stopwatch& watch,
                         const Execution& exec) {
  LowestProblem out{.objects =
                        neighbor_objects(data, o.neighborhood, metric, o.graph, kLaplacian, exec, {.reach = true})};
  const NeighborGraph& graph = out.objects.graph;
  const Index n = graph.vertices();
  require_components(o.components, n, kLaplacian);
  watch.lap("neighbors");
  const WeightedLinks links = weigh_links(graph, o.graph, o.weights, o.bandwidth, kLaplacian, exec);
  const Vector<double> ones = Vector<double>::Ones(n), roots = links.sums.cwiseSqrt(), inverse = roots.cwiseInverse();
  const bool plain = o.normalization == Normalization::unnormalized;
  out.matrix = plain ? laplacian_matrix(graph, links, links.sums, ones, exec)
                     : laplacian_matrix(graph, links, ones, inverse, exec);
  out.null_vector = plain ? ones : roots;
  // Σ d_i y_i² / Σ d_i = 1 where y = D^−½u, and Σ u_i² / N = 1 where u itself is the coordinate.
  out.back = o.normalization == Normalization::random_walk
                 ? Vector<double>(std::sqrt(links.sums.sum()) * inverse)
                 : Vector<double>::Constant(n, std::sqrt(static_cast<double>(n)));
  link_like(o.neighborhood, metric, o.graph, out.shape);
  meet_training(OwnLink::none, graph, out.shape);
  out.shape.placement = placement_of(o.normalization);  // the equation of a vertex, for its links
  out.shape.bandwidth = links.bandwidth;
  if (o.normalization == Normalization::symmetric) out.shape.scales = inverse;
  watch.lap("matrix");
  return out;
}

/// The lowest eigenvectors of the Laplacian.
Model fit_objects(const Dataset& data, const LaplacianOptions& o, Metric metric, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  LowestProblem problem = problem_of(data, o, metric, watch, exec);
  NeighborObjects& objects = problem.objects;
  SmallestPairs pairs = lowest_pairs(problem, kLaplacian, o.components, o.solver, o.tolerance, o.seed, exec);
  require_one_part(pairs.zeros, problem.shape.bandwidth, kLaplacian);
  watch.lap("eigenvectors");

  Model::Head head = lowest_head(kLaplacian, "LE", data, pairs, end_of_lowest(pairs), options_to_map(o), o.seed, exec);
  head.extension = Extension::nystrom;
  NeighborModel& shape = problem.shape;
  shape.explained_variance = pairs.values;
  shape.configuration = problem.back.asDiagonal() * pairs.vectors;
  shape.left_out = objects.graph.left_out;
  shape.factors = factors_of(shape.placement, pairs.values);
  if (shape.bandwidth > 0.0) head.diagnostics.emplace_back("bandwidth", shape.bandwidth);
  head.diagnostics.emplace_back("zero_eigenvalues", static_cast<double>(1 + pairs.zeros));
  report_graph(objects.graph, data, head);
  report_neighbors(objects, metric, shape.configuration, o.seed, head, exec);
  watch.lap("quality");
  head.seconds = std::move(seconds);
  return finished(std::move(head), std::move(shape), std::move(objects), data, o.embedding, exec);
}

}  // namespace

Model fit_laplacian(const Dataset& data, const LaplacianOptions& options, const Execution& exec) {
  const auto [objects, metric] = what_to_compare(data, options.metric, options.graph, kLaplacian, exec);
  return fit_objects(objects, options, metric, exec);
}

LowestProblem laplacian_problem(const Model& model, const Dataset& data, const Execution& exec) {
  const auto o = options_from_map<LaplacianOptions>(model.head().options, kLaplacian);
  const auto [objects, metric] = what_to_compare(data, compared_by(model, o.metric), o.graph, kLaplacian, exec);
  Stopwatch::Seconds seconds;
  Stopwatch watch(seconds);
  return problem_of(objects, o, metric, watch, exec);
}

const MethodCard& laplacian_card() {
  static const MethodCard card{
      .name = kLaplacian,
      .title = "Coordinates that differ least along the links of neighbors",
      .citation = "Belkin & Niyogi 2003; Bengio et al. 2004",
      .task = Task::neighborhoods,
      .use_when = "Use it when rows that are close should stay close, for example before clustering.",
      .fields = fields_of<LaplacianOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::distances, DataKind::graph}},
      .gives = {.extension = Extension::nystrom,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::residual}},
      .verified_by = VerifiedBy::lowest,
      .python_class = "LaplacianEigenmaps",
      .page = "docs/methods/laplacian.md",
      .examples = {{"fewdim laplacian @digits -k 2 -o map.csv --plot digits.svg", "a map of two dimensions, drawn"},
                   {"fewdim laplacian links.mtx --graph --weights given -k 2 -o links.csv",
                    "from a graph whose links have weights"}},
      .fit =
          [](const Dataset& data, const OptionMap& map, const Execution& exec) {
            return fit_laplacian(data, options_from_map<LaplacianOptions>(map, kLaplacian), exec);
          },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            const auto o = options_from_map<LaplacianOptions>(map, kLaplacian);
            // An object has its own neighbors and about a third as many that chose it alone.
            return plan_lowest(shape, kLaplacian, o.components, 4 * o.neighborhood.k / 3 + 1, o.solver, exec);
          },
      .verify = [](const Model& model, const Dataset& data,
                   const Execution& exec) { return verify_lowest(model, data, laplacian_problem, exec); }};
  return card;
}

}  // namespace fewdim
