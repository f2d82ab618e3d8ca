#pragma once

#include <string>

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

struct FactorMlOptions {
  std::string who = "factor-analysis";
  double least_uniqueness = 0.005;  ///< of a variance of 1; below it a solution is improper (Heywood)
  double tolerance = 1e-8;          ///< of the gradient in log ψ
  Index iterations = 200;
};

struct FactorMl {
  Vector<double> uniquenesses;  ///< ψ
  Matrix<double> loadings;      ///< D×k, LᵀΨ⁻¹L diagonal and falling
  double discrepancy = 0.0;     ///< F = log|Σ| + tr(SΣ⁻¹) − log|S| − D
  double gradient = 0.0;        ///< largest |∂F/∂ log ψ_j| of the free ones, recomputed at the end
  Index iterations = 0;
  bool converged = false;
};

/// Maximum-likelihood factor analysis of a correlation matrix: F over ψ alone, the loadings being known then (Jöreskog
/// 1967), by Newton's method with the second derivatives of Clarke (1970), within ψ ≥ the least.
FactorMl factor_ml(const Matrix<double>& correlation, Index factors, const FactorMlOptions& options,
                   const Execution& exec);

}  // namespace fewdim
