#include "base/blas.hpp"

#include <cblas.h>

extern "C" int blas_thread_shutdown_(void);  // OpenBLAS: joins its worker threads

namespace fewdim::blas {

namespace {

CBLAS_TRANSPOSE transposed_if(bool yes) { return yes ? CblasTrans : CblasNoTrans; }

}  // namespace

void prepare() {
  static const bool done = [] {
    openblas_set_num_threads(1);
    blas_thread_shutdown_();
    return true;
  }();
  static_cast<void>(done);
}

void gemm(bool ta, bool tb, Index m, Index n, Index k, double alpha, const double* a, Index lda, const double* b,
          Index ldb, double beta, double* c, Index ldc) {
  prepare();
  cblas_dgemm(CblasColMajor, transposed_if(ta), transposed_if(tb), int(m), int(n), int(k), alpha, a, int(lda), b,
              int(ldb), beta, c, int(ldc));
}

void gemm(bool ta, bool tb, Index m, Index n, Index k, float alpha, const float* a, Index lda, const float* b,
          Index ldb, float beta, float* c, Index ldc) {
  prepare();
  cblas_sgemm(CblasColMajor, transposed_if(ta), transposed_if(tb), int(m), int(n), int(k), alpha, a, int(lda), b,
              int(ldb), beta, c, int(ldc));
}

void syrk(bool transposed, Index n, Index k, double alpha, const double* a, Index lda, double beta, double* c,
          Index ldc) {
  prepare();
  cblas_dsyrk(CblasColMajor, CblasLower, transposed_if(transposed), int(n), int(k), alpha, a, int(lda), beta, c,
              int(ldc));
}

void syrk(bool transposed, Index n, Index k, float alpha, const float* a, Index lda, float beta, float* c, Index ldc) {
  prepare();
  cblas_ssyrk(CblasColMajor, CblasLower, transposed_if(transposed), int(n), int(k), alpha, a, int(lda), beta, c,
              int(ldc));
}

double nrm2(Index n, const double* x) {
  prepare();
  return cblas_dnrm2(int(n), x, 1);
}

}  // namespace fewdim::blas
