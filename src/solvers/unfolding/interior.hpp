#pragma once

#include "solvers/unfolding/network.hpp"

namespace fewdim {

struct InteriorOptions {
  double first_gap = 0.3;  ///< mτ to start from, in shares of the start's variance
  double gap = 3e-7;       ///< Σ s(d² − ‖y_i − y_j‖²) and forces to stop at, relative to the variance
  bool inside = false;     ///< the start has no link too long; else it is shrunk to that
  Index iterations = 1000;
  Seed seed = 0;
};

struct Interior {
  UnfoldingMap map{};         ///< no link is too long, whatever happened
  Vector<double> stresses{};  ///< above 0
  double force = 0.0;         ///< ‖L(s)Y − WY‖/‖WY‖
  Index iterations = 0;
  bool converged = false;
};

/// maximize Σ w‖y_i‖² over maps with ‖y_i − y_j‖² ≤ d², from a start, in as many columns as it has, by interior points
/// of the map itself: Newton's method, primal and dual, on −½Σw‖y‖² − ½τΣ log(d² − ‖y_i − y_j‖²), with τ falling to 0.
/// Where it is at rest, L(s)Y = WY with s = τ/(d² − ‖y_i − y_j‖²), and the gap to the dual is mτ if 1 is the lowest
/// eigenvalue of L(s): a local optimum; whether it is the semidefinite program's, the stresses tell.
Interior climb_inside(const LinkNetwork& network, UnfoldingMap start, const InteriorOptions& options,
                      const Execution& exec);

}  // namespace fewdim
