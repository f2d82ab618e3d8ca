#include <fmt/format.h>

#include <cmath>

#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "fewdim/laplacian.hpp"
#include "methods/shared/link_weights.hpp"
#include "methods/shared/lowest_embedding.hpp"
#include "methods/shared/neighborhood_options.hpp"
#include "methods/shared/similarity_options.hpp"
#include "methods/verify/verify.hpp"

namespace fewdim {

/// The one declaration of the options.
template <class Visitor>
void describe(DiffusionOptions& o, Visitor&& field) {
  describe_components(o.components, field);
  describe_neighborhood(o.neighborhood, field);
  describe_metric(o.metric, field);
  describe_weights(o.graph, o.weights, o.bandwidth, field);
  field(o.alpha, {.name = "alpha",
                  .minimum = 0,
                  .maximum = 1,
                  .help = "how much of the sampling density is taken out: 0 none, 0.5 Fokker-Planck, 1 all of it"});
  field(o.time, {.name = "time", .minimum = 0, .help = "steps of the random walk: coordinates are scaled by μ^time"});
  describe_lowest(o.solver, o.tolerance, field);
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training objects in the model"});
}

namespace {

constexpr const char* kDiffusion = "diffusion";

/// Weights with the density taken out, w_ij / (q_i q_j)^α, q the sums; an object is at distance 0 from itself, so that
/// every vertex has a link of weight 1 to itself, but where weights are given.
struct Walk {
  Vector<double> scales{};   ///< q^−α
  Vector<double> sums{};     ///< d_i = Σ_j w_ij (q_i q_j)^−α
  SparseSymmetric matrix{};  ///< I − D^−½ W D^−½
};

Walk walk_of(const NeighborGraph& graph, const WeightedLinks& links, double alpha, const Execution& exec) {
  const Index n = graph.vertices();
  const double itself = links.bandwidth < 0.0 ? 0.0 : 1.0;
  Walk out;
  out.scales = (links.sums.array() + itself).pow(-alpha);
  out.sums = itself * out.scales.array().square();
  for (Index i = 0; i < n; ++i)
    for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i) + 1]); ++e)
      out.sums[i] += out.scales[i] * out.scales[graph.targets[e]] * links.weights[e];
  const Vector<double> factors = out.scales.cwiseProduct(out.sums.cwiseSqrt().cwiseInverse());
  const Vector<double> diagonal = 1.0 - itself * factors.array().square();
  out.matrix = laplacian_matrix(graph, links, diagonal, factors, exec);
  return out;
}

LowestProblem problem_of(const Dataset& data, const DiffusionOptions& o, Metric metric, Stopwatch& watch,
                         const Execution& exec) {
  LowestProblem out{.objects =
                        neighbor_objects(data, o.neighborhood, metric, o.graph, kDiffusion, exec, {.reach = true})};
  const NeighborGraph& graph = out.objects.graph;
  require_components(o.components, graph.vertices(), kDiffusion);
  watch.lap("neighbors");
  const WeightedLinks links = weigh_links(graph, o.graph, o.weights, o.bandwidth, kDiffusion, exec);
  Walk walk = walk_of(graph, links, o.alpha, exec);
  out.matrix = std::move(walk.matrix);
  out.null_vector = walk.sums.cwiseSqrt();
  // ψ = D^−½u with Σ π_i ψ_i² = 1, π = d/Σd where the walk ends up.
  out.back = std::sqrt(walk.sums.sum()) * out.null_vector.cwiseInverse();
  out.complement = true;
  out.time = o.time;
  link_like(o.neighborhood, metric, o.graph, out.shape);
  meet_training(OwnLink::one, graph, out.shape);
  out.shape.placement = Placement::random_walk;
  out.shape.bandwidth = links.bandwidth;
  out.shape.scales = std::move(walk.scales);
  watch.lap("matrix");
  return out;
}

