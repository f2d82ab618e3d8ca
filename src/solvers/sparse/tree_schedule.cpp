#include "solvers/sparse/tree_schedule.hpp"

#include <algorithm>
#include <atomic>

#include "base/index.hpp"
#include "base/parallel.hpp"

namespace fewdim {

namespace {

constexpr double kLargeFront = 4e7;      // flops; about a millisecond
constexpr double kScheduleTasks = 48.0;  // subtrees have at most this share of the work

/// Flops of a front, and some for its overhead.
double work_of(const Elimination& e, Index s) {
  const auto w = static_cast<double>(e.width(s)), r = static_cast<double>(e.below(s));
  return w * w * w / 3 + w * w * r + w * r * r + 2.0 * (w + r) * (w + r) + 1e4;
}

}  // namespace

TreeSchedule::TreeSchedule(const Elimination& e) : elimination_(e) {
  const Index count = e.supernodes();
  large_.assign(at(count), 0);
  above_.assign(at(count), 0);
  waits_for_.assign(at(count), 0);
  std::vector<double> work(at(count), 0.0);
  std::vector<std::int32_t> nodes(at(count), 1);  // of the subtree
  double all = 0.0;
  for (Index s = 0; s < count; ++s) {
    const double own = work_of(e, s);
    all += own;
    work[at(s)] += own;
    if (own > kLargeFront) large_[at(s)] = 1;
    if (const std::int32_t p = e.parent[at(s)]; p >= 0) {
      work[at(p)] += work[at(s)];
      nodes[at(p)] += nodes[at(s)];
      large_[at(p)] = static_cast<char>(large_[at(p)] | large_[at(s)]);
    }
  }
  const auto in_subtree = [&](Index s) { return work[at(s)] <= all / kScheduleTasks && !large_[at(s)]; };
  std::vector<std::int32_t> depth(at(count), -1);
  for (Index s = count - 1; s >= 0; --s) {
    const std::int32_t p = e.parent[at(s)], node = static_cast<std::int32_t>(s);
    if (in_subtree(s)) {
      if (p < 0 || !in_subtree(p)) subtrees_.emplace_back(node - nodes[at(s)] + 1, node);
    } else {
      above_[at(s)] = 1;
      depth[at(s)] = p < 0 ? 0 : depth[at(p)] + 1;
      if (std::ssize(levels_) <= depth[at(s)]) levels_.resize(at(depth[at(s)]) + 1);
      levels_[at(depth[at(s)])].push_back(node);
      if (large_[at(s)]) late_.push_back(node);
    }
    if (p >= 0 && !in_subtree(p)) ++waits_for_[at(p)];
  }
  // A node above the subtrees that waits for nobody is a task of its own.
  for (Index s = 0; s < count; ++s)
    if (!in_subtree(s) && !large_[at(s)] && waits_for_[at(s)] == 0)
      subtrees_.emplace_back(static_cast<std::int32_t>(s), static_cast<std::int32_t>(s));
  std::reverse(late_.begin(), late_.end());
  std::stable_sort(subtrees_.begin(), subtrees_.end(),
                   [&](const auto& a, const auto& b) { return work[at(a.second)] > work[at(b.second)]; });
}

void TreeSchedule::upward(const Visit& small, const Visit& large, const Execution& exec) const {
  const auto one_by_one = [&](Index first, Index root) {
    for (Index s = first; s <= root; ++s) small(s);
  };
  upward(one_by_one, small, large, exec);
}

void TreeSchedule::upward(const VisitSubtree& subtree, const Visit& small, const Visit& large,
                          const Execution& exec) const {
  std::vector<std::atomic<std::int32_t>> waits(waits_for_.size());
  for (std::size_t s = 0; s < waits.size(); ++s) waits[s].store(waits_for_[s], std::memory_order_relaxed);
  parallel_for(exec, std::ssize(subtrees_), [&](Index task) {
    const auto [first, last] = subtrees_[at(task)];
    subtree(first, last);
    for (std::int32_t p = elimination_.parent[at(last)]; p >= 0 && !large_[at(p)]; p = elimination_.parent[at(p)]) {
      if (waits[at(p)].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
      small(p);
    }
  });
  for (const std::int32_t s : late_) large(s);
}

void TreeSchedule::downward(const Visit& visit, const Execution& exec) const {
  for (const auto& level : levels_) parallel_for(exec, std::ssize(level), [&](Index i) { visit(level[at(i)]); });
  // A node of its own among the tasks has been seen with its level.
  parallel_for(exec, std::ssize(subtrees_), [&](Index task) {
    const auto [first, last] = subtrees_[at(task)];
    if (above_[at(last)]) return;
    for (Index s = last; s >= first; --s) visit(s);
  });
}

}  // namespace fewdim
