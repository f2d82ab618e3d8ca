#pragma once

#include "solvers/unfolding_network.hpp"

namespace fewdim {

struct ClimbOptions {
  bool inequality = false;    ///< links may be shorter than given
  double violation = 1e-6;    ///< largest |‖y_i − y_j‖² − d²|/d² to stop at
  double force = 1e-6;        ///< ‖L(s)Y − WY‖ to stop at, relative to ‖WY‖
  Index iterations = 200000;  ///< of L-BFGS, in all
  Index rounds = 60;          ///< of new multipliers
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

/// maximize Σ w‖y_i‖² over maps with ‖y_i − y_j‖² = d² (or ≤ d²), from a start, in as many columns as it has: the
/// method of multipliers (Hestenes 1969, Powell 1969) over L-BFGS with exact line searches, as Burer & Monteiro (2003)
/// do. A local optimum; whether it is the semidefinite program's is for the stresses to tell.
Climb climb(const LinkNetwork& network, UnfoldingMap start, Vector<double> stresses, const ClimbOptions& options,
            const Execution& exec);

}  // namespace fewdim
