#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "graph/search/neighbors.hpp"

/// Where searches put what they find. Both keep exact distances, so that the result does not depend on the order in
/// which a search offers candidates.
namespace fewdim {

struct Candidate {
  double distance = 0.0;
  std::int32_t index = 0;

  bool operator<(const Candidate& other) const {
    return distance != other.distance ? distance < other.distance : index < other.index;
  }
};

inline constexpr Index kRowsPerListTask = 1024;

/// Lists of differing lengths, laid end to end.
template <class Length, class Fill>
NeighborLists lay_out(Index rows, const Execution& exec, Length length, Fill fill) {
  NeighborLists lists;
  lists.offsets.resize(static_cast<std::size_t>(rows) + 1);
  for (Index i = 0; i < rows; ++i)
    lists.offsets[static_cast<std::size_t>(i) + 1] = lists.offsets[static_cast<std::size_t>(i)] + length(i);
  lists.indices.resize(static_cast<std::size_t>(lists.count()));
  lists.distances.resize(static_cast<std::size_t>(lists.count()));
  parallel_for(exec, (rows + kRowsPerListTask - 1) / kRowsPerListTask, [&](Index task) {
    for (Index i = task * kRowsPerListTask; i < std::min(rows, (task + 1) * kRowsPerListTask); ++i) {
      auto at = static_cast<std::size_t>(lists.offsets[static_cast<std::size_t>(i)]);
      for (const Candidate& c : fill(i)) lists.indices[at] = c.index, lists.distances[at++] = c.distance;
    }
  });
  return lists;
}

/// The k nearest of each row: few of them in order, nearest first, many as a heap with the farthest on top.
class NearestCandidates {
 public:
  NearestCandidates(Index rows, Index k)
      : rows_(rows), k_(k), lists_(static_cast<std::size_t>(rows * k)), counts_(static_cast<std::size_t>(rows), 0) {}

  Index k() const { return k_; }

  /// False for pairs that need not even be measured.
  bool wants(Index, std::int32_t) const { return true; }

  /// No candidate farther than this can enter; the bound itself can.
  double bound(Index i) const {
    if (counts_[static_cast<std::size_t>(i)] < k_) return std::numeric_limits<double>::infinity();
    return list(i)[in_order() ? k_ - 1 : 0].distance;
  }

  /// True when the bound may have changed. Calls for one row must not overlap.
  bool offer(Index i, Candidate c) {
    Candidate* top = list(i);
    std::int32_t& count = counts_[static_cast<std::size_t>(i)];
    if (in_order()) {
      if (count == k_ && !(c < top[k_ - 1])) return false;
      if (count < k_) ++count;
      Index at = count - 1;
      for (; at > 0 && c < top[at - 1]; --at) top[at] = top[at - 1];
      top[at] = c;
      return count == k_;
    }
    if (count < k_) {
      top[count++] = c;
      std::push_heap(top, top + count);
      return count == k_;
    }
    if (!(c < *top)) return false;
    sink(top, c);
    return true;
  }

  /// Room for the k nearest of a row, for who has them all, nearest first.
  Candidate* take_all(Index i) {
    counts_[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(k_);
    return list(i);
  }

  void clear(Index i) { counts_[static_cast<std::size_t>(i)] = 0; }

  /// What grows while a search runs: nothing.
  std::uint64_t bytes() const { return 0; }

  NeighborLists finish(const Execution& exec) {
    return lay_out(
        rows_, exec, [&](Index i) { return counts_[static_cast<std::size_t>(i)]; },
        [&](Index i) {
          Candidate* first = list(i);
          if (!in_order()) std::sort(first, first + counts_[static_cast<std::size_t>(i)]);
          return Range{first, first + counts_[static_cast<std::size_t>(i)]};
        });
  }

 private:
  struct Range {
    const Candidate *first, *last;
    const Candidate* begin() const { return first; }
    const Candidate* end() const { return last; }
  };

  static constexpr Index kFew = 32;
  bool in_order() const { return k_ <= kFew; }

  Candidate* list(Index i) { return lists_.data() + i * k_; }
  const Candidate* list(Index i) const { return lists_.data() + i * k_; }

  /// Replaces the top of a heap.
  void sink(Candidate* top, Candidate c) {
    Index at = 0;
    for (Index child = 1; child < k_; child = 2 * at + 1) {
      if (child + 1 < k_ && top[child] < top[child + 1]) ++child;
      if (!(c < top[child])) break;
      top[at] = top[child];
      at = child;
    }
    top[at] = c;
  }

  Index rows_, k_;
  std::vector<Candidate> lists_;
  std::vector<std::int32_t> counts_;
};

/// All within a radius of each row.
class RadiusCandidates {
 public:
  RadiusCandidates(Index rows, double radius) : radius_(radius), found_(static_cast<std::size_t>(rows)) {}

  bool wants(Index, std::int32_t) const { return true; }
  double bound(Index) const { return radius_; }

  bool offer(Index i, Candidate c) {
    if (!(c.distance <= radius_)) return false;
    found_[static_cast<std::size_t>(i)].push_back(c);
    return false;
  }

  /// Of these lists, which may have twice the room they need, and of those that finish() makes.
  std::uint64_t bytes() const {
    std::uint64_t count = 0;
    for (const auto& list : found_) count += list.size();
    return count * (2 * sizeof(Candidate) + sizeof(std::int32_t) + sizeof(double));
  }

  NeighborLists finish(const Execution& exec) {
    return lay_out(
        std::ssize(found_), exec, [&](Index i) { return std::ssize(found_[static_cast<std::size_t>(i)]); },
        [&](Index i) -> const std::vector<Candidate>& {
          auto& list = found_[static_cast<std::size_t>(i)];
          std::sort(list.begin(), list.end());
          return list;
        });
  }

 private:
  double radius_;
  std::vector<std::vector<Candidate>> found_;
};

/// The nearest of each query that lies in another part.
class OutsideCandidates {
 public:
  OutsideCandidates(std::vector<std::int32_t> query_part, const std::vector<std::int32_t>& part_of)
      : query_part_(std::move(query_part)),
        part_of_(part_of),
        nearest_(query_part_.size(), {std::numeric_limits<double>::infinity(), -1}) {}

  bool wants(Index i, std::int32_t j) const {
    return query_part_[static_cast<std::size_t>(i)] != part_of_[static_cast<std::size_t>(j)];
  }
  double bound(Index i) const { return nearest(i).distance; }
  bool offer(Index i, Candidate c) {
    if (!(c < nearest(i))) return false;
    nearest_[static_cast<std::size_t>(i)] = c;
    return true;
  }
  std::uint64_t bytes() const { return 0; }
  const Candidate& nearest(Index i) const { return nearest_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<std::int32_t> query_part_;
  const std::vector<std::int32_t>& part_of_;
  std::vector<Candidate> nearest_;
};

}  // namespace fewdim
