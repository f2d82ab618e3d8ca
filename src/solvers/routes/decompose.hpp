#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fewdim/certificate.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"
#include "fewdim/route.hpp"
#include "operators/row_moments.hpp"

namespace fewdim {

/// The question PCA and SVD have in common: the leading eigenpairs of AᵀA/divisor with A = W^½(X − 1μᵀ)S⁻¹.
struct SpectralProblem {
  std::string who = "pca";
  bool center = true;
  bool scale = false;
  int ddof = 1;           ///< divisor N − ddof; the SVD has divisor 1 instead
  bool normalize = true;  ///< false: divisor 1
  Vector<double> weights{};
  Components components = 2;  ///< a number or a share; criteria are resolved before
  PcaRoute route = PcaRoute::automatic;
  bool float64_products = true;
  double tolerance = 1e-10;
  Seed seed = 0;
};

struct Decomposition {
  Index rows = 0;
  double divisor = 1.0;
  Vector<double> mean;             ///< empty when not centered
  Vector<double> scale;            ///< empty when not scaled
  Vector<double> column_variance;  ///< before scaling
  Vector<double> values;           ///< descending
  Matrix<double> vectors;          ///< D×k, signs fixed
  double total = 0.0;              ///< the sum of all eigenvalues
  double tail_squares = 0.0;       ///< the sum of the squares of those left out (estimated on the Krylov route)
  double found_outside = 0.0;      ///< the largest eigenvalue that recertify() has found outside of the components
  Certificate certificate;
  std::optional<Plan> plan{};  ///< that it went by; none of moments and claims
  std::vector<std::pair<std::string, double>> seconds;
};

/// solvers/routes/plan.cpp: the only place that chooses a route. Neither threads nor timings enter, so that the same
/// input and memory limit take the same route everywhere. Throws OverMemory when none fits.
Plan plan_spectral(const DataShape& shape, const SpectralProblem& problem, const Execution& exec);
/// Largest number of components such data can have.
Index component_limit(const SpectralProblem& problem, Index rows, Index cols);
Route route_of(PcaRoute route);
/// The data or the memory there is do not allow it.
bool cannot_take(const RouteCost& cost);

Decomposition decompose(const Dataset& data, const SpectralProblem& problem, const Execution& exec);
/// From moments that were gathered before: the covariance route without its pass.
Decomposition decompose_moments(Moments moments, const SpectralProblem& problem, const Execution& exec);

/// The certificate of given eigenpairs, recomputed from the data alone, with the data's mean, scale and total, and with
/// what is known of directions that they lack. Values and vectors are left empty.
Decomposition recertify(const Dataset& data, const SpectralProblem& problem, const Decomposition& claimed,
                        const Execution& exec);

}  // namespace fewdim
