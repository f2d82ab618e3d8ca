#pragma once

#include "base/describe.hpp"
#include "base/stopwatch.hpp"
#include "fewdim/model.hpp"
#include "fewdim/plan.hpp"
#include "fewdim/route.hpp"
#include "methods/shared/neighbor_objects.hpp"
#include "solvers/eigen/smallest.hpp"

/// What the methods share whose map is given by the lowest eigenvectors of a sparse matrix.
namespace fewdim {

template <>
struct EnumNames<SmallestRoute> {
  static constexpr std::array names{
      std::pair{SmallestRoute::automatic, "auto"}, std::pair{SmallestRoute::dense, "dense"},
      std::pair{SmallestRoute::factor, "factor"}, std::pair{SmallestRoute::filter, "filter"}};
};

template <class Visitor>
void describe_components(Index& components, Visitor&& field) {
  field(components, {.name = "components", .flag = 'k', .minimum = 1, .help = "coordinates to keep"});
}

template <class Visitor>
void describe_lowest(SmallestRoute& solver, double& tolerance, Visitor&& field) {
  field(solver, {.name = "solver",
                 .help = "lowest eigenvectors by LAPACK, by a sparse factor, or by products alone; auto: as the "
                         "factor's fill has it"});
  field(tolerance, {.name = "tolerance",
                    .minimum = 0,
                    .maximum = 1,
                    .help = "largest angle allowed between a computed axis and the true one; 0 means 1e-8"});
}

/// What a fit solves, A u = λ u, and what its model keeps of it: coordinates y_i = back_i u_i, beside that which places
/// new objects. `fewdim verify` makes it anew from the data.
struct LowestProblem {
  NeighborObjects objects{};
  SparseSymmetric matrix{};
  Vector<double> null_vector{};  ///< of any length
  Vector<double> back{};
  bool complement = false;  ///< the model's eigenvalues μ are those of I − A
  double time = 0.0;        ///< of a walk: coordinates are y_ic = back_i u_ic μ_cᵗ
  NeighborModel shape{};    ///< links, placement, bandwidth, scales: all that does not need the solution
};

/// The problem of a model, from the data it was fitted on and its own options.
LowestProblem laplacian_problem(const Model& model, const Dataset& data, const Execution& exec);
LowestProblem diffusion_problem(const Model& model, const Dataset& data, const Execution& exec);

/// Throws InvalidOption unless there are as many vectors beside the constant one.
void require_components(Index components, Index objects, std::string_view who);

/// The lowest pairs beyond the one null vector. Throws NotConverged or OverMemory.
SmallestPairs lowest_pairs(const LowestProblem& problem, std::string_view who, Index components, SmallestRoute route,
                           double tolerance, Seed seed, const Execution& exec);

/// What comes after the eigenvalues that are kept.
struct SpectrumEnd {
  double next;  ///< eigenvalue; NaN where there is none
  double gap;   ///< to it, as a share
};
/// Of the lowest: the gap is a share of the next.
SpectrumEnd end_of_lowest(const SmallestPairs& pairs);

/// The head of such a model, with the measures of the spectrum; the certificate is moved out of the pairs.
Model::Head lowest_head(std::string_view who, std::string_view prefix, const Dataset& data, SmallestPairs& pairs,
                        const SpectrumEnd& spectrum, OptionMap options, Seed seed, const Execution& exec);

/// Adds trustworthiness and continuity; nothing where a graph was given.
void report_neighbors(const NeighborObjects& objects, Metric metric, const Matrix<double>& map, Seed seed,
                      Model::Head& head, const Execution& exec);

/// How new objects are linked: as those of the neighborhood are.
void link_like(const Neighborhood& neighborhood, Metric metric, bool is_graph, NeighborModel& shape);

/// How new objects meet the training objects: as `own` says, with the reach that these have in the graph.
void meet_training(OwnLink own, const NeighborGraph& graph, NeighborModel& shape);

/// f_c of the placement, by the eigenvalues λ: λ where the Laplacian is not normalized, 1 − λ else.
Vector<double> factors_of(Placement placement, const Vector<double>& values);

/// The metric that the model's objects were compared by: `asked`, or what was found where that is automatic.
Metric compared_by(const Model& model, Metric asked);

/// The model, with the objects moved into its shape and, if asked for, the coordinates kept beside it. Where ties,
/// bridges or an approximate search let places jump at training rows, the jump is measured.
Model finished(Model::Head head, NeighborModel shape, NeighborObjects objects, const Dataset& data, bool embedding,
               const Execution& exec);

/// The plan that a fit has gone by, from what its solver has decided.
Plan plan_of(const SmallestCost& cost, const DataShape& shape, const Execution& exec);
/// What such a fit would take, by its sizes: `row_entries` of the matrix in each row.
Plan plan_lowest(const DataShape& shape, std::string_view who, Index components, Index row_entries, SmallestRoute route,
                 const Execution& exec);

}  // namespace fewdim
