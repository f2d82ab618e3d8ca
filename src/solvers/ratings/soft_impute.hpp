#pragma once

#include "fewdim/execution.hpp"
#include "solvers/ratings/table.hpp"

/// Least ½ Σ over the entries of (x − (A Bᵀ))² + λ/2 (‖A‖² + ‖B‖²): for a rank that is large enough, of
/// ½ Σ (x − M)² + λ‖M‖_* over all M. By the alternating least squares of Hastie, Mazumder, Lee & Zadeh (2015).
namespace fewdim {

struct SoftImputeFactors {
  Matrix<double> u{}, v{};  ///< orthonormal columns
  Vector<double> values{};  ///< singular values of the result, thresholded; falling
  double lambda = 0.0;
  std::vector<double> objectives{};  ///< after each half step: they never rise
  Vector<double> gradient{};         ///< by component: half the gradient of the columns of B, over ‖XᵀA‖
  Index iterations = 0;
  bool converged = false;
};

struct SoftImputeOptions {
  double lambda = 1.0;
  double tolerance = 1e-3;
  Index iterations = 200;
};

/// Singular vectors and values of the table with zeros in its gaps: where the path over λ begins. The first value is
/// the λ at which nothing is left.
SoftImputeFactors soft_impute_start(const RatingsTable& table, Index rank, Seed seed, const Execution& exec);
/// From factors at a larger λ.
SoftImputeFactors soft_impute(const RatingsTable& table, SoftImputeFactors from, const SoftImputeOptions& options,
                              const Execution& exec);
std::uint64_t soft_impute_bytes(Index rows, Index cols, Index rank);

}  // namespace fewdim
