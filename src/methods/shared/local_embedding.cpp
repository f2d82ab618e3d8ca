#include "methods/shared/local_embedding.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <numeric>

#include "base/conventions.hpp"
#include "base/remedy.hpp"
#include "base/stopwatch.hpp"
#include "data/table/checks.hpp"
#include "methods/shared/lowest_embedding.hpp"
#include "methods/shared/neighborhood_options.hpp"
#include "methods/shared/similarity_options.hpp"
#include "methods/verify/verify.hpp"
#include "operators/sparse_symmetric.hpp"

namespace fewdim {

template <>
struct EnumNames<MapScale> {
  static constexpr std::array names{std::pair{MapScale::unit, "unit"}, std::pair{MapScale::isometric, "isometric"}};
};

/// The one declaration of the options.
template <class Visitor>
void describe(LleOptions& o, Visitor&& field) {
  describe_components(o.components, field);
  describe_neighborhood(o.neighborhood, field);
  describe_metric(o.metric, field);
  field(o.regularization, {.name = "regularization",
                           .minimum = 0,
                           .maximum = 1,
                           .help = "added to the diagonal when weights are found, as a share of the trace"});
  field(o.scale,
        {.name = "coordinates", .help = "of unit variance, or stretched so that neighbors keep their distances best"});
  describe_lowest(o.solver, o.tolerance, field);
  field(o.seed, {.name = "seed", .help = "of the random start vectors"});
  field(o.embedding, {.name = "embedding", .help = "keep the coordinates of the training objects in the model"});
}

namespace {

void require_neighbors(const LocalGeometry& local, const LleOptions& o, const LocalMethod& method) {
  const Index fewest = method.fewest(o.components);
  for (Index i = 0; i < local.objects(); ++i)
    if (local.count(i) < fewest)
      throw InvalidOption(
          method.who, o.neighborhood.radius > 0.0 ? "radius" : "neighbors",
          o.neighborhood.radius > 0.0 ? fmt::format("{}", o.neighborhood.radius) : std::to_string(o.neighborhood.k),
          fmt::format("leaves object {} with {} neighbor{}, and {} component{} take{} at least {} ({})", i + 1,
                      local.count(i), local.count(i) == 1 ? "" : "s", o.components, o.components == 1 ? "" : "s",
                      o.components == 1 ? "s" : "", fewest, method.rule),
          o.neighborhood.radius > 0.0 ? raise_option("radius") + ", or use " + set_option("neighbors")
          : fewest < local.objects()
              ? fmt::format("use {} or more", set_option("neighbors", fewest))
              : fmt::format("{} rows can't have so many; {}", local.objects(), lower_option("components")),
          ErrorKind::data);
}

void require_spread(const LocalNotes& notes, const LleOptions& o, const NeighborGraph& graph,
                    const LocalMethod& method) {
  const auto flat = std::ranges::find_if(notes.missing, [](std::int32_t missing) { return missing > 0; });
  if (flat == notes.missing.end()) return;
  const auto vertex = static_cast<std::size_t>(flat - notes.missing.begin());
  const auto row = graph.kept.empty() ? static_cast<Index>(vertex) : static_cast<Index>(graph.kept[vertex]);
  const Index found = method.misses_all ? 0 : o.components - *flat;
  const auto others = std::ranges::count_if(notes.missing, [](std::int32_t missing) { return missing > 0; }) - 1;
  const std::string whose =
      fmt::format("{}: the neighbors of row {}{}", method.who, row + 1,
                  others == 0 ? "" : fmt::format(" (and of {} other{})", others, others == 1 ? "" : "s"));
  const Index more = std::max(2 * o.neighborhood.k, method.fewest(o.components));
  if (found == 0)
    throw DataError(fmt::format("{} are all identical; remove duplicate rows, or use {} or more", whose,
                                set_option("neighbors", more)));
  throw DataError(fmt::format("{} span {} dimension{}, and {} are asked for; use {}, or {} or more", whose, found,
                              found == 1 ? "" : "s", o.components, set_option("components", found),
                              set_option("neighbors", more)));
}

/// Methods whose pieces are of neighbors alone know nothing of a row that is nobody's neighbor: it joins its own
/// neighborhood, as all do in Zhang & Zha's. Returns how many there are.
Index join_lonely(NeighborLists& choices) {
  std::vector<std::uint8_t> chosen(static_cast<std::size_t>(choices.rows()), 0);
  for (const std::int32_t j : choices.indices) chosen[static_cast<std::size_t>(j)] = 1;
  const auto lonely = std::ranges::count(chosen, std::uint8_t{0});
  if (lonely == 0) return 0;
  NeighborLists out;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] == 0) {
      out.indices.push_back(static_cast<std::int32_t>(i));
      out.distances.push_back(0.0);
    }
    const auto first = choices.offsets[i], last = choices.offsets[i + 1];
    out.indices.insert(out.indices.end(), choices.indices.begin() + first, choices.indices.begin() + last);
    out.distances.insert(out.distances.end(), choices.distances.begin() + first, choices.distances.begin() + last);
    out.offsets.push_back(std::ssize(out.indices));
  }
  choices = std::move(out);
  return lonely;
}

