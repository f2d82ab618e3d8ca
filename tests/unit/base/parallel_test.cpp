#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace fewdim {
namespace {

TEST(ParallelFor, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    std::vector<std::atomic<int>> seen(1000);
    parallel_for({.threads = threads}, 1000, [&](Index i) { ++seen[static_cast<std::size_t>(i)]; });
    for (const auto& count : seen) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, LetsExceptionsThrough) {
  EXPECT_THROW(parallel_for({.threads = 2}, 8,
                            [](Index i) {
                              if (i == 5) throw std::runtime_error("five");
                            }),
               std::runtime_error);
}

/// A thread that finds itself on the caller's core goes elsewhere, and may come back: it is not bound to a core.
TEST(ParallelFor, ThreadsMayRunWhereverTheyCouldBefore) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  std::atomic<int> others = 0;
  for (int round = 0; round < 50; ++round)
    parallel_for({.threads = 2}, 64, [&](Index) {
      cpu_set_t mine;
      ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
      if (CPU_EQUAL(&mine, &allowed) == 0) ++others;
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    });
  EXPECT_EQ(others, 0);
}

}  // namespace
}  // namespace fewdim
