#pragma once

#include <cblas.h>

#include "fewdim/types.hpp"

/// BLAS and LAPACK by scalar type, column-major. Each call runs on the calling thread alone.
namespace fewdim::blas {

inline void gemm(bool ta, bool tb, Index m, Index n, Index k, double alpha, const double* a, Index lda, const double* b,
                 Index ldb, double beta, double* c, Index ldc) {
  cblas_dgemm(CblasColMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, int(m), int(n), int(k),
              alpha, a, int(lda), b, int(ldb), beta, c, int(ldc));
}
inline void gemm(bool ta, bool tb, Index m, Index n, Index k, float alpha, const float* a, Index lda, const float* b,
                 Index ldb, float beta, float* c, Index ldc) {
  cblas_sgemm(CblasColMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, int(m), int(n), int(k),
              alpha, a, int(lda), b, int(ldb), beta, c, int(ldc));
}
/// Lower triangle of C = alpha A Aᵀ + beta C (A is n×k), or alpha Aᵀ A + beta C when `transposed` (A is k×n).
inline void syrk(bool transposed, Index n, Index k, double alpha, const double* a, Index lda, double beta, double* c,
                 Index ldc) {
  cblas_dsyrk(CblasColMajor, CblasLower, transposed ? CblasTrans : CblasNoTrans, int(n), int(k), alpha, a, int(lda),
              beta, c, int(ldc));
}
inline void syrk(bool transposed, Index n, Index k, float alpha, const float* a, Index lda, float beta, float* c,
                 Index ldc) {
  cblas_ssyrk(CblasColMajor, CblasLower, transposed ? CblasTrans : CblasNoTrans, int(n), int(k), alpha, a, int(lda),
              beta, c, int(ldc));
}

}  // namespace fewdim::blas