PieceLists pieces_of(const LocalGeometry& local, bool with_object) {
  PieceLists out;
  out.vertices.reserve(local.choices().indices.size() + (with_object ? static_cast<std::size_t>(local.objects()) : 0));
  for (Index i = 0; i < local.objects(); ++i) {
    if (with_object) out.vertices.push_back(static_cast<std::int32_t>(i));
    const auto neighbors = local.neighbors(i);
    out.vertices.insert(out.vertices.end(), neighbors.begin(), neighbors.end());
    out.offsets.push_back(std::ssize(out.vertices));
  }
  return out;
}

SparseSymmetric matrix_of(const LocalGeometry& local, const LocalMethod& method, const FillPiece& fill,
                          const Execution& exec) {
  const PieceLists pieces = pieces_of(local, method.with_object);
  return sum_of_pieces(
      local.objects(), pieces,
      [&](Index first, Index last, double* out) {
        for (Index i = first; i < last; ++i) {
          fill(i, out);
          out += pieces.size(i) * pieces.size(i);
        }
      },
      method.who, exec);
}

/// The symmetric B that brings (y_i − y_j)ᵀB(y_i − y_j) nearest to the squared distances of neighbors, its negative
/// part cut off; coordinates become B^½y, turned to their principal axes. Returns the relative error that is left.
double make_isometric(const NeighborLists& choices, Matrix<double>& map) {
  const Index d = map.cols(), unknowns = d * (d + 1) / 2;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(unknowns, unknowns);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns), row(unknowns);
  const auto visit = [&](const auto& pair) {
    for (Index i = 0; i < choices.rows(); ++i)
      for (auto e = static_cast<std::size_t>(choices.offsets[static_cast<std::size_t>(i)]);
           e < static_cast<std::size_t>(choices.offsets[static_cast<std::size_t>(i) + 1]); ++e)
        pair(i, static_cast<Index>(choices.indices[e]), choices.distances[e] * choices.distances[e]);
  };
  visit([&](Index i, Index j, double square) {
    for (Index a = 0, at = 0; a < d; ++a)
      for (Index b = a; b < d; ++b, ++at)
        row[at] = (map(i, a) - map(j, a)) * (map(i, b) - map(j, b)) * (a == b ? 1.0 : 2.0);
    normal += row * row.transpose();
    right += square * row;
  });
  const Eigen::VectorXd solution = normal.ldlt().solve(right);
  Eigen::MatrixXd b(d, d);
  for (Index r = 0, at = 0; r < d; ++r)
    for (Index c = r; c < d; ++c, ++at) b(r, c) = b(c, r) = solution[at];
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(b);
  map = map * solved.eigenvectors() * solved.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(map.transpose() * map);
  map = map * axes.eigenvectors().rowwise().reverse();
  fix_signs(map);
  double error = 0.0, size = 0.0;
  visit([&](Index i, Index j, double square) {
    const double found = (map.row(i) - map.row(j)).norm(), wanted = std::sqrt(square);
    error += (found - wanted) * (found - wanted);
    size += square;
  });
  return std::sqrt(error / size);
}

void report_weights(const LocalNotes& notes, Model::Head& head) {
  const double size = std::accumulate(notes.sizes.begin(), notes.sizes.end(), 0.0);
  if (size > 0.0)
    head.diagnostics.emplace_back(
        "reconstruction_error",
        std::sqrt(std::max(0.0, std::accumulate(notes.errors.begin(), notes.errors.end(), 0.0)) / size));
  const auto dropped = std::accumulate(notes.dropped.begin(), notes.dropped.end(), Index{0});
  if (dropped > 0)
    head.certificate.warnings.push_back(fmt::format(
        "{} columns of the local quadratic designs depend on others and were dropped, in {} of {} neighborhoods; {}",
        dropped, std::ranges::count_if(notes.dropped, [](std::int32_t count) { return count > 0; }),
        notes.dropped.size(), raise_option("neighbors")));
}

void warn_of_zeros(const SmallestPairs& pairs, Model::Head& head) {
  if (pairs.zeros == 0) return;
  head.certificate.warnings.push_back(
      fmt::format("{} of the eigenvalues {} 0 to rounding: either the data are flat, and the map is exact, or "
                  "neighborhoods hang together by too few rows; compare with more {}",
                  pairs.zeros, pairs.zeros == 1 ? "is" : "are", option_name("neighbors")));
}

/// The matrix, and what was learned on the way to it.
struct LocalProblem {
  LowestProblem lowest{};
  LocalNotes notes{};
  Index lonely = 0;
};

