// A host with a BLAS of its own, and it is a trap: each entry says so and ends the program. The shared library must
// neither call it nor show its own to the host.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fewdim/fewdim.hpp>

#define TRAP(name)                                                         \
  extern "C" __attribute__((visibility("default"))) void name() {          \
    std::fputs("host: the library called the host's " #name "\n", stderr); \
    std::_Exit(1);                                                         \
  }
TRAP(cblas_dgemm)
TRAP(cblas_sgemm)
TRAP(cblas_dsyrk)
TRAP(cblas_ssyrk)
TRAP(cblas_dgemv)
TRAP(cblas_dtrsm)
TRAP(dgemm_)
TRAP(sgemm_)
TRAP(dsyrk_)
TRAP(ssyrk_)
TRAP(dsyevr_)
TRAP(ssyevr_)
TRAP(dsyevd_)
TRAP(ssyevd_)
TRAP(dsyev_)
TRAP(dsytrd_)
TRAP(dgesdd_)
TRAP(dgesvd_)
TRAP(dgeqrf_)
TRAP(dpotrf_)
TRAP(openblas_set_num_threads)

int main() {
  // Tall, wide and iterative: every route of PCA and SVD that rests on BLAS or LAPACK.
  fewdim::Matrix<double> tall(300, 20);
  for (fewdim::Index i = 0; i < tall.size(); ++i) tall.data()[i] = double((i * 7919) % 1009) / 1009.0;
  const fewdim::Matrix<double> wide = tall.transpose();
  const fewdim::Matrix<float> narrow = tall.cast<float>();
  for (const auto route : {fewdim::PcaRoute::covariance, fewdim::PcaRoute::gram, fewdim::PcaRoute::svd,
                           fewdim::PcaRoute::krylov, fewdim::PcaRoute::power}) {
    fewdim::fit_pca(tall, {.components = 2, .route = route}).transform(tall);
    fewdim::fit_pca(wide, {.components = 2, .route = route}).transform(wide);
    fewdim::fit_pca(narrow, {.components = 2, .route = route}).transform(narrow);
  }
  for (const char* name : {"cblas_ddot", "openblas_get_config", "dsteqr_", "LAPACKE_dsyevr"})
    if (dlsym(RTLD_DEFAULT, name) != nullptr) {
      std::fprintf(stderr, "host: the library shows %s to the host\n", name);
      return 1;
    }
  std::puts("ok");
}
