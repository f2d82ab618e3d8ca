#pragma once

#include "fewdim/certificate.hpp"
#include "fewdim/execution.hpp"
#include "operators/operator.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/krylov.hpp"

namespace fewdim {

struct FormedEigen {
  Vector<double> values;  ///< as many as vectors
  Matrix<double> vectors;
  OutsideBound outside;
  double found_outside = 0.0;  ///< an eigenvalue that is known to be there and is not among `values`
  Vector<double> residuals;    ///< relative to the largest, recomputed against the matrix
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
/// The least part of the largest eigenvalue that a residual against a matrix in memory can be told by.
constexpr double kFormedFloor = 1e-13;

bool takes_krylov_on_formed(Index size, Index count);

/// Products with a symmetric matrix in memory, its rows split over the threads.
SymmetricOperator formed_operator(const Matrix<double>& a, const Execution& exec);

}  // namespace fewdim