/// The leading eigenvectors ψ of P = D⁻¹W, scaled by μᵗ (Coifman & Lafon 2006).
Model fit_objects(const Dataset& data, const DiffusionOptions& o, Metric metric, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  LowestProblem problem = problem_of(data, o, metric, watch, exec);
  NeighborObjects& objects = problem.objects;
  SmallestPairs pairs = lowest_pairs(problem, kDiffusion, o.components, o.solver, o.tolerance, o.seed, exec);
  require_one_part(pairs.zeros, problem.shape.bandwidth, kDiffusion);
  watch.lap("eigenvectors");

  const Vector<double> mu = 1.0 - pairs.values.array();
  const Index last = mu.size() - 1;
  if (!(mu[last] > 0.0))
    throw InvalidOption(
        kDiffusion, "components", std::to_string(o.components),
        fmt::format("reaches an eigenvalue of {:.3g}, and only positive ones make coordinates", mu[last]),
        "ask for fewer", ErrorKind::data);
  if (std::isfinite(pairs.next)) pairs.next = 1.0 - pairs.next;
  const SpectrumEnd end{pairs.next, (mu[last] - pairs.next) / mu[last]};  // of P: the largest come first
  Model::Head head = lowest_head(kDiffusion, "DM", data, pairs, end, options_to_map(o), o.seed, exec);
  head.extension = Extension::nystrom;
  NeighborModel& shape = problem.shape;
  shape.explained_variance = mu;
  shape.configuration = problem.back.asDiagonal() * pairs.vectors * mu.array().pow(o.time).matrix().asDiagonal();
  shape.left_out = objects.graph.left_out;
  shape.factors = factors_of(shape.placement, pairs.values);
  if (shape.bandwidth > 0.0) head.diagnostics.emplace_back("bandwidth", shape.bandwidth);
  report_graph(objects.graph, data, head);
  report_neighbors(objects, metric, shape.configuration, o.seed, head, exec);
  watch.lap("quality");
  head.seconds = std::move(seconds);
  return finished(std::move(head), std::move(shape), std::move(objects), data, o.embedding, exec);
}

}  // namespace

Model fit_diffusion(const Dataset& data, const DiffusionOptions& options, const Execution& exec) {
  const auto [objects, metric] = what_to_compare(data, options.metric, options.graph, kDiffusion, exec);
  return fit_objects(objects, options, metric, exec);
}

LowestProblem diffusion_problem(const Model& model, const Dataset& data, const Execution& exec) {
  const auto o = options_from_map<DiffusionOptions>(model.head().options, kDiffusion);
  const auto [objects, metric] = what_to_compare(data, compared_by(model, o.metric), o.graph, kDiffusion, exec);
  Stopwatch::Seconds seconds;
  Stopwatch watch(seconds);
  return problem_of(objects, o, metric, watch, exec);
}

const MethodCard& diffusion_card() {
  static const MethodCard card{
      .name = kDiffusion,
      .title = "Distances of where random walks along the data have got to",
      .citation = "Coifman & Lafon 2006",
      .task = Task::neighborhoods,
      .use_when =
          "Use it when the data are noisy and distances should count every path between two rows, not only the "
          "shortest.",
      .fields = fields_of<DiffusionOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::distances, DataKind::graph}},
      .gives = {.extension = Extension::nystrom,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::residual}},
      .verified_by = VerifiedBy::lowest,
      .python_class = "DiffusionMaps",
      .page = "docs/methods/diffusion.md",
      .examples = {{"fewdim diffusion roll.csv --label position -k 2 -m roll.fewdim -o map.csv",
                    "a map of two dimensions"},
                   {"fewdim diffusion @digits -k 3 --time 4 -o digits.csv",
                    "longer walks, which leave out fine detail"}},
      .fit =
          [](const Dataset& data, const OptionMap& map, const Execution& exec) {
            return fit_diffusion(data, options_from_map<DiffusionOptions>(map, kDiffusion), exec);
          },
      .plan =
          [](const DataShape& shape, const OptionMap& map, const Execution& exec) {
            const auto o = options_from_map<DiffusionOptions>(map, kDiffusion);
            return plan_lowest(shape, kDiffusion, o.components, 4 * o.neighborhood.k / 3 + 1, o.solver, exec);
          },
      .verify = [](const Model& model, const Dataset& data,
                   const Execution& exec) { return verify_lowest(model, data, diffusion_problem, exec); }};
  return card;
}

}  // namespace fewdim
