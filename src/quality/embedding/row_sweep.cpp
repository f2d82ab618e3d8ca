#include "quality/embedding/row_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"

namespace fewdim {

namespace {

/// Buffers of one thread at a time; fresh memory is dear.
struct Scratch {
  std::vector<double> original, embedding;
  RankMeasures::Scratch ranks;
};

class ScratchPool {
 public:
  std::unique_ptr<Scratch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Scratch>();
    std::unique_ptr<Scratch> out = std::move(free_.back());
    free_.pop_back();
    return out;
  }
  void give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(scratch));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

/// Rows that are compared with the others at once.
Index rows_per_task(Index rows) { return std::clamp<Index>((Index{1} << 22) / rows, 4, 16); }

}  // namespace

RowResults look_at(const std::vector<Index>& which, const RowDistances& original, const RowDistances& embedding,
                   const RankMeasures& measures, PairSample& sample, std::string_view who, const Execution& exec) {
  const Index n = original.rows(), count = std::ssize(which), step = rows_per_task(n);
  const auto threads = static_cast<std::uint64_t>(thread_count(exec));
  require_memory(exec,
                 sample.bytes() + threads * static_cast<std::uint64_t>(n) *
                                      (static_cast<std::uint64_t>(2 * step) * sizeof(double) + 44),
                 fmt::format("{}: the distances of {} rows", who, step),
                 lower_option("threads") + ", or take fewer rows");
  RowResults out;
  out.ranks.resize(which.size());
  out.sums.resize(which.size());
  std::vector<double> first(2 * static_cast<std::size_t>(n));
  original.fill(which.data(), 1, first.data());
  embedding.fill(which.data(), 1, first.data() + n);
  out.shift = distance_shift(which.front(), first.data(), first.data() + n, n);

  ScratchPool pool;
  const auto task = [&](Index t) {
    std::unique_ptr<Scratch> scratch = pool.take();
    const Index begin = t * step, here = std::min(step, count - begin);
    scratch->original.resize(static_cast<std::size_t>(step * n));
    scratch->embedding.resize(static_cast<std::size_t>(step * n));
    original.fill(which.data() + begin, here, scratch->original.data());
    embedding.fill(which.data() + begin, here, scratch->embedding.data());
    for (Index r = 0; r < here; ++r) {
      const auto p = static_cast<std::size_t>(begin + r);
      const double *x = scratch->original.data() + r * n, *y = scratch->embedding.data() + r * n;
      out.ranks[p] = measures.row(which[p], x, y, scratch->ranks);
      out.sums[p] = pair_sums(which[p], x, y, n, out.shift);
      sample.keep(begin + r, which[p], x, y);
    }
    pool.give_back(std::move(scratch));
  };
  const Index tasks = (count + step - 1) / step;
  constexpr Index kTasksPerReport = 32;
  for (Index done = 0; done < tasks; done += kTasksPerReport) {
    report_progress(exec, "quality", std::min(count, done * step), count, "rows");
    parallel_for(exec, std::min(kTasksPerReport, tasks - done), [&](Index t) { task(done + t); });
  }
  return out;
}

}  // namespace fewdim
