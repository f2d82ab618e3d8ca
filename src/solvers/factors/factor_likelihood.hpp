#pragma once

#include "fewdim/types.hpp"

namespace fewdim {

/// The discrepancy of maximum-likelihood factor analysis as a function of x = log ψ, the loadings being known for given
/// ψ (Jöreskog 1967). With γ₁ ≤ γ₂ ≤ … the eigenvalues of Ψ^½S⁻¹Ψ^½ and ω their vectors, θ = 1/γ:
///
///   F = Σ_{m>k} (θ_m − log θ_m − 1),   ∂F/∂x_j = Σ_{m>k} (1 − θ_m) ω_mj²,
///   ∂²F/∂x_i∂x_j = (Σ_{m>k} θ_m ω_mi ω_mj)(Σ_{m>k} ω_mi ω_mj)
///                  + Σ_{n≤k<m} (1 − θ_m) (γ_m + γ_n)/(γ_m − γ_n) ω_mi ω_mj ω_ni ω_nj   (Clarke 1970).
///
/// S⁻¹ instead of S: where a uniqueness goes to 0, Ψ^-½SΨ^-½ has eigenvalues without bound, whose rounding would cover
/// the small ones that F is made of; those of Ψ^½S⁻¹Ψ^½ stay where they are.
struct FactorPoint {
  Vector<double> log_psi;
  double value = 0.0;
  Vector<double> gradient;
  Vector<double> values;   ///< θ, all, falling
  Matrix<double> vectors;  ///< ω, in the same order
};

/// `inverse`: S⁻¹.
FactorPoint factor_point(const Matrix<double>& inverse, Vector<double> log_psi, Index factors);

/// The second derivatives.
Matrix<double> factor_curvature(const FactorPoint& point, Index factors);

/// L = Ψ^½ Ω_k (Θ_k − I)^½, D×k.
Matrix<double> factor_loadings(const FactorPoint& point, Index factors);

}  // namespace fewdim
