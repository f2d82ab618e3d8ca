#pragma once

#include "solvers/eigen/krylov.hpp"

namespace fewdim {

constexpr Index kPowerSteps = 20'000;  ///< per component

/// The largest eigenpairs one after another by power iteration, x ← Ax/‖Ax‖, each in the orthogonal complement of
/// those before it, until each residual is below the tolerance, relative to its own eigenvalue. `more` are looked for
/// beyond those wanted, and the largest of their Ritz pairs are returned. The textbook's way: slow where eigenvalues
/// are close, and then it says so (NotConverged).
KrylovResult power_largest(const SymmetricOperator& a, const Wanted& wanted, Index more, double tolerance,
                           Index max_iterations, Seed seed, const Execution& exec);

}  // namespace fewdim
