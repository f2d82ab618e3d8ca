#include "solvers/sparse/fill_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/index.hpp"
#include "base/parallel.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

using Ints = std::vector<std::int32_t>;

constexpr Index kTasks = 16;          // ranges of vertices, whatever their number
constexpr Index kManyNeighbors = 14;  // on average: rows are worth grouping
constexpr std::size_t kGroup = 2;     // rows

/// Neighbors of each vertex, itself included: Eigen's minimum degree takes a vertex without a loop for a dense row.
struct Graph {
  Ints offsets{0}, neighbors{};

  Index size() const { return std::ssize(offsets) - 1; }
  auto begin(Index v) const { return neighbors.begin() + offsets[at(v)]; }
  auto end(Index v) const { return neighbors.begin() + offsets[at(v) + 1]; }
  std::int32_t degree(Index v) const { return offsets[at(v) + 1] - offsets[at(v)]; }
};

/// Vertices in the order of a search by breadth: neighbors come near each other, which is what groups and caches need.
Ints breadth_first(const SparseSymmetric& a) {
  const Index n = a.size();
  Ints order;
  order.reserve(at(n));
  std::vector<char> seen(at(n), 0);
  for (Index root = 0; root < n; ++root) {
    if (seen[at(root)]) continue;
    seen[at(root)] = 1;
    order.push_back(static_cast<std::int32_t>(root));
    for (std::size_t head = order.size() - 1; head < order.size(); ++head)
      for (auto e = a.offsets[at(order[head])]; e < a.offsets[at(order[head]) + 1]; ++e) {
        const std::int32_t u = a.columns[at(e)];
        if (seen[at(u)]) continue;
        seen[at(u)] = 1;
        order.push_back(u);
      }
  }
  return order;
}

/// The graph of the matrix, vertex k being row order[k].
Graph graph_of(const SparseSymmetric& a, const Ints& order, const Execution& exec) {
  const Index n = a.size();
  Ints position(at(n));
  for (Index k = 0; k < n; ++k) position[at(order[at(k)])] = static_cast<std::int32_t>(k);
  Graph g;
  g.offsets.resize(at(n) + 1);
  parallel_for(exec, kTasks, [&](Index task) {
    for (Index k = n * task / kTasks; k < n * (task + 1) / kTasks; ++k) {
      const auto row = order[at(k)];
      const auto first = a.columns.begin() + a.offsets[at(row)], last = a.columns.begin() + a.offsets[at(row) + 1];
      const bool diagonal = std::binary_search(first, last, row);
      g.offsets[at(k) + 1] = static_cast<std::int32_t>(last - first) + (diagonal ? 0 : 1);
    }
  });
  std::partial_sum(g.offsets.begin(), g.offsets.end(), g.offsets.begin());
  g.neighbors.resize(at(g.offsets.back()));
  parallel_for(exec, kTasks, [&](Index task) {
    for (Index k = n * task / kTasks; k < n * (task + 1) / kTasks; ++k) {
      const auto row = order[at(k)];
      std::int32_t* to = g.neighbors.data() + g.offsets[at(k)];
      *to++ = static_cast<std::int32_t>(k);
      for (auto e = a.offsets[at(row)]; e < a.offsets[at(row) + 1]; ++e)
        if (a.columns[at(e)] != row) *to++ = position[at(a.columns[at(e)])];
    }
  });
  return g;
}

/// Groups of up to kGroup vertices: each that is left takes those of its neighbors that share most neighbors with it.
struct Grouping {
  Ints group_of;          ///< per vertex
  Ints offsets, members;  ///< per group
};

