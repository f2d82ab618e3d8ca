#pragma once

#include <string>

#include "fewdim/types.hpp"

/// BLAS by scalar type, column-major. Each call runs on the calling thread alone.
namespace fewdim::blas {

/// Sees that our private OpenBLAS has a buffer for the calling thread; throws OverMemory where the system has no room
/// for one, which OpenBLAS would ask for without end. Every call below does it; so must a caller of LAPACK, on its
/// thread. It is Debian's threaded build, linked statically and hidden, so the host's BLAS is another one. The serial
/// build must not be used: it has no lock around its buffers, and two threads in it at once get wrong numbers (measured
/// with 0.3.21: 1 of 150 products of 32×32 matrices on two cores).
void prepare();

/// The family of BLAS kernels in use: "SkylakeX", "Haswell", "Zen", ... Bits are the same within a family.
std::string kernels();

void gemm(bool ta, bool tb, Index m, Index n, Index k, double alpha, const double* a, Index lda, const double* b,
          Index ldb, double beta, double* c, Index ldc);
void gemm(bool ta, bool tb, Index m, Index n, Index k, float alpha, const float* a, Index lda, const float* b,
          Index ldb, float beta, float* c, Index ldc);

/// Lower triangle of C = alpha A Aᵀ + beta C (A is n×k), or alpha Aᵀ A + beta C when `transposed` (A is k×n).
void syrk(bool transposed, Index n, Index k, double alpha, const double* a, Index lda, double beta, double* c,
          Index ldc);
void syrk(bool transposed, Index n, Index k, float alpha, const float* a, Index lda, float beta, float* c, Index ldc);

/// ‖x‖ without overflow.
double nrm2(Index n, const double* x);

}  // namespace fewdim::blas
