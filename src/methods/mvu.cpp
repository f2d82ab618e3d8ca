#include "fewdim/mvu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "methods/shared/lowest_embedding.hpp"
#include "methods/shared/neighborhood_options.hpp"
#include "methods/shared/similarity_options.hpp"
#include "models/file/provenance.hpp"
#include "solvers/routes/decompose.hpp"
#include "solvers/routes/plan_builder.hpp"
#include "solvers/unfolding/unfolding.hpp"

namespace fewdim {

template <>
struct EnumNames<UnfoldingForm> {
  static constexpr std::array names{std::pair{UnfoldingForm::inequality, "inequality"},
                                    std::pair{UnfoldingForm::equality, "equality"}};
};

template <>
struct EnumNames<UnfoldingRoute> {
  static constexpr std::array names{
      std::pair{UnfoldingRoute::automatic, "auto"}, std::pair{UnfoldingRoute::exact, "exact"},
      std::pair{UnfoldingRoute::factored, "factored"}, std::pair{UnfoldingRoute::laplacian, "laplacian"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(MvuOptions& o, Visitor&& field) {
  describe_components(o.components, field);
  describe_neighborhood(o.neighborhood, field);
  describe_metric(o.metric, field);
  field(o.graph,
        {.name = "graph", .help = "the data are the graph: a square matrix of lengths, 0 where there is no link"});
  field(o.rigid,
        {.name = "rigid", .help = "link the neighbors of a common row, too: angles are kept with the lengths"});
  field(o.form, {.name = "form",
                 .help = "distances of linked rows may shrink (inequality) or stay as they are (equality): the numbers "
                         "differ"});
  field(o.solver,
        {.name = "solver",
         .help = "interior points (exact, for small data), a low-rank factor, or a factor from a start in the "
                 "graph's smoothest functions (laplacian, for large data)"});
  field(o.tolerance, {.name = "tolerance",
                      .minimum = 0,
                      .maximum = 0.1,
                      .help = "largest violation of a linked pair's distance, relative to it; 0 means 1e-5"});
  field(o.seed, {.name = "seed", .help = "of the random start"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training objects in the model"});
}

namespace {

constexpr const char* kMvu = "mvu";
constexpr double kTolerance = 1e-5;
constexpr double kProven = 1e-3;          // a gap above is worth a warning
constexpr double kRegularization = 1e-3;  // of the weights that place new objects, as LLE has it

double distance_of(const NeighborObjects& objects, Index i, Index j) {
  if (objects.distances.size() > 0) return objects.distances(std::max(i, j), std::min(i, j));
  double square = 0.0;
  for (Index c = 0; c < objects.points.cols(); ++c) {
    const double d = objects.points(i, c) - objects.points(j, c);
    square += d * d;
  }
  return std::sqrt(square);
}

/// The links, with lengths in full precision where the metric is the plain one, and those between neighbors of one
/// object where asked for.
std::vector<Link> links_between(const NeighborObjects& objects, Metric metric, bool rigid) {
  std::vector<Link> links = links_of(objects.graph);
  if (metric == Metric::euclidean)
    for (Link& l : links) l.length = distance_of(objects, l.first, l.second);
  if (!rigid) return links;
  const NeighborGraph& graph = objects.graph;
  for (std::size_t i = 0; i + 1 < graph.offsets.size(); ++i)
    for (auto a = graph.offsets[i]; a < graph.offsets[i + 1]; ++a)
      for (auto b = a + 1; b < graph.offsets[i + 1]; ++b) {
        const std::int32_t first = graph.targets[static_cast<std::size_t>(a)];
        const std::int32_t second = graph.targets[static_cast<std::size_t>(b)];
        links.push_back({first, second, distance_of(objects, first, second)});
      }
  const auto ends = [](const Link& l) { return std::pair(l.first, l.second); };
  std::ranges::stable_sort(links, {}, ends);
  const auto same = std::ranges::unique(links, {}, ends);
  links.erase(same.begin(), same.end());
  return links;
}

/// exp of the entropy of the eigenvalues' shares (Roy & Vetterli 2007): how many dimensions the variance is spread
/// over.
double effective_rank(const Unfolding& u) {
  double entropy = 0.0;
  for (const double value : u.values)
    if (const double share = value / u.variance; share > 0.0) entropy -= share * std::log(share);
  return std::exp(entropy);
}

void report_unfolding(const Unfolding& u, Index components, double retained, Model::Head& head) {
  auto& out = head.diagnostics;
  out.emplace_back("retained_variance", retained);
  out.emplace_back("effective_rank", effective_rank(u));
  out.emplace_back("constraint_violation", u.violation);
  if (std::isfinite(u.bound)) out.emplace_back("certified_gap", u.gap);
  out.emplace_back("lowest_dual_eigenvalue", u.lowest);
  if (u.merged > 0) out.emplace_back("merged_duplicates", static_cast<double>(u.merged));
  if (u.values.size() < components)
    head.certificate.warnings.push_back(fmt::format("unfolded, the data have {} dimension{}; coordinates beyond are 0",
                                                    u.values.size(), u.values.size() == 1 ? "" : "s"));
  if (!std::isfinite(u.bound))
    head.certificate.warnings.push_back(
        "no bound on the variance was found: the map keeps the distances, but another may spread more");
  else if (u.gap > kProven)
    head.certificate.warnings.push_back(fmt::format(
        "another map may have up to {:.2g} % more variance: that is the bound proven", 100.0 * u.gap / (1.0 - u.gap)));
}

Certificate certificate_of(const Unfolding& u, const MvuOptions& o, double tolerance) {
  Certificate out;
  out.route = u.route;
  out.why = {Reason(o.form == UnfoldingForm::equality ? ReasonKind::equality_form : ReasonKind::inequality_form),
             u.why};
  out.iterations = u.iterations;
  out.tolerance = tolerance;
  out.converged = u.converged;
  return out;
}

double unfolding_seconds(UnfoldingRoute route, UnfoldingForm form, double rows, double links) {
  // CSDP's iterations are cubic, about 30 of them.
  if (route == UnfoldingRoute::exact)
    return 30.0 * seconds_for(Work::semidefinite, links * links * links / 3.0 + 30.0 * rows * rows * rows);
  // Equalities go on for longer from where inequalities end.
  const double factored = seconds_for(Work::unfolded_rows, rows) * (form == UnfoldingForm::equality ? 8.0 : 1.0);
  return route == UnfoldingRoute::factored ? factored : 0.9 * factored;
}

/// All routes that unfold so many objects with so many links, and why one is taken.
PlanBuilder routes_of(const DataShape& shape, Index objects, Index links, const MvuOptions& o, const Execution& exec) {
  const bool by_size = o.solver == UnfoldingRoute::automatic;
  PlanBuilder plan(shape, exec);
  for (const UnfoldingRoute r : {UnfoldingRoute::exact, UnfoldingRoute::factored, UnfoldingRoute::laplacian})
    plan.consider({.route = route_of(r),
                   .bytes = unfolding_bytes(r, o.form, objects, links),
                   .passes = 1,
                   .seconds = unfolding_seconds(r, o.form, static_cast<double>(objects), static_cast<double>(links)),
                   .verdict = by_size ? Verdict::by_size : Verdict::open});
  plan.because(by_size ? Reason(ReasonKind::links_by_size, objects, links) : Reason(ReasonKind::asked_for));
  return plan;
}

/// The neighbor graph, the semidefinite program on it, and the principal axes of its solution.
Model fit_objects(const Dataset& data, const MvuOptions& o, Metric metric, const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  if (o.rigid && (o.graph || (metric != Metric::euclidean && metric != Metric::precomputed)))
    throw InvalidOption(kMvu, "rigid", "true", "needs the distances between neighbors",
                        "use " + set_option("metric", "euclidean") + ", or give all distances");
  NeighborObjects objects = neighbor_objects(data, o.neighborhood, metric, o.graph, kMvu, exec);
  const Index n = objects.graph.vertices();
  require_components(o.components, n, kMvu);
  watch.lap("neighbors");
  const double tolerance = o.tolerance > 0.0 ? o.tolerance : kTolerance;
  UnfoldingProblem problem{.who = kMvu,
                           .vertices = n,
                           .links = links_between(objects, metric, o.rigid),
                           .form = o.form,
                           .route = o.solver,
                           .tolerance = tolerance,
                           .seed = o.seed};
  const Unfolding unfolding = unfold(problem, exec);
  watch.lap("unfold");

  NeighborModel shape;
  const Index known = std::min(o.components, unfolding.values.size());
  shape.configuration = Matrix<double>::Zero(n, o.components);
  shape.configuration.leftCols(known) = unfolding.map.leftCols(known);
  shape.explained_variance = Vector<double>::Zero(o.components);
  shape.explained_variance.head(known) = unfolding.values.head(known);
  shape.explained_variance_ratio = shape.explained_variance / unfolding.variance;
  shape.total_variance = unfolding.variance;

  Model::Head head;
  head.method = kMvu;
  head.precision = data.precision();
  head.options = options_to_map(o);
  head.provenance = provenance_of(data, data.rows(), o.seed);
  head.certificate = certificate_of(unfolding, o, tolerance);
  head.plan = routes_of(shape_of(data), n - unfolding.merged, std::ssize(problem.links), o, exec).take(unfolding.route);
  head.feature_names = data.column_names;
  head.extension = Extension::heuristic;
  for (Index i = 1; i <= o.components; ++i) head.component_names.push_back(fmt::format("MVU{}", i));
  report_unfolding(unfolding, o.components, unfolding.values.head(known).sum() / unfolding.variance, head);
  report_graph(objects.graph, data, head);
  report_neighbors(objects, metric, shape.configuration, o.seed, head, exec);
  watch.lap("quality");
  head.seconds = std::move(seconds);

  shape.metric = o.graph ? Metric::precomputed : metric;
  shape.neighbors = o.graph || o.neighborhood.radius > 0.0 ? 0 : o.neighborhood.k;
  shape.radius = o.graph ? 0.0 : o.neighborhood.radius;
  shape.given = o.graph;
  shape.regularization = o.graph ? 0.0 : kRegularization;
  if (o.graph) {  // no distances between all: a new object goes to the mean of those it is linked to
    shape.placement = Placement::random_walk;
    shape.factors = Vector<double>::Ones(o.components);
  }
  shape.left_out = objects.graph.left_out;
  shape.objects = std::move(objects.points);
  shape.distances = std::move(objects.distances);
  if (shape.objects.size() == 0 && head.feature_names.empty()) head.feature_names = data.row_names;
  const Matrix<double> coordinates = o.embedding ? shape.configuration : Matrix<double>();
  Model model(std::move(head), std::move(shape));
  if (o.embedding) model.keep_embedding(coordinates);
  return model;
}

}  // namespace

Model fit_mvu(const Dataset& data, const MvuOptions& options, const Execution& exec) {
  const auto [objects, metric] = what_to_compare(data, options.metric, options.graph, kMvu, exec);
  return fit_objects(objects, options, metric, exec);
}

Plan plan_mvu(const DataShape& shape, const MvuOptions& options, const Execution& exec) {
  // Of k choices an object, about 0.6 k links remain, as many choices are mutual; rigid ones were 4 times as many.
  const Index links =
      static_cast<Index>(0.6 * static_cast<double>(shape.rows * options.neighborhood.k)) * (options.rigid ? 4 : 1);
  const UnfoldingRoute route = unfolding_route(options.solver, shape.rows);
  PlanBuilder plan = routes_of(shape, shape.rows, links, options, exec);
  return plan.take(route_of(route), fmt::format("{}: the {} route for {} objects", kMvu, enum_text(route), shape.rows),
                   route == UnfoldingRoute::exact ? fmt::format("use {}", set_option("solver", "factored"))
                                                  : "take fewer rows or neighbors");
}

const MethodCard& mvu_card() {
  static const MethodCard card{
      .name = kMvu,
      .title = "Pulls rows as far apart as the distances of neighbors allow",
      .citation = "Weinberger & Saul 2004; Weinberger, Sha, Zhu & Saul 2006",
      .task = Task::distances,
      .use_when = "Use it when the distances between neighbors must be kept and there are at most a few thousand rows.",
      .fields = fields_of<MvuOptions>(),
      .takes = {.kinds = {DataKind::rows, DataKind::distances, DataKind::graph}},
      .gives = {.extension = Extension::heuristic,
                .inverse = Support::yes,
                .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::approximation},
                .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::scree,
                             PictureKind::cumulative, PictureKind::residual},
                .keeps_distances = true},
      .verified_by = VerifiedBy::nothing,
      .unverified =
          "the bound of a map by mvu is proven by the tensions of its links, which a model does not keep; fit again, "
          "which gives the same bits, or judge the map with " +
          use_command("quality"),
      .python_class = "MaximumVarianceUnfolding",
      .page = "docs/methods/mvu.md",
      .examples = {{"fewdim mvu roll.csv --label position -k 2 -m roll.fewdim -o map.csv", "a map of two dimensions"},
                   {"fewdim mvu @iris -k 2 --plot iris.svg", "a built-in table, drawn"}},
      .fit = [](const Dataset& data, const OptionMap& map,
                const Execution& exec) { return fit_mvu(data, options_from_map<MvuOptions>(map, kMvu), exec); },
      .plan = [](const DataShape& shape, const OptionMap& map,
                 const Execution& exec) { return plan_mvu(shape, options_from_map<MvuOptions>(map, kMvu), exec); }};
  return card;
}

}  // namespace fewdim
