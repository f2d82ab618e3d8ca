#pragma once

#include <string>
#include <vector>

#include "fewdim/link_graph.hpp"

namespace fewdim {

/// Where a walk goes from a vertex that no link leaves.
enum class Dangling {
  uniform,   ///< to any vertex, all alike
  teleport,  ///< to where it restarts
  self,      ///< it stays
  error,     ///< refuse such a graph
};

enum class RankSolver {
  automatic,     ///< power, and Gauss–Seidel from the sweep on where many more would be needed
  power,         ///< x ← Gx
  gauss_seidel,  ///< in 32 steps a sweep, each from the newest scores
};

/// A vertex where the walk restarts, and how often beside the others.
struct Restart {
  Index vertex = 0;
  double weight = 1.0;
};

struct PagerankOptions {
  double damping = 0.85;  ///< chance to follow a link instead of restarting, in [0, 1)
  Dangling dangling = Dangling::uniform;
  std::vector<Restart> restart{};  ///< empty: at any vertex, all alike
  double tolerance = 1e-10;        ///< of the bound (residual + 2e-15)/(1 − damping) on the error ‖x − x*‖₁
  Index most_sweeps = 100'000;     ///< over all links
  RankSolver solver = RankSolver::automatic;
};

struct PagerankResult {
  Vector<double> scores;                  ///< one a vertex; they are not negative and their sum is 1
  double residual = 0.0;                  ///< ‖Gx − x‖₁ of these scores, computed anew, off by 2e-15 at most
  double error_bound = 0.0;               ///< ‖x − x*‖₁ ≤ (residual + 2e-15) / (1 − damping)
  bool converged = false;                 ///< the bound is within the tolerance; if not, rounding is in the way
  Index sweeps = 0;                       ///< over all links, the last looks at the residual included
  double rate = 0.0;                      ///< by which the last sweeps brought the change down
  double second_eigenvalue = 0.0;         ///< |λ₂| of G as the power sweeps show it; NaN: too few to tell
  RankSolver solver = RankSolver::power;  ///< the one that ended it
  Index dangling = 0;
};

/// The stationary distribution of a walk that follows a link with chance d (by its share of the weights that leave the
/// vertex) and restarts otherwise: x = d (P + w 1ᵀ_dangling) x + (1−d) v. Page, Brin, Motwani & Winograd 1999. The same
/// bits at any thread count.
FEWDIM_API PagerankResult pagerank(const LinkGraph& graph, const PagerankOptions& options = {},
                                   const Execution& exec = {});

enum class ScoreNorm { sum, unit };

struct HitsOptions {
  double tolerance = 1e-10;  ///< of ‖AᵀA a − σ² a‖ / σ², a of norm 1
  ScoreNorm normalization = ScoreNorm::sum;
  Index most_products = 20'000;  ///< with A or its transpose
};

struct HitsResult {
  Vector<double> hubs, authorities;  ///< not negative; of sum 1 or of norm 1
  double singular_value = 0.0;       ///< σ₁ of the adjacency matrix
  double residual = 0.0;             ///< ‖AᵀA a − σ² a‖ / σ², computed anew
  double gap = 0.0;                  ///< 1 − σ₂²/σ₁² with σ₂ the next lower one, as the solver sees it
  /// How many singular values equal the largest. More than one: authorities are the projection of (1, …, 1) on all
  /// their vectors, where power iteration from there would end.
  Index multiplicity = 1;
  bool converged = false;  ///< the residual is within the tolerance; if not, rounding is in the way
  Index products = 0;
};

/// Hubs point to good authorities, authorities are pointed to by good hubs: the leading singular vectors of the
/// adjacency matrix A. Kleinberg 1999.
FEWDIM_API HitsResult hits(const LinkGraph& graph, const HitsOptions& options = {}, const Execution& exec = {});

/// The `count` vertices of the highest scores, best first; ties in the order of the vertices.
FEWDIM_API std::vector<Index> top_vertices(const Vector<double>& scores, Index count);

}  // namespace fewdim
