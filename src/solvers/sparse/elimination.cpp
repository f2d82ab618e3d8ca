#include "solvers/sparse/elimination.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/index.hpp"
#include "base/parallel.hpp"
#include "solvers/sparse/fill_order.hpp"

namespace fewdim {

namespace {

using Ints = std::vector<std::int32_t>;

Ints inverse_of(const Ints& order) {
  Ints position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<std::int32_t>(k);
  return position;
}

/// A pattern of groups seen in an order of elimination.
struct Steps {
  const GroupedPattern& pattern;
  Ints order, position, weight;

  Steps(const GroupedPattern& p, Ints steps) : pattern(p), order(std::move(steps)), position(inverse_of(order)) {
    for (const std::int32_t group : order) weight.push_back(p.weight(group));
  }
  Index size() const { return std::ssize(order); }

  /// Calls use(j) for the steps j of the neighbors of step k, itself included.
  template <class Use>
  void for_neighbors(Index k, Use&& use) const {
    const Index group = order[at(k)];
    for (std::int32_t e = pattern.offsets[at(group)]; e < pattern.offsets[at(group) + 1]; ++e)
      use(position[at(pattern.neighbors[at(e)])]);
  }
};

/// The elimination tree (Liu 1986): parent[j] is the first step below the diagonal in column j of the factor.
Ints elimination_tree(const Steps& steps) {
  const Index n = steps.size();
  Ints parent(at(n), -1), ancestor(at(n), -1);
  for (Index i = 0; i < n; ++i)
    steps.for_neighbors(i, [&](std::int32_t j) {
      while (j < i) {  // up to the root, with paths made short
        const std::int32_t up = ancestor[at(j)];
        if (up == i) return;
        ancestor[at(j)] = static_cast<std::int32_t>(i);
        if (up < 0) {
          parent[at(j)] = static_cast<std::int32_t>(i);
          return;
        }
        j = up;
      }
    });
  return parent;
}

/// Children before parents, subtrees together; children in rising order.
Ints postorder(const Ints& parent) {
  const auto n = parent.size();
  Ints head(n, -1), next(n, -1), order, stack;
  order.reserve(n);
  for (Index i = std::ssize(parent) - 1; i >= 0; --i)
    if (parent[at(i)] >= 0) next[at(i)] = std::exchange(head[at(parent[at(i)])], static_cast<std::int32_t>(i));
  for (Index root = 0; root < std::ssize(parent); ++root) {
    if (parent[at(root)] >= 0) continue;
    stack.push_back(static_cast<std::int32_t>(root));
    while (!stack.empty()) {
      const std::int32_t node = stack.back(), child = head[at(node)];
      if (child >= 0) {
        head[at(node)] = next[at(child)];
        stack.push_back(child);
      } else {
        order.push_back(node);
        stack.pop_back();
      }
    }
  }
  return order;
}

/// Rows of every column of the factor, its own included, in time nearly linear in those of the matrix: a
/// column's count is what its children bring less what overlaps, and overlaps are found at the least common ancestors
/// of the leaves of row subtrees (Gilbert, Ng & Peyton 1994). Steps are in postorder.
Ints column_counts(const Steps& steps, const Ints& parent) {
  const Index n = steps.size();
  Ints first(at(n), -1), last_first(at(n), -1), last_leaf(at(n), -1), ancestor(at(n)), count(at(n));
  std::iota(ancestor.begin(), ancestor.end(), 0);
  for (std::int32_t k = 0; k < n; ++k) {  // first descendants; a leaf of the tree is its own
    count[at(k)] = first[at(k)] < 0 ? steps.weight[at(k)] : 0;
    for (std::int32_t j = k; j >= 0 && first[at(j)] < 0; j = parent[at(j)]) first[at(j)] = k;
  }
  const auto root_of = [&](std::int32_t j) {
    std::int32_t root = j;
    while (root != ancestor[at(root)]) root = ancestor[at(root)];
    while (j != root) j = std::exchange(ancestor[at(j)], root);
    return root;
  };
  for (std::int32_t j = 0; j < n; ++j) {
    if (parent[at(j)] >= 0) count[at(parent[at(j)])] -= steps.weight[at(j)];
    steps.for_neighbors(j, [&](std::int32_t i) {
      if (i <= j || first[at(j)] <= last_first[at(i)]) return;  // j is no leaf of the subtree of row i
      last_first[at(i)] = first[at(j)];
      const std::int32_t previous = std::exchange(last_leaf[at(i)], j);
      count[at(j)] += steps.weight[at(i)];
      if (previous >= 0) count[at(root_of(previous))] -= steps.weight[at(i)];
    });
    if (parent[at(j)] >= 0) ancestor[at(j)] = parent[at(j)];
  }
  for (Index j = 0; j < n; ++j)
    if (parent[at(j)] >= 0) count[at(parent[at(j)])] += count[at(j)];
  return count;
}

/// Chains of steps on the way to supernodes.
struct Chains {
  Ints first;         ///< steps, rising
  Ints parent;        ///< of chains
  Ints width, below;  ///< columns, and rows below them
  Ints into;          ///< the chain that a chain is merged into: itself where it stays
};

/// Chains of the tree whose columns have one pattern.
Chains equal_columns(const Steps& steps, const Ints& parent, const Ints& count) {
  const Index n = std::ssize(parent);
  Chains c;
  Ints chain(at(n));
  for (std::int32_t j = 0; j < n; ++j) {
    const bool joins = j > 0 && parent[at(j) - 1] == j && count[at(j)] == count[at(j) - 1] - steps.weight[at(j) - 1];
    if (!joins) {
      c.first.push_back(j);
      c.width.push_back(0);
    }
    c.width.back() += steps.weight[at(j)];
    chain[at(j)] = static_cast<std::int32_t>(c.first.size() - 1);
  }
  const std::size_t chains = c.first.size();
  c.first.push_back(static_cast<std::int32_t>(n));
  c.parent.resize(chains), c.below.resize(chains), c.into.resize(chains);
  for (std::size_t s = 0; s < chains; ++s) {
    const std::int32_t last = c.first[s + 1] - 1;
    c.parent[s] = parent[at(last)] < 0 ? -1 : chain[at(parent[at(last)])];
    c.below[s] = count[at(c.first[s])] - c.width[s];
  }
  std::iota(c.into.begin(), c.into.end(), 0);
  return c;
}

double panel_entries(double width, double below) { return width * (width + 1) / 2 + width * below; }

/// Merges a child with its parent where few zeros come to be stored: wide panels are worth more than they cost.
void relax(Chains& g) {
  const auto chains = g.parent.size();
  std::vector<double> zeros(chains, 0.0);
  for (std::size_t s = 0; s < chains; ++s) {  // in postorder, so s has taken its own children in
    if (g.parent[s] < 0) continue;
    const auto p = at(g.parent[s]);
    const double w = g.width[s], pw = g.width[p], below = g.below[p], merged = panel_entries(w + pw, below);
    const double extra = merged - panel_entries(w, g.below[s]) - panel_entries(pw, below);
    const double share = (extra + zeros[s] + zeros[p]) / merged, columns = w + pw;
    const double allowed = columns <= 16 ? 0.5 : columns <= 32 ? 0.25 : columns <= 64 ? 0.1 : 0.05;
    if (extra > 0.0 && share > allowed) continue;
    g.into[s] = static_cast<std::int32_t>(p);
    g.width[p] += g.width[s];
    zeros[p] += extra + zeros[s];
  }
  for (std::size_t s = chains; s-- > 0;) g.into[s] = g.into[at(g.into[s])];  // parents come after children
}

/// Supernodes by steps, on the way to rows.
struct Supernodes {
  Ints first_step;  ///< rising
  Ints below;       ///< rows
};

/// The rows that each supernode updates: those of its columns and of its children; steps first, then their rows.
void find_rows(const Steps& steps, const Supernodes& nodes, const Ints& first_column, Elimination& e) {
  const Index supernodes = e.supernodes();
  e.row_offsets.assign(at(supernodes) + 1, 0);
  for (Index s = 0; s < supernodes; ++s) e.row_offsets[at(s) + 1] = e.row_offsets[at(s)] + nodes.below[at(s)];
  e.rows.resize(at(e.row_offsets.back()));
  Ints head(at(supernodes), -1), next(at(supernodes), -1), seen(at(steps.size()), -1), found;
  std::vector<std::size_t> offsets(1, 0);
  for (Index s = 0; s < supernodes; ++s) {
    const std::int32_t last = nodes.first_step[at(s) + 1] - 1;
    const std::size_t start = found.size();
    const auto add = [&](std::int32_t i) {
      if (i <= last || seen[at(i)] == s) return;
      seen[at(i)] = static_cast<std::int32_t>(s);
      found.push_back(i);
    };
    for (std::int32_t child = head[at(s)]; child >= 0; child = next[at(child)])
      for (std::size_t r = offsets[at(child)]; r < offsets[at(child) + 1]; ++r) add(found[r]);
    for (Index k = nodes.first_step[at(s)]; k <= last; ++k) steps.for_neighbors(k, add);
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(start), found.end());
    offsets.push_back(found.size());
    std::int32_t* row = e.rows.data() + e.row_offsets[at(s)];
    for (std::size_t r = start; r < found.size(); ++r)
      for (std::int32_t k = 0; k < steps.weight[at(found[r])]; ++k) *row++ = first_column[at(found[r])] + k;
    if (const std::int32_t p = e.parent[at(s)]; p >= 0)
      next[at(s)] = std::exchange(head[at(p)], static_cast<std::int32_t>(s));
  }
}

void count_costs(Elimination& e) {
  std::uint64_t alive = 0, peak = 0;
  std::vector<std::uint64_t> of_children(at(e.supernodes()), 0);
  for (Index s = 0; s < e.supernodes(); ++s) {
    const Index w = e.width(s), r = e.below(s);
    e.nonzeros += w * (w + 1) / 2 + w * r;
    e.factor_bytes += at(w * (w + r)) * sizeof(double);
    for (Index k = 0; k < w; ++k) {
      const auto height = static_cast<double>(w + r - k);
      e.flops += height * height;
    }
    const std::uint64_t update = at(r * r) * sizeof(double);
    peak = std::max(peak, alive + update);
    alive += update - of_children[at(s)];
    if (e.parent[at(s)] >= 0) of_children[at(e.parent[at(s)])] += update;
  }
  e.peak_bytes =
      e.factor_bytes + 2 * peak + e.rows.size() * 2 * sizeof(std::int32_t) + at(e.size()) * 4 * sizeof(std::int32_t);
}

}  // namespace

