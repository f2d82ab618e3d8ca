#pragma once

#include <memory>

#include "solvers/sparse/sparse_cholesky.hpp"
#include "solvers/unfolding/network.hpp"

namespace fewdim {

/// The stiffness of a network of springs: P = (L(κ) + εW) ⊗ I + 2Σ_e σ_e a_e a_eᵀ with a_e = (e_i − e_j) ⊗ (y_i − y_j),
/// of as many rows as the map has numbers, factored. The pattern is planned once.
class SpringStiffness {
 public:
  SpringStiffness(const LinkNetwork& network, Index columns, const Execution& exec);

  /// All κ above 0, no σ below. False where rounding left it no factor.
  bool factor(const Vector<double>& kappa, const Vector<double>& sigma, const UnfoldingMap& y, const Execution& exec,
              double epsilon = 1.0);
  /// P⁻¹g.
  void solve(const UnfoldingMap& g, UnfoldingMap& out, const Execution& exec) const;

  std::uint64_t bytes() const { return elimination_.peak_bytes; }
  double flops() const { return elimination_.flops; }

 private:
  const LinkNetwork& net_;
  Index columns_;
  SparseSymmetric matrix_{};
  std::vector<std::int32_t> place_{};  ///< of each entry of the network's rows among the blocks of a row of P
  std::vector<std::int32_t> own_{};    ///< and of the diagonal's
  Elimination elimination_{};
  std::unique_ptr<SparseCholesky> factor_{};
};

}  // namespace fewdim
