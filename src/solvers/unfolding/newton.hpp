#pragma once

#include "solvers/unfolding/springs.hpp"

namespace fewdim {

/// Solves with Newton's matrix of a network under stress, H = (L(s) − W) ⊗ I + 2Σ_e σ_e a_e a_eᵀ with
/// a_e = (e_i − e_j) ⊗ (y_i − y_j), for centered maps: conjugate gradients, preconditioned by a factor of the same
/// springs with εW in place of −W. The two differ in the few softest directions alone, so that few steps do.
class StressNewton {
 public:
  StressNewton(const LinkNetwork& network, Index columns, const Execution& exec);

  /// False where rounding left it no factor.
  bool factor(const Vector<double>& s, const Vector<double>& sigma, const UnfoldingMap& y);
  /// p with (H + δW)p = −g, nearly; δ grows from where it was until that does not curve down.
  void solve(const UnfoldingMap& gradient, UnfoldingMap& p);
  /// A random direction, mostly of the softest ones.
  void soft_direction(Seed seed, std::uint32_t stream, UnfoldingMap& p);

  double shift() const { return used_; }  ///< δ of the last solution
  const Execution& exec() const { return exec_; }

 private:
  bool solve_shifted(const UnfoldingMap& gradient, UnfoldingMap& p);
  void apply(const UnfoldingMap& p, UnfoldingMap& out);

  const LinkNetwork& net_;
  SpringStiffness springs_;
  Execution exec_, factor_exec_;
  const Vector<double>*s_ = nullptr, *sigma_ = nullptr;
  const UnfoldingMap* y_ = nullptr;
  double shift_ = 0.0, used_ = 0.0;
  Vector<double> cross_{}, square_{};
  UnfoldingMap residual_{}, solved_{}, direction_{}, product_{};
};

/// Σ_ic a_ic b_ic.
double map_product(const UnfoldingMap& a, const UnfoldingMap& b);

}  // namespace fewdim
