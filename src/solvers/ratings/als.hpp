#pragma once

#include <string>

#include "fewdim/execution.hpp"
#include "solvers/ratings/row_regression.hpp"
#include "solvers/ratings/table.hpp"

/// Alternating least squares over the entries of a table (Zhou et al. 2008; Hu, Koren & Volinsky 2008): with items
/// fixed each user is a ridge regression, and the other way round.
namespace fewdim {

struct AlsProblem {
  std::string who = "complete";
  Index rank = 20;
  bool effects = true;    ///< a user's and an item's own: x_uj ≈ μ + b_u + c_j + p_u·q_j; else x_uj ≈ p_u·q_j
  bool implicit = false;  ///< Σ over all places of (1 + confidence x)(1{x > 0} − p_u·q_j)²; has no effects
  double ridge = 0.1;     ///< of p_u and q_j
  double effect_ridge = 0.0;
  bool by_count = true;  ///< both times the number of entries of the user or the item
  double confidence = 40.0;
  double tolerance = 2e-3;  ///< largest gradient of the items, over |what is left to fit|·|users' factors|
  Index iterations = 200;
  Seed seed = 0;
};

struct AlsFactors {
  double mean = 0.0;                              ///< μ; 0 without effects
  LaneTable users{}, items{};                     ///< p_u and q_j
  Vector<double> user_effects{}, item_effects{};  ///< b_u and c_j; empty without
  std::vector<double> objectives{};               ///< after each sweep, with penalties: they never rise
  Vector<double> gradient{};                      ///< by regressor, the effect last: relative as the tolerance
  Index iterations = 0;
  bool converged = false;
};

/// Rank 0 is allowed where there are effects: the baseline.
AlsFactors fit_als(const RatingsTable& table, const AlsProblem& problem, const Execution& exec);
std::uint64_t als_bytes(Index rows, Index cols, Index rank);

}  // namespace fewdim