Elimination plan_elimination(const SparseSymmetric& a, const Execution& exec) {
  const GroupedPattern pattern = fill_reducing_order(a, exec);
  Ints parent;
  std::optional<Steps> steps;
  {  // the same elimination with subtrees together
    const Steps given(pattern, pattern.order);
    const Ints tree = elimination_tree(given), post = postorder(tree), rank = inverse_of(post);
    Ints order;
    for (const std::int32_t old : post) {
      order.push_back(given.order[at(old)]);
      parent.push_back(tree[at(old)] < 0 ? -1 : rank[at(tree[at(old)])]);
    }
    steps.emplace(pattern, std::move(order));
  }
  Chains c = equal_columns(*steps, parent, column_counts(*steps, parent));
  relax(c);

  // Supernodes are the chains that stay, in postorder; each has the steps of the chains merged into it, in rising
  // order.
  const auto chains = c.parent.size();
  Elimination e;
  Supernodes nodes;
  Ints name(chains, -1), stay, tree, count;
  for (std::size_t s = 0; s < chains; ++s) {
    if (c.into[s] != static_cast<std::int32_t>(s)) continue;
    name[s] = static_cast<std::int32_t>(stay.size());
    stay.push_back(static_cast<std::int32_t>(s));
  }
  for (const std::int32_t s : stay) tree.push_back(c.parent[at(s)] < 0 ? -1 : name[at(c.into[at(c.parent[at(s)])])]);
  const Ints post = postorder(tree), rank = inverse_of(post);
  count.assign(stay.size() + 1, 0);  // steps of each supernode
  const auto supernode_of = [&](std::size_t s) { return at(rank[at(name[at(c.into[s])])]); };
  for (std::size_t s = 0; s < chains; ++s) count[supernode_of(s) + 1] += c.first[s + 1] - c.first[s];
  std::partial_sum(count.begin(), count.end(), count.begin());
  nodes.first_step = count;
  Ints order(at(steps->size()));
  for (std::size_t s = 0; s < chains; ++s)
    for (std::int32_t k = c.first[s]; k < c.first[s + 1]; ++k)
      order[at(count[supernode_of(s)]++)] = steps->order[at(k)];
  steps.emplace(pattern, std::move(order));
  e.first.assign(1, 0);
  for (const std::int32_t node : post) {
    e.first.push_back(e.first.back() + c.width[at(stay[at(node)])]);
    e.parent.push_back(tree[at(node)] < 0 ? -1 : rank[at(tree[at(node)])]);
    nodes.below.push_back(c.below[at(stay[at(node)])]);
  }

  // From steps to columns.
  Ints first_column;
  for (const std::int32_t group : steps->order) {
    first_column.push_back(static_cast<std::int32_t>(e.order.size()));
    for (std::int32_t m = pattern.member_offsets[at(group)]; m < pattern.member_offsets[at(group) + 1]; ++m)
      e.order.push_back(pattern.members[at(m)]);
  }
  e.position = inverse_of(e.order);
  find_rows(*steps, nodes, first_column, e);
  count_costs(e);
  return e;
}

}  // namespace fewdim
