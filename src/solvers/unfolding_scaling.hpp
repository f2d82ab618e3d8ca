#pragma once

#include "solvers/unfolding_network.hpp"

namespace fewdim {

/// The change of variables y = F⁻ᵀz with FFᵀ = L(κ) + W, sparse: in z the network is about as stiff in every
/// direction, however many links lie between its ends.
class StiffnessScaling {
 public:
  /// All κ above 0.
  StiffnessScaling(const LinkNetwork& network, const Vector<double>& kappa);

  /// g ← F⁻¹g: a gradient in z.
  void gradient(const UnfoldingMap& g, UnfoldingMap& out) const;
  /// F⁻ᵀz: a direction in y.
  void direction(const UnfoldingMap& z, UnfoldingMap& out) const;

 private:
  std::vector<std::int32_t> order_{};    ///< vertex at each place of the elimination
  std::vector<std::int64_t> offsets_{};  ///< of the columns of F
  std::vector<std::int32_t> rows_{};     ///< rising; the diagonal first
  std::vector<double> values_{};
};

}  // namespace fewdim
