#include "text/counts/term_counting.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"

namespace fewdim {

namespace {

constexpr std::size_t kTaskBytes = std::size_t{1} << 17;
constexpr std::size_t kTasksPerReport = 128;

/// Where each task's texts begin, and the end: about kTaskBytes each.
std::vector<std::size_t> cut(std::span<const std::string> texts) {
  std::vector<std::size_t> firsts{0};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    bytes += texts[i].size() + 16;  // empty ones take time too
    if (bytes < kTaskBytes) continue;
    firsts.push_back(i + 1);
    bytes = 0;
  }
  if (firsts.back() != texts.size()) firsts.push_back(texts.size());
  return firsts;
}

/// Lends the first lane that is free.
class LanePool {
 public:
  LanePool(std::vector<std::unique_ptr<CountingLane>>& lanes, const PreparedRules& rules)
      : lanes_(lanes), rules_(rules), busy_(lanes.size(), false) {}

  std::size_t take() {
    const std::lock_guard lock(mutex_);
    const auto free = static_cast<std::size_t>(std::ranges::find(busy_, false) - busy_.begin());
    if (free == lanes_.size()) {
      lanes_.push_back(std::make_unique<CountingLane>(rules_));
      busy_.push_back(false);
    }
    busy_[free] = true;
    return free;
  }
  CountingLane& lane(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return *lanes_[i];
  }
  void give_back(std::size_t i) {
    const std::lock_guard lock(mutex_);
    busy_[i] = false;
  }

 private:
  std::vector<std::unique_ptr<CountingLane>>& lanes_;
  const PreparedRules& rules_;
  std::vector<bool> busy_;
  std::mutex mutex_;
};

}  // namespace

void TermCounting::add(std::span<const std::string> texts, const Execution& exec) {
  const std::vector<std::size_t> firsts = cut(texts);
  const std::size_t tasks = firsts.size() - 1;
  LanePool pool(lanes_, rules_);
  for (std::size_t round = 0; round < tasks; round += kTasksPerReport) {
    std::vector<CountChunk> chunks(std::min(kTasksPerReport, tasks - round));
    parallel_for(exec, std::ssize(chunks), [&](Index task) {
      CountChunk& chunk = chunks[static_cast<std::size_t>(task)];
      const std::size_t first = firsts[round + static_cast<std::size_t>(task)];
      const std::size_t last = firsts[round + static_cast<std::size_t>(task) + 1];
      chunk.lane = pool.take();
      CountingLane& lane = pool.lane(chunk.lane);
      for (std::size_t i = first; i < last; ++i) lane.count(texts[i], chunk);
      pool.give_back(chunk.lane);
    });
    for (CountChunk& chunk : chunks) store_.append(std::move(chunk));
    if (store_.bytes() > memory_limit(exec) / 8) store_.spill();
    report_progress(exec, "words", store_.documents(), 0, "documents");
    if (exec.memory_limit > 0)
      require_memory(exec, bytes(), "words: terms and their counts",
                     lower_option("ngrams") + ", or take fewer documents");
  }
}

std::uint64_t TermCounting::bytes() const {
  std::uint64_t bytes = store_.bytes();
  for (const auto& lane : lanes_) bytes += lane->bytes();
  return bytes;
}

MergedCounts TermCounting::merge() {
  MergedCounts merged;
  for (auto& lane : lanes_) {
    std::vector<std::int32_t> map(static_cast<std::size_t>(lane->table.size()));
    merged.words += lane->words;
    if (merged.maps.empty()) {
      std::iota(map.begin(), map.end(), 0);
      merged.table = std::move(lane->table);
      merged.documents = std::move(lane->documents);
    } else {
      for (std::size_t id = 0; id < map.size(); ++id) {
        map[id] = merged.table.add_from(lane->table, static_cast<std::int32_t>(id), map);
        if (map[id] == std::ssize(merged.documents)) merged.documents.push_back(0);
        merged.documents[static_cast<std::size_t>(map[id])] += lane->documents[id];
      }
    }
    merged.maps.push_back(std::move(map));
    lane.reset();
  }
  lanes_.clear();
  return merged;
}

}  // namespace fewdim
