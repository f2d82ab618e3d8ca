#pragma once

#include <functional>

#include "fewdim/execution.hpp"

namespace fewdim {

/// Threads a call may use: the option, or every core the process may run on.
int thread_count(const Execution& exec);

/// Runs task(0) .. task(count-1) on at most `exec.threads` threads, in any order. The one door to threads:
/// results keep the same bits at any thread count because the cut into tasks never depends on it; each task
/// writes its own part, and sums over tasks are taken afterwards in task order.
void parallel_for(const Execution& exec, Index count, const std::function<void(Index)>& task);

/// Tells the progress callback; throws Interrupted when it says stop.
void report_progress(const Execution& exec, std::string_view stage, Index done, Index total, std::string_view unit);

}  // namespace fewdim
