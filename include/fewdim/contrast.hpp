#pragma once

namespace fewdim {

/// How independent components are looked for. The first four share their stationary points: rotations of the whitened
/// rows with E[g(y_i) y_j] = ±E[g(y_j) y_i]; deflation has E[g(y_i) y_j] = 0 for j > i instead.
enum class IcaAlgorithm {
  automatic,  ///< fastica, and picard-o from where it stands if that does not converge
  fastica,    ///< all components at once (Hyvärinen 1999)
  deflation,  ///< one after the other
  picard,     ///< maximum likelihood without the constraint of whiteness (Ablin, Cardoso & Gramfort 2018)
  picard_o,   ///< the same among rotations
  jade        ///< joint diagonalization of fourth cumulants (Cardoso & Souloumiac 1993)
};

/// The function whose mean tells a source from a Gaussian; its derivative g is what iterations use.
enum class IcaContrast {
  logcosh,  ///< g = tanh y
  exp,      ///< g = y exp(−y²/2)
  cube      ///< g = y³: kurtosis
};

}  // namespace fewdim
