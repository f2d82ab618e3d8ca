#include "base/blas.hpp"

#include <cblas.h>

#include <cstdlib>
#include <string_view>

extern "C" {                        // OpenBLAS, beside its published interface
int blas_thread_shutdown_(void);    // joins its worker threads
char* openblas_get_corename(void);  // the family of kernels in use
void gotoblas_dynamic_quit(void);   // forgets the family
void gotoblas_dynamic_init(void);   // chooses it: by OPENBLAS_CORETYPE, else by the processor's model number
}

namespace fewdim::blas {

namespace {

CBLAS_TRANSPOSE transposed_if(bool yes) { return yes ? CblasTrans : CblasNoTrans; }

/// OpenBLAS knows processors by their model numbers and takes those it has not heard of for a Prescott of 2004: on an
/// Intel Xeon of 2023 version 0.3.21 ran at a tenth of its speed (its issue 4267). We go by the instructions there are.
/// Runs when the program or library is loaded, before there are threads that could read the environment.
[[gnu::constructor]] void choose_kernels() {
#if defined(__x86_64__)
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  if (std::getenv(kVariable)) return;
  gotoblas_dynamic_init();  // does nothing where OpenBLAS's own start came first
  if (std::string_view(openblas_get_corename()) != "Prescott") return;
  __builtin_cpu_init();
  const bool skylake = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const bool haswell = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!skylake && !haswell) return;
  ::setenv(kVariable, skylake ? "SKYLAKEX" : "HASWELL", 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv(kVariable);
#endif
}

}  // namespace

std::string kernels() { return openblas_get_corename(); }

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
