#pragma once

#include <string>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/neighborhood.hpp"
#include "fewdim/reason.hpp"
#include "fewdim/types.hpp"
#include "fewdim/unfolding.hpp"

/// Maximum variance unfolding (Weinberger & Saul 2004; Sun, Boyd, Xiao & Diaconis 2006):
///   maximize tr K subject to K ⪰ 0, Σ K_ij = 0 and K_ii − 2K_ij + K_jj ≤ d_ij² (or = d_ij²) for every link.
/// Its dual asks for stresses s on the links, none below 0 in the inequality form: with L(s) their Laplacian and
/// μ = λ_min(L(s)) off the constant vector, tr K ≤ ⟨L(s), K⟩/μ ≤ Σ s d²/μ for every K allowed, whatever the solver did.
namespace fewdim {

struct UnfoldingProblem {
  std::string who = "mvu";
  Index vertices = 0;
  std::vector<Link> links{};  ///< of a connected graph, each once
  UnfoldingForm form = UnfoldingForm::inequality;
  UnfoldingRoute route = UnfoldingRoute::automatic;
  double tolerance = 1e-5;  ///< largest violation of a distance, relative to it
  Seed seed = 0;
};

struct Unfolding {
  Matrix<double> map{};       ///< K = map·mapᵀ; centered, on its principal axes, by falling variance
  Vector<double> values{};    ///< eigenvalues of K, one a column
  Vector<double> stresses{};  ///< one a link
  double variance = 0.0;      ///< tr K
  double bound = 0.0;         ///< no K allowed has more; infinite where the stresses prove nothing
  double gap = 0.0;           ///< (bound − variance)/bound, not below 0
  double violation = 0.0;     ///< largest of a distance, relative to it
  double lowest = 0.0;        ///< μ: 1 at the optimum
  Index merged = 0;           ///< objects at the place of another, by links of length 0
  Index iterations = 0;
  Index rank = 0;  ///< columns that the factor was allowed
  bool converged = false;
  Route route = Route::none;
  Reason why{ReasonKind::csdp};
};

/// Links shorter than this, in shares of the mean length, count as 0.
inline constexpr double kNoLength = 1e-7;

/// The route that `automatic` takes.
UnfoldingRoute unfolding_route(const UnfoldingProblem& problem);
UnfoldingRoute unfolding_route(UnfoldingRoute asked, Index vertices);
Route route_of(UnfoldingRoute route);
/// Bytes a route takes, about; exact: 13 N² + m² numbers.
std::uint64_t unfolding_bytes(UnfoldingRoute route, UnfoldingForm form, Index vertices, Index links);

/// Throws DataError for distances that no points have in the equality form; NotConverged where distances miss the
/// tolerance; OverMemory with the remedy.
Unfolding unfold(const UnfoldingProblem& problem, const Execution& exec);

}  // namespace fewdim
