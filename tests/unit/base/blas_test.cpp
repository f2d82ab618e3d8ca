#include "base/blas.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "fewdim/error.hpp"

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

/// A number that /proc/self/status gives.
std::uint64_t status_of(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":")) return std::stoull(line.substr(key.size() + 1));
  return 0;
}

/// Ends a fresh process, which has no buffer yet: 0 where a product is refused for want of room.
[[noreturn]] void multiply_without_room() {
  const rlim_t limit = status_of("VmSize") * 1024 + (rlim_t{64} << 20);  // a buffer has 128 MiB
  const rlimit little{limit, limit};
  ::setrlimit(RLIMIT_AS, &little);
  ::alarm(20);
  try {
    double a = 2.0, c = 0.0;
    blas::gemm(false, false, 1, 1, 1, 1.0, &a, 1, &a, 1, 0.0, &c, 1);
  } catch (const OverMemory&) {
    ::_exit(0);
  }
  ::_exit(1);
}

// OpenBLAS 0.3.21 asks for a buffer again and again, without end, where the system has none.
TEST(BlasDeathTest, SaysSoWhereThereIsNoRoomForItsBuffers) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(multiply_without_room(), testing::ExitedWithCode(0), "");
}

// Its workers did so before main().
TEST(BlasDeathTest, HasNoThreadsOfItsOwn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(::_exit(static_cast<int>(status_of("Threads"))), testing::ExitedWithCode(1), "");
}

// OpenBLAS 0.3.21 takes processors newer than itself for one of 2004, at a tenth of the speed.
TEST(Blas, UsesTheInstructionsThereAre) {
  if (std::getenv("OPENBLAS_CORETYPE")) GTEST_SKIP() << "skipped: OPENBLAS_CORETYPE is set";
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "skipped: no AVX2 here";
  EXPECT_NE(blas::kernels(), "Prescott");
}

}  // namespace
}  // namespace fewdim