LocalProblem problem_of(const Dataset& data, const LleOptions& o, Metric metric, const LocalMethod& method,
                        Stopwatch& watch, const Execution& exec) {
  const std::string& who = method.who;
  LocalProblem out;
  NeighborObjects& objects = out.lowest.objects;
  objects = neighbor_objects(data, o.neighborhood, metric, false, who, exec, {.choices = true});
  const Index n = objects.graph.vertices();
  out.lonely = method.with_object ? 0 : join_lonely(objects.graph.choices);
  const LocalGeometry local(objects, metric, who, exec);
  require_components(o.components, n, who);
  require_neighbors(local, o, method);
  watch.lap("neighbors");

  const auto size = static_cast<std::size_t>(n);
  out.notes = {.missing = std::vector<std::int32_t>(size),
               .dropped = std::vector<std::int32_t>(size),
               .errors = std::vector<double>(size),
               .sizes = std::vector<double>(size)};
  const FillPiece fill = method.pieces(local, o, out.notes, exec);
  out.lowest.matrix = matrix_of(local, method, fill, exec);
  require_spread(out.notes, o, objects.graph, method);
  out.lowest.null_vector = Vector<double>::Ones(n);
  out.lowest.back = Vector<double>::Constant(n, std::sqrt(static_cast<double>(n)));
  link_like(o.neighborhood, metric, false, out.lowest.shape);
  out.lowest.shape.regularization = o.regularization;
  watch.lap("matrix");
  return out;
}

Model fit_objects(const Dataset& data, const LleOptions& o, Metric metric, const LocalMethod& method,
                  const Execution& exec) {
  std::vector<std::pair<std::string, double>> seconds;
  Stopwatch watch(seconds);
  const std::string& who = method.who;
  auto [lowest, notes, lonely] = problem_of(data, o, metric, method, watch, exec);
  SmallestPairs pairs = lowest_pairs(lowest, who, o.components, o.solver, o.tolerance, o.seed, exec);
  watch.lap("eigenvectors");

  Model::Head head =
      lowest_head(who, method.prefix, data, pairs, end_of_lowest(pairs), options_to_map(o), o.seed, exec);
  head.extension = Extension::heuristic;
  NeighborObjects& objects = lowest.objects;
  NeighborModel& shape = lowest.shape;
  shape.explained_variance = pairs.values;
  shape.configuration = lowest.back.asDiagonal() * pairs.vectors;
  shape.left_out = objects.graph.left_out;
  report_weights(notes, head);
  if (lonely > 0) head.diagnostics.emplace_back("rows_chosen_by_none", static_cast<double>(lonely));
  warn_of_zeros(pairs, head);
  if (o.scale == MapScale::isometric)
    head.diagnostics.emplace_back("neighbor_distance_error",
                                  make_isometric(objects.graph.choices, shape.configuration));
  report_graph(objects.graph, data, head);
  report_neighbors(objects, metric, shape.configuration, o.seed, head, exec);
  watch.lap("quality");
  head.seconds = std::move(seconds);
  return finished(std::move(head), std::move(shape), std::move(objects), data, o.embedding, exec);
}

}  // namespace

Model fit_local(const Dataset& data, const LleOptions& options, const LocalMethod& method, const Execution& exec) {
  const auto [objects, metric] = what_to_compare(data, options.metric, false, method.who, exec);
  return fit_objects(objects, options, metric, method, exec);
}

LowestProblem local_problem(const Model& model, const Dataset& data, const LocalMethod& method, const Execution& exec) {
  const auto o = lle_options(model.head().options, method.who);
  const auto [objects, metric] = what_to_compare(data, compared_by(model, o.metric), false, method.who, exec);
  Stopwatch::Seconds seconds;
  Stopwatch watch(seconds);
  return problem_of(objects, o, metric, method, watch, exec).lowest;
}

Plan plan_local(const DataShape& shape, const LleOptions& options, std::string_view who, const Execution& exec) {
  // Two steps of the graph meet in the matrix: measured on sheets, about 4.5 times the neighbors.
  return plan_lowest(shape, who, options.components, 9 * options.neighborhood.k / 2 + 1, options.solver, exec);
}

LleOptions lle_options(const OptionMap& map, std::string_view who) { return options_from_map<LleOptions>(map, who); }

Verification verify_local(const Model& model, const Dataset& data, const LocalMethod& method, const Execution& exec) {
  return verify_lowest(
      model, data,
      [&method](const Model& fitted, const Dataset& rows, const Execution& run) {
        return local_problem(fitted, rows, method, run);
      },
      exec);
}

MethodCard local_card(const LocalMethod& method, MethodCard own) {
  own.name = method.who;
  own.task = Task::neighborhoods;
  own.fields = fields_of<LleOptions>();
  own.takes = {.kinds = {DataKind::rows, DataKind::distances}};
  own.gives = {.extension = Extension::heuristic,
               .inverse = Support::yes,
               .results = {ResultKind::scores, ResultKind::spectrum, ResultKind::approximation},
               .pictures = {PictureKind::scatter, PictureKind::density, PictureKind::pairs, PictureKind::residual}};
  own.verified_by = VerifiedBy::lowest;
  own.python_class = "LocallyLinearEmbedding";
  own.page = fmt::format("docs/methods/{}.md", method.who);
  return own;
}

}  // namespace fewdim
