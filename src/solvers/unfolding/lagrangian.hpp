#pragma once

#include "solvers/unfolding/network.hpp"

namespace fewdim {

/// The augmented Lagrangian −½Σw‖y‖² + ½Σ_e t_e c_e + ¼Σ_e σ_e c_e² with c = ‖y_i − y_j‖² − d², of which the gradient
/// is L(s)Y − WY with s = t + σc, or the positive part of it where links may be shorter.
class UnfoldingLagrangian {
 public:
  UnfoldingLagrangian(const LinkNetwork& network, bool inequality) : net_(network), inequality_(inequality) {}

  Vector<double> multipliers{}, penalties{};  ///< t and σ, to be set
  Vector<double> excess{}, stress{};          ///< c and s, as evaluated

  /// Sets c and s at y, and the gradient.
  void evaluate(const UnfoldingMap& y, UnfoldingMap& gradient, const Execution& exec);
  /// The step to the first minimum along p, which descends, from the y last evaluated.
  double line_minimum(const UnfoldingMap& y, const UnfoldingMap& p, const Execution& exec);
  /// The largest |c|/d², or c/d² where links may be shorter.
  double violation() const;

 private:
  double stress_of(Index e, double c) const;

  const LinkNetwork& net_;
  bool inequality_;
  Vector<double> cross_{}, square_{};
};

}  // namespace fewdim
