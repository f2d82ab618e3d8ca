#include "graph/search/kd_tree.hpp"

#include <algorithm>
#include <tuple>

#include "base/parallel.hpp"
#include "data/table/block.hpp"

namespace fewdim {

namespace {

constexpr Index kLeavesPerTask = 64;

void find_leaves(Index node, Index first_leaf, Index leaves, std::vector<Index>& out) {
  if (leaves == 1) {
    out[static_cast<std::size_t>(first_leaf)] = node;
    return;
  }
  const Index left = KdTree::left_leaves(leaves);
  find_leaves(node + 1, first_leaf, left, out);
  find_leaves(KdTree::right_child(node, leaves), first_leaf + left, leaves - left, out);
}

}  // namespace

template <class C>
struct KdTree::Builder {
  struct Item {
    C key = C(0);
    std::int32_t row = 0;
    bool operator<(const Item& other) const { return key != other.key ? key < other.key : row < other.row; }
  };
  struct Node {
    Index index = 0, first_leaf = 0, leaves = 0;
  };

  KdTree& tree;
  const MetricRows<C>& rows;
  std::vector<Item> items;

  Builder(KdTree& t, const MetricRows<C>& r) : tree(t), rows(r), items(static_cast<std::size_t>(r.rows)) {
    for (std::size_t i = 0; i < items.size(); ++i) items[i].row = static_cast<std::int32_t>(i);
  }

  Item* begin(const Node& node) { return items.data() + node.first_leaf * kLeaf; }
  Item* end(const Node& node) { return items.data() + std::min((node.first_leaf + node.leaves) * kLeaf, rows.rows); }

  void measure(const Node& node) {
    double* box = tree.boxes_.data() + 2 * node.index * tree.cols_;
    const C* first = rows.row(begin(node)->row);
    for (Index j = 0; j < tree.cols_; ++j) box[2 * j] = box[2 * j + 1] = static_cast<double>(first[j]);
    for (const Item* item = begin(node); item != end(node); ++item) {
      const C* row = rows.row(item->row);
      for (Index j = 0; j < tree.cols_; ++j) {
        const auto x = static_cast<double>(row[j]);
        box[2 * j] = std::min(box[2 * j], x);
        box[2 * j + 1] = std::max(box[2 * j + 1], x);
      }
    }
  }

  void fill(const Node& leaf) {
    double* to = tree.numbers_.get() + leaf.first_leaf * kLeaf * tree.cols_;
    std::fill_n(to, kLeaf * tree.cols_, 0.0);
    for (Item* item = begin(leaf); item != end(leaf); ++item, ++to) {
      tree.order_[static_cast<std::size_t>(item - items.data())] = item->row;
      const C* row = rows.row(item->row);
      for (Index j = 0; j < tree.cols_; ++j) to[j * kLeaf] = static_cast<double>(row[j]);
    }
  }

  /// Cuts a node with more than one leaf across its longest side, at the middle of its rows.
  std::pair<Node, Node> cut(const Node& node) {
    const double* box = tree.box(node.index);
    Index longest = 0;
    for (Index j = 1; j < tree.cols_; ++j)
      if (box[2 * j + 1] - box[2 * j] > box[2 * longest + 1] - box[2 * longest]) longest = j;
    for (Item* item = begin(node); item != end(node); ++item) item->key = rows.row(item->row)[longest];
    const Index left = left_leaves(node.leaves);
    std::nth_element(begin(node), begin(node) + left * kLeaf, end(node));
    return {{node.index + 1, node.first_leaf, left},
            {right_child(node.index, node.leaves), node.first_leaf + left, node.leaves - left}};
  }

  void build(const Node& node) {
    measure(node);
    if (node.leaves == 1) return fill(node);
    const auto [left, right] = cut(node);
    build(left);
    build(right);
  }
};

template <class C>
KdTree::KdTree(const MetricRows<C>& rows, const Execution& exec)
    : rows_(rows.rows),
      cols_(rows.cols),
      leaves_((rows.rows + kLeaf - 1) / kLeaf),
      order_(static_cast<std::size_t>(rows.rows)),
      boxes_(static_cast<std::size_t>(std::max<Index>(0, 2 * leaves_ - 1) * 2 * cols_)),
      numbers_(make_large_array<double>(static_cast<std::size_t>(leaves_ * kLeaf * cols_))) {
  if (leaves_ == 0) return;
  Builder<C> builder(*this, rows);
  std::vector<typename Builder<C>::Node> nodes{{0, 0, leaves_}}, below;
  for (; nodes.front().leaves > kLeavesPerTask; nodes.swap(below)) {  // level by level; the first has most leaves
    below.assign(2 * nodes.size(), {});
    parallel_for(exec, std::ssize(nodes), [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      builder.measure(nodes[at]);
      std::tie(below[2 * at], below[2 * at + 1]) = builder.cut(nodes[at]);
    });
  }
  parallel_for(exec, std::ssize(nodes), [&](Index i) { builder.build(nodes[static_cast<std::size_t>(i)]); });
}

std::vector<Index> KdTree::leaf_nodes() const {
  std::vector<Index> out(static_cast<std::size_t>(leaves_));
  if (leaves_ > 0) find_leaves(0, 0, leaves_, out);
  return out;
}

std::uint64_t KdTree::bytes(Index rows, Index cols) {
  const auto numbers = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) * sizeof(double);
  return numbers + numbers / 2 + static_cast<std::uint64_t>(rows) * (sizeof(std::int32_t) + 2 * sizeof(double));
}

template KdTree::KdTree(const MetricRows<float>&, const Execution&);
template KdTree::KdTree(const MetricRows<double>&, const Execution&);

}  // namespace fewdim
