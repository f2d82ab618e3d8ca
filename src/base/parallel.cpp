#include "base/parallel.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "base/blas_workers.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

int thread_count(const Execution& exec) {
  if (exec.threads > 0) return exec.threads;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return 1;
}

namespace {

/// Leaves a core. A thread that wakes on the caller's core while others are idle would share it until the kernel's next
/// tick looks for a better place, after up to 4 ms: as long as all the work here may take.
void leave_core(int core) {
  cpu_set_t allowed, others;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  others = allowed;
  CPU_CLR(static_cast<std::size_t>(core), &others);
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
  sched_setaffinity(0, sizeof allowed, &allowed);
}

/// Whether the system has refused the first worker: then the callers work alone, to the same bits.
std::atomic<bool> no_workers{false};

/// Once in a process: the first worker is started and on a core of its own before there is work for it. The caller
/// sleeps meanwhile, as a new thread often begins on its creator's core, and would wait there for a tick.
void start_workers() {
  static std::atomic_flag begun;
  if (begun.test(std::memory_order_relaxed) || begun.test_and_set()) return;
  constexpr std::chrono::milliseconds kMost{2};
  const std::thread::id caller = std::this_thread::get_id();
  const int core = sched_getcpu();
  std::mutex mutex;
  std::condition_variable changed;
  bool here = false;
  const auto meet = [&](const tbb::blocked_range<int>&) {
    std::unique_lock lock(mutex);
    if (std::this_thread::get_id() == caller) {
      changed.wait_for(lock, kMost, [&] { return here; });
      here = true;  // one wait is enough, should both parts come to the caller
      return;
    }
    if (sched_getcpu() == core) leave_core(core);
    here = true;
    changed.notify_one();
  };
  try {
    tbb::parallel_for(tbb::blocked_range<int>(0, 2, 1), meet, tbb::simple_partitioner());
  } catch (const std::runtime_error&) {  // "pthread_create has failed: ..."
    no_workers = true;
  }
}

/// What TBB throws where the system refuses a thread to it; the work is done in part then.
[[noreturn]] void refuse_threads(const std::runtime_error& error, int threads) {
  throw OverMemory(
      fmt::format("the system refuses one of {} threads ({}); {}, or raise its limits (ulimit -u, ulimit -v)", threads,
                  error.what(), lower_option("threads")));
}

}  // namespace

void parallel_for(const Execution& exec, Index count, const std::function<void(Index)>& task) {
  blas::dismiss_workers();  // its workers, idle but awake, would take a core from ours
  // No more than the host lets TBB have: asked for more, it would print a warning.
  const auto allowed =
      static_cast<Index>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  const int threads = static_cast<int>(std::min({Index{thread_count(exec)}, count, allowed}));
  if (threads > 1) start_workers();
  if (threads <= 1 || no_workers) {
    for (Index i = 0; i < count; ++i) task(i);
    return;
  }
  const std::thread::id caller = std::this_thread::get_id();
  const int core = sched_getcpu();
  const auto run = [&] {
    tbb::parallel_for(
        tbb::blocked_range<Index>(0, count, 1),
        [&](const tbb::blocked_range<Index>& range) {
          if (std::this_thread::get_id() != caller && sched_getcpu() == core) leave_core(core);
          for (Index i = range.begin(); i < range.end(); ++i) task(i);
        },
        tbb::simple_partitioner());
  };
  // The arena that a thread is in anyway keeps its workers awake from call to call: 3 µs instead of 15.
  try {
    if (threads >= std::min<Index>(count, tbb::this_task_arena::max_concurrency()))
      run();
    else
      tbb::task_arena(threads).execute(run);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    if (std::string_view(error.what()).starts_with("pthread_create")) refuse_threads(error, threads);
    throw;
  }
}

void report_progress(const Execution& exec, std::string_view stage, Index done, Index total, std::string_view unit) {
  if (exec.progress && !exec.progress(Progress{stage, done, total, unit}))
    throw Interrupted(std::string("stopped on request while at: ") + std::string(stage));
}

}  // namespace fewdim
