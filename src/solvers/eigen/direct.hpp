#pragma once

#include "fewdim/types.hpp"

/// Dense factorizations by LAPACK, on the calling thread.
namespace fewdim {

struct SymmetricEigen {
  Vector<double> values;   ///< descending
  Matrix<double> vectors;  ///< columns, in the same order
};

/// The `count` largest eigenpairs of a symmetric matrix (its lower triangle is read and destroyed): dsyevr for
/// a part of the spectrum, dsyevd for most of it. dsyev is never used: it is the slow one.
SymmetricEigen eigen_symmetric(Matrix<double>& a, Index count);

/// All eigenvalues alone, descending; destroys the lower triangle.
Vector<double> eigenvalues_symmetric(Matrix<double>& a);

/// How many eigenvalues of a symmetric matrix are above x, by the inertia of A − xI (Sylvester's law; Bunch & Kaufman's
/// LDLᵀ). Both triangles are filled; destroys it.
Index eigenvalues_above(Matrix<double>& a, double x);

/// The largest real eigenvalue of a square matrix that need not be symmetric; destroys it.
double largest_real_eigenvalue(Matrix<double>& a);

struct ThinSvd {
  Vector<double> values;  ///< descending
  Matrix<double> u;       ///< m×min(m,n); empty unless asked for
  Matrix<double> v;       ///< n×min(m,n)
};

/// Thin SVD by dgesdd; destroys a.
ThinSvd svd_dense(Matrix<double>& a, bool with_u);

}  // namespace fewdim
