#pragma once

#include "fewdim/certificate.hpp"
#include "fewdim/execution.hpp"
#include "operators/operator.hpp"
#include "solvers/krylov.hpp"

namespace fewdim {

struct FormedEigen {
  Vector<double> values;  ///< `count`, and one more as a guard when there is one
  Matrix<double> vectors;
  Vector<double> residuals;  ///< relative to the largest, recomputed against the matrix
  Index iterations = 0;
  Index products = 0;
  std::string solver;  ///< "LAPACK" or "block Krylov"
};

/// The largest eigenpairs of a symmetric matrix in memory (both triangles filled; it is kept). LAPACK, or block Krylov
/// when the matrix is large and few are wanted.
FormedEigen eigen_formed(const Matrix<double>& a, const Wanted& wanted, Index guess, double tolerance, Seed seed,
                         const Execution& exec);
/// The same by power iteration with deflation.
FormedEigen power_formed(const Matrix<double>& a, const Wanted& wanted, double tolerance, Seed seed,
                         const Execution& exec);
bool takes_krylov_on_formed(Index size, Index count);

/// Products with a symmetric matrix in memory, its rows split over the threads.
SymmetricOperator formed_operator(const Matrix<double>& a, const Execution& exec);

}  // namespace fewdim
