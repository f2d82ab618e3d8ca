#pragma once

#include "solvers/unfolding/network.hpp"

namespace fewdim {

struct ClimbOptions {
  bool inequality = true;   ///< links may be shorter than given
  double violation = 1e-6;  ///< largest |‖y_i − y_j‖² − d²|/d² to stop at
  double force = 1e-6;      ///< ‖L(s)Y − WY‖ to stop at, relative to ‖WY‖; inequalities alone wait for it
  double penalty = 10.0;    ///< to start with, in shares of the mean stress
  double growth = 3.0;      ///< of the penalty, where a round cut violations by less than four
  Index rounds = 60;        ///< of new multipliers
  Index round_iterations = 100'000;  ///< of L-BFGS
};

struct Climb {
  UnfoldingMap map{};
  Vector<double> stresses{};  ///< multipliers of the links
  double violation = 0.0;
  double force = 0.0;
  Index iterations = 0;
  Index rounds = 0;
  bool converged = false;
};

/// maximize Σ w‖y_i‖² over maps with ‖y_i − y_j‖² ≤ d² (or = d²), from a start, in as many columns as it has: the
/// method of multipliers (Hestenes 1969, Powell 1969), as Burer & Monteiro (2003) use it, over L-BFGS that starts from
/// a sparse factor of the springs' stiffness. A local optimum; whether it is the semidefinite program's, the stresses
/// tell.
Climb climb(const LinkNetwork& network, UnfoldingMap start, const ClimbOptions& options, const Execution& exec);

}  // namespace fewdim