Grouping group(const Graph& g, const Execution& exec) {
  const Index n = g.size();
  Grouping out;
  out.group_of.assign(at(n), -1);
  std::vector<Ints> sizes(at(kTasks)), members(at(kTasks));
  parallel_for(exec, kTasks, [&](Index task) {  // groups stay inside a range, so ranges don't wait for each other
    const auto first = static_cast<std::int32_t>(n * task / kTasks),
               last = static_cast<std::int32_t>(n * (task + 1) / kTasks);
    if (first == last) return;
    Ints mark(at(n), -1);
    std::vector<std::pair<float, std::int32_t>> near;
    for (std::int32_t v = first; v < last; ++v) {
      if (out.group_of[at(v)] >= 0) continue;
      const auto name = static_cast<std::int32_t>(sizes[at(task)].size());
      out.group_of[at(v)] = name;
      for (auto u = g.begin(v); u != g.end(v); ++u) mark[at(*u)] = v;
      near.clear();
      for (auto u = g.begin(v); u != g.end(v); ++u) {
        if (*u < first || *u >= last || out.group_of[at(*u)] >= 0) continue;
        std::int32_t common = 0;
        for (auto t = g.begin(*u); t != g.end(*u); ++t) common += mark[at(*t)] == v ? 1 : 0;
        near.emplace_back(-static_cast<float>(common) / static_cast<float>(g.degree(*u) + g.degree(v)), *u);
      }
      const std::size_t more = std::min(kGroup - 1, near.size());
      std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(more), near.end());
      members[at(task)].push_back(v);
      for (std::size_t k = 0; k < more; ++k) {
        out.group_of[at(near[k].second)] = name;
        members[at(task)].push_back(near[k].second);
      }
      sizes[at(task)].push_back(static_cast<std::int32_t>(more) + 1);
    }
  });
  out.offsets.assign(1, 0);
  for (Index task = 0; task < kTasks; ++task) {
    const auto before = static_cast<std::int32_t>(out.offsets.size() - 1);
    for (Index v = n * task / kTasks; v < n * (task + 1) / kTasks; ++v) out.group_of[at(v)] += before;
    for (const std::int32_t size : sizes[at(task)]) out.offsets.push_back(out.offsets.back() + size);
    out.members.insert(out.members.end(), members[at(task)].begin(), members[at(task)].end());
  }
  return out;
}

/// The graph of groups: two are neighbors where members are.
Graph quotient(const Graph& g, const Grouping& grouping, const Execution& exec) {
  const Index groups = std::ssize(grouping.offsets) - 1;
  std::vector<Ints> parts(at(kTasks));
  Graph out;
  out.offsets.assign(at(groups) + 1, 0);
  parallel_for(exec, kTasks, [&](Index task) {
    Ints mark(at(groups), -1);
    for (Index s = groups * task / kTasks; s < groups * (task + 1) / kTasks; ++s) {
      const std::size_t before = parts[at(task)].size();
      for (std::int32_t m = grouping.offsets[at(s)]; m < grouping.offsets[at(s) + 1]; ++m)
        for (auto u = g.begin(grouping.members[at(m)]); u != g.end(grouping.members[at(m)]); ++u) {
          const std::int32_t other = grouping.group_of[at(*u)];
          if (mark[at(other)] == s) continue;
          mark[at(other)] = static_cast<std::int32_t>(s);
          parts[at(task)].push_back(other);
        }
      out.offsets[at(s) + 1] = static_cast<std::int32_t>(parts[at(task)].size() - before);
    }
  });
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  for (const Ints& part : parts) out.neighbors.insert(out.neighbors.end(), part.begin(), part.end());
  return out;
}

Ints minimum_degree(const Graph& g) {
  Eigen::SparseMatrix<float> destroyed(g.size(),
                                       g.size());  // neighbors are in no order, so they are copied as they are
  destroyed.resizeNonZeros(std::ssize(g.neighbors));
  std::copy(g.offsets.begin(), g.offsets.end(), destroyed.outerIndexPtr());
  std::copy(g.neighbors.begin(), g.neighbors.end(), destroyed.innerIndexPtr());
  std::fill_n(destroyed.valuePtr(), g.neighbors.size(), 1.0F);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::internal::minimum_degree_ordering(destroyed, order);
  return {order.indices().data(), order.indices().data() + g.size()};
}

}  // namespace

GroupedPattern fill_reducing_order(const SparseSymmetric& a, const Execution& exec) {
  if (a.nonzeros() >= std::int64_t{1} << 30)
    throw DataError("a sparse matrix with 2³⁰ entries or more can't be factored; use fewer neighbors");
  Ints walk = breadth_first(a);
  Graph g = graph_of(a, walk, exec);
  GroupedPattern out;
  if (std::ssize(g.neighbors) < kManyNeighbors * a.size()) {
    out.member_offsets.resize(at(a.size()) + 1);
    std::iota(out.member_offsets.begin(), out.member_offsets.end(), 0);
    out.members = std::move(walk);
  } else {
    Grouping grouping = group(g, exec);
    g = quotient(g, grouping, exec);
    out.member_offsets = std::move(grouping.offsets);
    out.members = std::move(grouping.members);
    for (std::int32_t& member : out.members) member = walk[at(member)];
  }
  out.order = minimum_degree(g);
  out.offsets = std::move(g.offsets);
  out.neighbors = std::move(g.neighbors);
  return out;
}

}  // namespace fewdim
