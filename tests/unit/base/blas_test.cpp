#include "base/blas.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace fewdim {
namespace {

// The bug that this guards against: Debian's serial OpenBLAS shares its buffers between threads without a lock, and
// small products from two threads come out wrong, silently. 4 × 20,000 products show it every time.
TEST(Blas, IsSafeFromManyThreads) {
  const Index n = 16;
  std::vector<double> a(n * n), b(n * n), expected(n * n);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(i * 7919 % 1013) / 1013.0;
    b[i] = static_cast<double>(i * 104729 % 997) / 997.0;
  }
  blas::gemm(false, true, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0, expected.data(), n);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::vector<double> c(n * n);
      for (int repeat = 0; repeat < 20'000; ++repeat) {
        blas::gemm(false, true, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0, c.data(), n);
        if (c != expected) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// OpenBLAS 0.3.21 takes processors newer than itself for one of 2004, at a tenth of the speed.
TEST(Blas, UsesTheInstructionsThereAre) {
  if (std::getenv("OPENBLAS_CORETYPE")) GTEST_SKIP() << "skipped: OPENBLAS_CORETYPE is set";
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "skipped: no AVX2 here";
  EXPECT_NE(blas::kernels(), "Prescott");
}

}  // namespace
}  // namespace fewdim
