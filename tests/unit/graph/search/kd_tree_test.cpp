#include "graph/search/kd_tree.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "unit/graph/graph_helpers.hpp"

namespace fewdim {
namespace {

/// Rows below a node, checked against its box on the way.
template <class C>
std::vector<std::int32_t> rows_below(const KdTree& tree, const MetricRows<C>& rows, Index node, Index first_leaf,
                                     Index leaves) {
  std::vector<std::int32_t> found;
  if (leaves == 1) {
    found.assign(tree.names(first_leaf), tree.names(first_leaf) + tree.count(first_leaf));
    for (Index l = 0; l < tree.count(first_leaf); ++l)
      for (Index j = 0; j < tree.cols(); ++j)
        EXPECT_EQ(tree.numbers(first_leaf)[j * kLeaf + l],
                  static_cast<double>(rows.row(found[static_cast<std::size_t>(l)])[j]));
  } else {
    const Index left = KdTree::left_leaves(leaves);
    found = rows_below(tree, rows, node + 1, first_leaf, left);
    const auto right = rows_below(tree, rows, KdTree::right_child(node, leaves), first_leaf + left, leaves - left);
    found.insert(found.end(), right.begin(), right.end());
  }
  for (Index j = 0; j < tree.cols(); ++j) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const std::int32_t i : found) {
      least = std::min(least, static_cast<double>(rows.row(i)[j]));
      most = std::max(most, static_cast<double>(rows.row(i)[j]));
    }
    EXPECT_EQ(tree.box(node)[2 * j], least);
    EXPECT_EQ(tree.box(node)[2 * j + 1], most);
  }
  return found;
}

TEST(KdTree, HasEveryRowOnceInBoxesThatFit) {
  // One leaf, one that is full, two, many with a last one of 1 row, and enough for several tasks.
  for (const Index n : {1, 7, 8, 9, 161, 2001}) {
    const auto rows = test::packed<float>(test::sample<float>(n, 3));
    const KdTree tree(rows, {});
    EXPECT_EQ(tree.leaves(), (n + kLeaf - 1) / kLeaf);
    auto found = rows_below(tree, rows, 0, 0, tree.leaves());
    std::ranges::sort(found);
    ASSERT_EQ(std::ssize(found), n);
    for (std::int32_t i = 0; i < n; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)], i);
  }
}

TEST(KdTree, NamesTheNodeOfEachLeaf) {
  const auto rows = test::packed<double>(test::sample(333, 2));
  const KdTree tree(rows, {});
  const std::vector<Index> nodes = tree.leaf_nodes();
  ASSERT_EQ(std::ssize(nodes), tree.leaves());
  for (Index leaf = 0; leaf < tree.leaves(); ++leaf)
    EXPECT_EQ(std::ssize(rows_below(tree, rows, nodes[static_cast<std::size_t>(leaf)], leaf, 1)), tree.count(leaf));
}

TEST(KdTree, IsTheSameAtAnyNumberOfThreads) {
  const auto rows = test::packed<double>(test::sample(5000, 3));
  const KdTree one(rows, {.threads = 1}), three(rows, {.threads = 3});
  for (Index leaf = 0; leaf < one.leaves(); ++leaf)
    for (Index l = 0; l < one.count(leaf); ++l) EXPECT_EQ(one.names(leaf)[l], three.names(leaf)[l]);
}

TEST(KdTree, TakesRowsThatAreAllEqual) {
  const auto rows = test::packed<double>(Matrix<double>::Constant(100, 2, 1.5));
  const KdTree tree(rows, {});
  EXPECT_EQ(std::ssize(rows_below(tree, rows, 0, 0, tree.leaves())), 100);
}

}  // namespace
}  // namespace fewdim
