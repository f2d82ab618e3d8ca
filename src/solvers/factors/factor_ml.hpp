#pragma once

#include <cstdint>
#include <string>

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

struct FactorMlOptions {
  std::string who = "factor-analysis";
  double least_uniqueness = 0.005;  ///< see least_uniquenesses()
  double tolerance = 1e-8;          ///< of the gradient in log ψ
  Index iterations = 200;           ///< of each start
  Index starts = 0;                 ///< 0: as many as the number of features allows
  Seed seed = 0;
};

struct FactorMl {
  Vector<double> uniquenesses;  ///< ψ
  Vector<double> least;         ///< the bound of each
  Matrix<double> loadings;      ///< D×k, LᵀΨ⁻¹L diagonal and falling
  double discrepancy = 0.0;     ///< F = log|Σ| + tr(SΣ⁻¹) − log|S| − D
  double gradient = 0.0;        ///< largest |∂F/∂ log ψ_j| of the free ones, recomputed at the end
  Index iterations = 0;         ///< of the start that was best
  Index starts = 0;
  Index starts_there = 0;  ///< those that end with the same discrepancy
  bool converged = false;
  bool at_rounding = false;  ///< not converged, and more steps would not help
};

/// The bounds ψ ≥ of a correlation matrix: `least` (0.005 in R) for a feature of whose variance the others leave 40 %
/// or more unexplained, and less in proportion for one of which they leave less. 1 − R²_j = 1/(S⁻¹)_jj is the largest
/// that ψ_j is where the model holds (Guttman 1956): a fixed bound shuts the truth out where features are nearly
/// copies.
Vector<double> least_uniquenesses(const Matrix<double>& inverse, double least);

/// Starts for so many features where none are asked for, and the bytes that the search takes.
Index factor_ml_starts(Index features);
std::uint64_t factor_ml_bytes(Index features, Index starts, const Execution& exec);

/// Maximum-likelihood factor analysis of a correlation matrix that is not singular: the discrepancy over log ψ by
/// Newton's method within the bounds (Bertsekas 1982), from several starts, as it has local minima; the least of the
/// ends is taken.
FactorMl factor_ml(const Matrix<double>& correlation, Index factors, const FactorMlOptions& options,
                   const Execution& exec);

}  // namespace fewdim
