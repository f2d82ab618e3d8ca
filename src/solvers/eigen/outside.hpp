#pragma once

#include "fewdim/execution.hpp"
#include "operators/operator.hpp"

/// Was a larger eigenvalue missed? A residual proves that an eigenvalue is near, not that it is the largest one left.
namespace fewdim {

/// The chance of being wrong that certificates are given at.
constexpr double kMissProbability = 1e-10;

/// The ε for which the largest Ritz value after `steps` steps of Lanczos from `starts` independent random vectors is
/// within ε(λ_max − λ_min) of λ_max, but with the given probability; 1 or more: nothing is known yet.
/// One start fails with probability 1.648 √n exp(−√ε(2m−1)) at most (Kuczyński & Woźniakowski 1992, thm 4.2; the
/// process is the same for A − λ_min I); a block contains the space of each of its starts, so all of them must fail.
double lanczos_error(Index size, Index steps, Index starts, double probability);

/// Block Lanczos on P A P from a fresh random start, with P = I − QQᵀ for an orthonormal Q that was found without it:
/// what is the largest eigenvalue outside of Q? Holds references.
class OutsideProbe {
 public:
  static constexpr Index kStarts = 8;

  /// `semidefinite`: no eigenvalue of A is below 0.
  OutsideProbe(const SymmetricOperator& a, ConstBlock<double> q, bool semidefinite, Seed seed, const Execution& exec);

  void step();
  Index steps() const { return steps_; }
  Index products() const { return products_; }
  bool exhausted() const { return pending_ == 0; }  ///< the space is spanned: `upper` is the value itself

  /// The largest Ritz value: the largest eigenvalue outside is not below it.
  double found() const { return found_; }
  /// The largest eigenvalue outside is not above it, but with probability kMissProbability; infinity: not known yet.
  double upper() const { return upper_; }
  /// The vectors of the largest Ritz values, orthonormal and orthogonal to Q.
  Matrix<double> directions(Index count) const;

 private:
  void judge();

  const SymmetricOperator& a_;
  ConstBlock<double> q_;
  bool semidefinite_;
  Seed seed_;
  Execution exec_;
  Matrix<double> basis_;
  Matrix<double> projected_;
  Index size_ = 0, pending_ = 0, steps_ = 0, products_ = 0;
  double found_, upper_;
};

struct Outside {
  double found = 0.0;        ///< the largest eigenvalue outside is not below it
  double upper = 0.0;        ///< and not above it,
  double probability = 1.0;  ///< but with this probability
  Index products = 0;
};

/// The largest eigenvalue of A outside of the span of V (orthonormal): by block Krylov on the deflated operator, for
/// those who have no Krylov space of V's own. `limit`: a value below it is close enough; `noise`: absolute error of A's
/// products.
Outside largest_outside(const SymmetricOperator& a, ConstBlock<double> v, bool semidefinite, double limit, double noise,
                        Seed seed, const Execution& exec);

}  // namespace fewdim
