#include <gtest/gtest.h>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "fewdim/kernel_pca.hpp"

namespace fewdim {
namespace {

/// 20×5 uniform numbers up to 3: the linear kernel has rank 5, so that 14 of 19 eigenvalues are rounding, of either
/// sign. Such numbers of scikit-learn's checks gave −1.1e-7 of the largest, twice the last place of float32.
Matrix<float> few_columns(Seed seed) {
  const Random random(seed, 0);
  Matrix<float> x(20, 5);
  for (Index i = 0; i < x.size(); ++i)
    x.data()[i] = 3.0F * static_cast<float>(random.uniform(static_cast<std::uint64_t>(i)));
  return x;
}

TEST(KernelPcaSingle, RoundingIsNoNegativeEigenvalue) {
  for (Seed seed = 0; seed < 20; ++seed) {
    const Matrix<float> x = few_columns(seed);
    EXPECT_TRUE(fit_kernel_pca(x, {.components = 3, .kernel = KernelKind::linear}).certificate().converged) << seed;
  }
}

TEST(KernelPcaSingle, RoundingIsNoComponentEither) {
  for (Seed seed = 0; seed < 20; ++seed) {
    const Matrix<float> x = few_columns(seed);
    EXPECT_EQ(fit_kernel_pca(x, {.components = Components::all, .kernel = KernelKind::linear}).components(), 5) << seed;
    const Matrix<double> wide = x.cast<double>();
    EXPECT_EQ(fit_kernel_pca(wide, {.components = Components::all, .kernel = KernelKind::linear}).components(), 5);
  }
}

TEST(KernelPcaSingle, AnIndefiniteKernelIsStillRefused) {
  // Its rows sum to 0, so that centering leaves it; eigenvalues 2, 0, 0 and −1.
  Matrix<float> k(4, 4);
  k << 1, -1, 0, 0, -1, 1, 0, 0, 0, 0, -0.5F, 0.5F, 0, 0, 0.5F, -0.5F;
  EXPECT_THROW(fit_kernel_pca(k, {.components = 1, .kernel = KernelKind::precomputed}), DataError);
}

}  // namespace
}  // namespace fewdim
