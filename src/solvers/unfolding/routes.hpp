#pragma once

#include "graph/neighbor_graph.hpp"
#include "solvers/unfolding/network.hpp"
#include "solvers/unfolding/unfolding.hpp"

/// What unfold() is made of.
namespace fewdim {

/// A solution on the network of merged vertices.
struct UnfoldedNetwork {
  Matrix<double> map{};
  Vector<double> stresses{};
  double bound = 0.0;
  double lowest = 0.0;
  Index iterations = 0;
  Index rank = 0;
  bool converged = false;
  Reason why{ReasonKind::csdp};
};

/// By CSDP.
UnfoldedNetwork unfold_exactly(const LinkNetwork& network, const UnfoldingProblem& problem, const Execution& exec);
/// By climb_inside() from a start; columns are added until the bound is near. Equalities by climb() from there.
UnfoldedNetwork unfold_factored(const LinkNetwork& network, const NeighborGraph& graph, const UnfoldingProblem& problem,
                                bool by_laplacian, const Execution& exec);

/// A start: classical scaling of path lengths to landmarks. Columns that it leaves are small noise.
UnfoldingMap start_by_paths(const NeighborGraph& graph, Index columns, Seed seed, const Execution& exec);
/// A start in the span of the graph Laplacian's lowest eigenvectors (Weinberger, Sha, Zhu & Saul 2006): y = QA with AAᵀ
/// the positive part of the matrix that fits the squared lengths best.
UnfoldingMap start_by_laplacian(const LinkNetwork& network, Index columns, Seed seed, const Execution& exec);

/// The smallest eigenvalue of W^-½L(s)W^-½ off the null vector, less the error of its computation.
double lowest_stress(const LinkNetwork& network, const Vector<double>& stresses, std::string_view who,
                     const Execution& exec);
/// Σ s d²/μ, infinite where μ is not above 0.
double stress_bound(const LinkNetwork& network, const Vector<double>& stresses, double lowest);

/// Throws DataError where a link is longer than a path of other links between its ends.
void require_no_shortcut(Index vertices, const std::vector<Link>& links, std::string_view who);

}  // namespace fewdim
