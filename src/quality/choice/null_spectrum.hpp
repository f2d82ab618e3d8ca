#pragma once

#include "fewdim/types.hpp"

/// Spectra of data without structure: what parallel analysis compares with.
namespace fewdim {

/// Eigenvalues of GᵀG/n for an n×p matrix G of independent standard normals, in a form that answers how many exceed x
/// without computing any: the tridiagonal BBᵀ of the bidiagonal β-Laguerre model, β = 1, which has exactly this law
/// (Dumitriu & Edelman 2002). O(min(n, p)) numbers whatever n and p are.
class NoiseSpectrum {
 public:
  NoiseSpectrum() = default;
  NoiseSpectrum(Index n, Index p, Seed seed, std::uint32_t replicate);

  /// Eigenvalues greater than x, by Sylvester's law of inertia on BBᵀ − xI.
  Index count_above(double x) const;

 private:
  Vector<double> diagonal_, off_squared_;
};

/// The upper edge of the spectrum of n independent rows with independent columns of the given variances, as n and the
/// number of columns grow together: the minimum over −1/max(v) < m < 0 of −1/m + 1/n Σ v_j/(1 + v_j m) (Silverstein &
/// Choi 1995; as a threshold: Dobriban & Owen 2019). For equal variances v it is v(1 + √(p/n))².
double noise_edge(const Vector<double>& variances, Index n);

}  // namespace fewdim
