#include "solvers/elimination.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "solvers/dissection.hpp"

namespace fewdim {

namespace {

using Ints = std::vector<std::int32_t>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Ints inverse_of(const Ints& order) {
  Ints position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<std::int32_t>(k);
  return position;
}

/// A matrix seen in an order of elimination: calls use(j) for the steps j of the neighbors of step k.
template <class Use>
void for_neighbors(const SparseSymmetric& a, const Ints& order, const Ints& position, Index k, Use&& use) {
  const Index row = order[at(k)];
  for (auto e = a.offsets[at(row)]; e < a.offsets[at(row) + 1]; ++e) use(position[at(a.columns[at(e)])]);
}

/// The elimination tree (Liu 1986): parent[j] is the first step below the diagonal in column j of the factor.
Ints elimination_tree(const SparseSymmetric& a, const Ints& order, const Ints& position) {
  const Index n = a.size();
  Ints parent(at(n), -1), ancestor(at(n), -1);
  for (Index i = 0; i < n; ++i)
    for_neighbors(a, order, position, i, [&](std::int32_t j) {
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

/// Nonzeros of every column of the factor, the diagonal included, in time nearly linear in those of the matrix: a
/// column's count is what its children bring less what overlaps, and overlaps are found at the least common ancestors
/// of the leaves of row subtrees (Gilbert, Ng & Peyton 1994). Steps are in postorder.
Ints column_counts(const SparseSymmetric& a, const Ints& order, const Ints& position, const Ints& parent) {
  const Index n = a.size();
  Ints first(at(n), -1), last_first(at(n), -1), last_leaf(at(n), -1), ancestor(at(n)), count(at(n));
  std::iota(ancestor.begin(), ancestor.end(), 0);
  for (std::int32_t k = 0; k < n; ++k) {  // first descendants; a leaf of the tree is its own
    count[at(k)] = first[at(k)] < 0 ? 1 : 0;
    for (std::int32_t j = k; j >= 0 && first[at(j)] < 0; j = parent[at(j)]) first[at(j)] = k;
  }
  const auto root_of = [&](std::int32_t j) {
    std::int32_t root = j;
    while (root != ancestor[at(root)]) root = ancestor[at(root)];
    while (j != root) j = std::exchange(ancestor[at(j)], root);
    return root;
  };
  for (std::int32_t j = 0; j < n; ++j) {
    if (parent[at(j)] >= 0) --count[at(parent[at(j)])];
    for_neighbors(a, order, position, j, [&](std::int32_t i) {
      if (i <= j || first[at(j)] <= last_first[at(i)]) return;  // j is no leaf of the subtree of row i
      last_first[at(i)] = first[at(j)];
      const std::int32_t previous = std::exchange(last_leaf[at(i)], j);
      ++count[at(j)];
      if (previous >= 0) --count[at(root_of(previous))];
    });
    if (parent[at(j)] >= 0) ancestor[at(j)] = parent[at(j)];
  }
  for (Index j = 0; j < n; ++j)
    if (parent[at(j)] >= 0) count[at(parent[at(j)])] += count[at(j)];
  return count;
}

/// Groups of steps on the way to supernodes.
struct Groups {
  Ints first;   ///< steps, rising
  Ints parent;  ///< of groups
  Ints width, below;
  Ints into;  ///< the group that a group is merged into: itself where it stays
};

/// Chains of the tree whose columns have one pattern.
Groups equal_columns(const Ints& parent, const Ints& count) {
  const Index n = std::ssize(parent);
  Groups g;
  Ints group(at(n));
  for (std::int32_t j = 0; j < n; ++j) {
    const bool joins = j > 0 && parent[at(j) - 1] == j && count[at(j)] == count[at(j) - 1] - 1;
    if (!joins) g.first.push_back(j);
    group[at(j)] = static_cast<std::int32_t>(g.first.size() - 1);
  }
  const std::size_t groups = g.first.size();
  g.first.push_back(static_cast<std::int32_t>(n));
  g.parent.resize(groups), g.width.resize(groups), g.below.resize(groups), g.into.resize(groups);
  for (std::size_t s = 0; s < groups; ++s) {
    const std::int32_t last = g.first[s + 1] - 1;
    g.parent[s] = parent[at(last)] < 0 ? -1 : group[at(parent[at(last)])];
    g.width[s] = g.first[s + 1] - g.first[s];
    g.below[s] = count[at(g.first[s])] - g.width[s];
  }
  std::iota(g.into.begin(), g.into.end(), 0);
  return g;
}

double panel_entries(double width, double below) { return width * (width + 1) / 2 + width * below; }

/// Merges a child with its parent where few zeros come to be stored: wide panels are worth more than they cost.
void relax(Groups& g) {
  const auto groups = g.parent.size();
  std::vector<double> zeros(groups, 0.0);
  for (std::size_t s = 0; s < groups; ++s) {  // in postorder, so s has taken its own children in
    if (g.parent[s] < 0) continue;
    const auto p = at(g.parent[s]);
    const double w = g.width[s], pw = g.width[p], below = g.below[p], merged = panel_entries(w + pw, below);
    const double extra = merged - panel_entries(w, g.below[s]) - panel_entries(pw, below);
    const double share = (extra + zeros[s] + zeros[p]) / merged, columns = w + pw;
    const double allowed = columns <= 8 ? 1.0 : columns <= 24 ? 0.4 : columns <= 64 ? 0.15 : 0.05;
    if (extra > 0.0 && share > allowed) continue;
    g.into[s] = static_cast<std::int32_t>(p);
    g.width[p] += g.width[s];
    zeros[p] += extra + zeros[s];
  }
  for (std::size_t s = groups; s-- > 0;) g.into[s] = g.into[at(g.into[s])];  // parents come after children
}

/// The rows that each supernode updates: those of its columns and of its children.
void find_rows(const SparseSymmetric& a, const Ints& below, Elimination& e) {
  const Index supernodes = e.supernodes();
  e.row_offsets.assign(at(supernodes) + 1, 0);
  for (Index s = 0; s < supernodes; ++s) e.row_offsets[at(s) + 1] = e.row_offsets[at(s)] + below[at(s)];
  e.rows.resize(at(e.row_offsets.back()));
  Ints head(at(supernodes), -1), next(at(supernodes), -1), seen(at(e.size()), -1);
  for (Index s = 0; s < supernodes; ++s) {
    const std::int32_t last = e.first[at(s) + 1] - 1;
    std::int32_t* const begin = e.rows.data() + e.row_offsets[at(s)];
    std::int32_t* end = begin;
    const auto add = [&](std::int32_t i) {
      if (i <= last || seen[at(i)] == s) return;
      seen[at(i)] = static_cast<std::int32_t>(s);
      *end++ = i;
    };
    for (std::int32_t child = head[at(s)]; child >= 0; child = next[at(child)])
      for (auto r = e.row_offsets[at(child)]; r < e.row_offsets[at(child) + 1]; ++r) add(e.rows[at(r)]);
    for (Index k = e.first[at(s)]; k <= last; ++k) for_neighbors(a, e.order, e.position, k, add);
    std::sort(begin, end);
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
  const Index n = a.size();
  Elimination e;
  e.order = dissection_order(a, exec);
  e.position = inverse_of(e.order);
  Ints parent = elimination_tree(a, e.order, e.position);
  {  // the same elimination with subtrees together
    const Ints post = postorder(parent), rank = inverse_of(post);
    Ints order(at(n)), up(at(n));
    for (Index k = 0; k < n; ++k) {
      const Index old = post[at(k)];
      order[at(k)] = e.order[at(old)];
      up[at(k)] = parent[at(old)] < 0 ? -1 : rank[at(parent[at(old)])];
    }
    e.order = std::move(order), parent = std::move(up);
    e.position = inverse_of(e.order);
  }
  Groups g = equal_columns(parent, column_counts(a, e.order, e.position, parent));
  relax(g);

  // Supernodes are the groups that stay, in postorder; each has the steps of the groups merged into it, in rising
  // order.
  const auto groups = g.parent.size();
  Ints name(groups, -1), tree, roots, below;
  for (std::size_t s = 0; s < groups; ++s)
    if (g.into[s] == static_cast<std::int32_t>(s))
      name[s] = static_cast<std::int32_t>(std::ssize(roots)), roots.push_back(static_cast<std::int32_t>(s));
  for (const std::int32_t s : roots) tree.push_back(g.parent[at(s)] < 0 ? -1 : name[at(g.into[at(g.parent[at(s)])])]);
  const Ints post = postorder(tree), rank = inverse_of(post);
  e.first.assign(1, 0);
  for (const std::int32_t node : post) {
    e.first.push_back(e.first.back() + g.width[at(roots[at(node)])]);
    e.parent.push_back(tree[at(node)] < 0 ? -1 : rank[at(tree[at(node)])]);
    below.push_back(g.below[at(roots[at(node)])]);
  }
  Ints next(e.first.begin(), e.first.end() - 1), order(at(n));
  for (std::size_t s = 0; s < groups; ++s)
    for (std::int32_t k = g.first[s]; k < g.first[s + 1]; ++k)
      order[at(next[at(rank[at(name[at(g.into[s])])])]++)] = e.order[at(k)];
  e.order = std::move(order);
  e.position = inverse_of(e.order);
  find_rows(a, below, e);
  count_costs(e);
  return e;
}

}  // namespace fewdim
