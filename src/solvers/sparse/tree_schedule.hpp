#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "solvers/sparse/elimination.hpp"

namespace fewdim {

/// Which supernodes run side by side. The cut depends on the tree alone: subtrees of little work are one task each;
/// whoever finishes the last child of a node goes on with it; the few large fronts at the top come one after the other,
/// each of them cut into tiles.
class TreeSchedule {
 public:
  explicit TreeSchedule(const Elimination& elimination);

  using Visit = std::function<void(Index supernode)>;
  using VisitSubtree = std::function<void(Index first, Index root)>;

  /// Children before parents. `large` is called from the calling thread, `small` from many.
  void upward(const Visit& small, const Visit& large, const Execution& exec) const;
  /// The same with the subtrees at the bottom whole, each on one thread.
  void upward(const VisitSubtree& subtree, const Visit& small, const Visit& large, const Execution& exec) const;
  /// Parents before children, large or not by `visit` alone.
  void downward(const Visit& visit, const Execution& exec) const;

  /// Ranges of supernodes, both ends included; the last is the root.
  const std::vector<std::pair<std::int32_t, std::int32_t>>& subtrees() const { return subtrees_; }
  bool is_large(Index supernode) const { return large_[static_cast<std::size_t>(supernode)] != 0; }

 private:
  const Elimination& elimination_;
  std::vector<char> large_{}, above_{};  ///< above: in no subtree
  std::vector<std::pair<std::int32_t, std::int32_t>> subtrees_{};
  std::vector<std::int32_t> waits_for_{};            ///< children, of the nodes above the subtrees
  std::vector<std::int32_t> late_{};                 ///< large nodes, rising
  std::vector<std::vector<std::int32_t>> levels_{};  ///< nodes above the subtrees, from the roots down
};

}  // namespace fewdim
