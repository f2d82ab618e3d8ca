#include "fewdim/laplacian.hpp"

#include <fmt/format.h>

#include <array>

#include "base/stopwatch.hpp"
#include "data/checks.hpp"
#include "methods/link_weights.hpp"
#include "methods/lowest_embedding.hpp"
#include "methods/neighborhood_options.hpp"
#include "methods/similarity_options.hpp"

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

constexpr const char* kWho = "laplacian";

/// A Laplacian as a symmetric matrix, and how its eigenvectors u become coordinates: y_i = u_i back_i.
struct Problem {
  SparseSymmetric matrix{};
  Vector<double> null_vector{};
  Vector<double> back{};
};

Problem problem_of(const NeighborGraph& graph, const WeightedLinks& links, Normalization normalization) {
  const Index n = graph.vertices();
  const Vector<double> ones = Vector<double>::Ones(n);
  if (normalization == Normalization::unnormalized)
    return {laplacian_matrix(graph, links, links.sums, ones), ones,
            Vector<double>::Constant(n, std::sqrt(static_cast<double>(n)))};
  const Vector<double> roots = links.sums.cwiseSqrt(), inverse = roots.cwiseInverse();
  Problem out{laplacian_matrix(graph, links, ones, inverse), roots, {}};
  // Σ d_i y_i² / Σ d_i = 1 where y = D^−½u, and Σ u_i² / N = 1 where u itself is the coordinate.
  if (normalization == Normalization::random_walk)
    out.back = std::sqrt(links.sums.sum()) * inverse;
  else
    out.back = Vector<double>::Constant(n, std::sqrt(static_cast<double>(n)));
  return out;
}

/// What places new objects: the equation of a vertex, for its links.
void fill_placement(NeighborModel& shape, const WeightedLinks& links, const Vector<double>& values,
                    Normalization normalization) {
  const Vector<double> ones = Vector<double>::Ones(values.size());
  shape.bandwidth = links.bandwidth;
  switch (normalization) {
    case Normalization::random_walk:
      shape.placement = Placement::random_walk;
      shape.factors = ones - values;
      break;
    case Normalization::symmetric:
      shape.placement = Placement::symmetric;
      shape.factors = ones - values;
      shape.scales = links.sums.cwiseSqrt().cwiseInverse();
      break;
    case Normalization::unnormalized:
      shape.placement = Placement::unnormalized;
      shape.factors = values;
      break;
  }
}

/// Weights on the links of the neighbor graph, and the lowest eigenvectors of a Laplacian (Belkin & Niyogi 2003).
Model fit_objects(const Dataset& data, const LaplacianOptions& o, Metric metric, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  NeighborObjects objects = neighbor_objects(data, o.neighborhood, metric, o.graph, kWho, exec);
  const NeighborGraph& graph = objects.graph;
  require_components(o.components, graph.vertices(), kWho);
  watch.lap("neighbors");
  const WeightedLinks links = weigh_links(graph, o.graph, o.weights, o.bandwidth, kWho);
  const Problem problem = problem_of(graph, links, o.normalization);
  watch.lap("matrix");
  SmallestPairs pairs =
      lowest_pairs(problem.matrix, problem.null_vector, kWho, o.components, o.solver, o.tolerance, o.seed, exec);
  require_one_part(pairs.zeros, links, kWho);
  watch.lap("eigenvectors");

  Model::Head head = lowest_head(kWho, "LE", data, pairs, options_to_map(o), o.seed);
  head.extension = Extension::nystrom;
  NeighborModel shape;
  link_like(o.neighborhood, metric, o.graph, shape);
  shape.explained_variance = pairs.values;
  shape.configuration = problem.back.asDiagonal() * pairs.vectors;
  shape.left_out = graph.left_out;
  fill_placement(shape, links, pairs.values, o.normalization);
  if (links.bandwidth > 0.0) head.diagnostics.emplace_back("bandwidth", links.bandwidth);
  head.diagnostics.emplace_back("zero_eigenvalues", static_cast<double>(1 + pairs.zeros));
  report_graph(graph, data, head);
  report_neighbors(objects, metric, shape.configuration, o.seed, head, exec);
  watch.lap("quality");
  head.seconds = std::move(seconds);
  return finished(std::move(head), std::move(shape), std::move(objects), data, o.embedding);
}

}  // namespace

Model fit_laplacian(const Dataset& data, const LaplacianOptions& options, const Execution& exec) {
  const auto [objects, metric] = what_to_compare(data, options.metric, options.graph, kWho, exec);
  return fit_objects(objects, options, metric, exec);
}

const MethodCard& laplacian_card() {
  static const MethodCard card{.name = kWho,
                               .title = "Coordinates that differ least along the links of neighbors",
                               .citation = "Belkin & Niyogi 2003; Bengio et al. 2004",
                               .fields = fields_of<LaplacianOptions>(),
                               .capabilities = {.extension = Extension::nystrom, .inverse = true},
                               .fit =
                                   [](const Dataset& data, const OptionMap& map, const Execution& exec) {
                                     return fit_laplacian(data, options_from_map<LaplacianOptions>(map, kWho), exec);
                                   },
                               .plan =
                                   [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
                                     const auto o = options_from_map<LaplacianOptions>(map, kWho);
                                     // An object has its own neighbors and about a third as many that chose it alone.
                                     return plan_lowest(shape, kWho, o.components, 4 * o.neighborhood.k / 3 + 1,
                                                        o.solver, exec);
                                   }};
  return card;
}

}  // namespace fewdim
