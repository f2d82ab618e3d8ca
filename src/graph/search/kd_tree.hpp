#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "features/metric.hpp"
#include "graph/search/leaf_kernels.hpp"

namespace fewdim {

/// A k-d tree whose leaves hold eight rows each, all but the last one full. A leaf's numbers lie column by column, so
/// that a row is compared with eight others at once; leaves that follow each other are near each other. Nodes have no
/// pointers: a node of n > 1 leaves is followed by its left child, of left_leaves(n), and behind that child's nodes by
/// its right one.
class KdTree {
 public:
  template <class C>
  KdTree(const MetricRows<C>& rows, const Execution& exec);

  Index cols() const { return cols_; }
  Index leaves() const { return leaves_; }
  static Index left_leaves(Index leaves) { return (leaves + 1) / 2; }
  /// The right child of a node of so many leaves.
  static Index right_child(Index node, Index leaves) { return node + 2 * left_leaves(leaves); }

  /// Of the rows below a node, column by column: the least number and the largest.
  const double* box(Index node) const { return boxes_.data() + 2 * node * cols_; }

  /// The node of each leaf.
  std::vector<Index> leaf_nodes() const;

  /// Rows of a leaf.
  Index count(Index leaf) const { return std::min(kLeaf, rows_ - leaf * kLeaf); }
  const std::int32_t* names(Index leaf) const { return order_.data() + leaf * kLeaf; }
  /// numbers(leaf)[j·kLeaf + l]: column j of its row l.
  const double* numbers(Index leaf) const { return numbers_.get() + leaf * kLeaf * cols_; }

  /// What the tree of so many rows takes.
  static std::uint64_t bytes(Index rows, Index cols);

 private:
  template <class C>
  struct Builder;

  Index rows_, cols_, leaves_;
  std::vector<std::int32_t> order_;  // rows, leaf by leaf
  std::vector<double> boxes_;
  std::shared_ptr<double[]> numbers_;
};

}  // namespace fewdim
