#include "graph/neighbor_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/remedy.hpp"
#include "graph/connect.hpp"
#include "graph/search/candidates.hpp"

namespace fewdim {

namespace {

void require_k(Index k, Index rows, std::string_view who) {
  if (rows < 2) throw DataError(fmt::format("{}: a neighbor graph needs at least 2 rows; there is {}", who, rows));
  if (k < 1 || k >= rows)
    throw InvalidOption(
        who, "neighbors", std::to_string(k), fmt::format("must be between 1 and {}", rows - 1),
        k < 1 ? raise_option("neighbors") : fmt::format("there are {} rows; {}", rows, lower_option("neighbors")),
        k < 1 ? ErrorKind::usage : ErrorKind::data);
}

void require_radius(double radius, std::string_view who) {
  if (!(radius >= 0.0) || !std::isfinite(radius))
    throw InvalidOption(who, "radius", fmt::format("{}", radius), "must be a number above 0",
                        "take the distance that neighbors have");
}

/// Fills `found` from a matrix, after checking every distance that is read.
template <class T, class Candidates>
void search_matrix(const DenseView<T>& distances, std::string_view who, const Execution& exec, Candidates& found) {
  const Index n = distances.rows;
  std::vector<Index> bad(static_cast<std::size_t>(n), -1);
  parallel_for(exec, n, [&](Index i) {
    for (Index j = 0; j < n; ++j) {
      if (i == j) continue;
      const double d = lower_entry(distances, i, j);
      if (!(d >= 0.0) || !std::isfinite(d)) {
        bad[static_cast<std::size_t>(i)] = j;
        return;
      }
      if (d <= found.bound(i)) found.offer(i, {d, static_cast<std::int32_t>(j)});
    }
  });
  for (Index i = 0; i < n; ++i) {
    const Index j = bad[static_cast<std::size_t>(i)];
    if (j < 0) continue;
    throw DataError(fmt::format("{}: the distance between objects {} and {} is {}; distances are numbers of 0 or more",
                                who, std::min(i, j) + 1, std::max(i, j) + 1, lower_entry(distances, i, j)));
  }
}

template <class T>
NeighborLists nearest_in_matrix(const DenseView<T>& distances, Index k, std::string_view who, const Execution& exec) {
  NearestCandidates found(distances.rows, k);
  search_matrix(distances, who, exec, found);
  return found.finish(exec);
}

/// The lists of the rows that were kept, with the bridges, in the numbers of the vertices.
NeighborLists choices_of(const NeighborGraph& graph, NeighborLists lists) {
  if (graph.kept.empty() && graph.bridges.empty()) return lists;
  std::vector<std::int32_t> vertex_of(static_cast<std::size_t>(lists.rows()));
  std::iota(vertex_of.begin(), vertex_of.end(), 0);
  for (std::size_t v = 0; v < graph.kept.size(); ++v)
    vertex_of[static_cast<std::size_t>(graph.kept[v])] = static_cast<std::int32_t>(v);
  std::vector<std::vector<Candidate>> beside(static_cast<std::size_t>(graph.vertices()));
  for (const Link& bridge : graph.bridges) {
    beside[static_cast<std::size_t>(bridge.first)].push_back({bridge.length, bridge.second});
    beside[static_cast<std::size_t>(bridge.second)].push_back({bridge.length, bridge.first});
  }
  NeighborLists out;
  std::vector<Candidate> row;
  for (std::size_t v = 0; v < beside.size(); ++v) {
    const std::size_t from = graph.kept.empty() ? v : static_cast<std::size_t>(graph.kept[v]);
    row = beside[v];
    for (auto e = static_cast<std::size_t>(lists.offsets[from]); e < static_cast<std::size_t>(lists.offsets[from + 1]);
         ++e)
      row.push_back({lists.distances[e], vertex_of[static_cast<std::size_t>(lists.indices[e])]});
    std::sort(row.begin(), row.end());
    for (const Candidate& c : row) out.indices.push_back(c.index), out.distances.push_back(c.distance);
    out.offsets.push_back(std::ssize(out.indices));
  }
  return out;
}

/// The k nearest of each row, and how far each reaches, from lists of the k + 1 nearest.
struct Chosen {
  NeighborLists lists{};
  std::vector<double> reach{};  ///< of all rows
  std::vector<bool> tied{};
};

Chosen cut(const NeighborLists& lists, Index k) {
  Chosen out;
  out.lists.indices.reserve(lists.indices.size());
  out.lists.distances.reserve(lists.indices.size());
  for (Index i = 0; i < lists.rows(); ++i) {
    const auto first = static_cast<std::size_t>(lists.offsets[static_cast<std::size_t>(i)]),
               last = static_cast<std::size_t>(lists.offsets[static_cast<std::size_t>(i) + 1]),
               end = std::min(last, first + static_cast<std::size_t>(k));
    out.lists.indices.insert(out.lists.indices.end(), lists.indices.begin() + static_cast<std::ptrdiff_t>(first),
                             lists.indices.begin() + static_cast<std::ptrdiff_t>(end));
    out.lists.distances.insert(out.lists.distances.end(), lists.distances.begin() + static_cast<std::ptrdiff_t>(first),
                               lists.distances.begin() + static_cast<std::ptrdiff_t>(end));
    out.lists.offsets.push_back(std::ssize(out.lists.indices));
    const double chosen = lists.distances[end - 1], next = end < last ? lists.distances[end] : chosen;
    out.reach.push_back(0.5 * chosen + 0.5 * next);
    out.tied.push_back(end < last && next == chosen);
  }
  return out;
}

/// The graph of the lists, connected as the policy has it.
NeighborGraph connected(Chosen chosen, const SearchTrace& trace, const Neighborhood& neighborhood,
                        const Remedies& remedies, bool choices, std::string_view who, const Execution& exec) {
  NeighborGraph graph = symmetric_graph(chosen.lists, exec);
  graph.trace = trace;
  graph = connect(std::move(graph), neighborhood, remedies, who);
  if (choices) graph.choices = choices_of(graph, std::move(chosen.lists));
  if (chosen.reach.empty()) return graph;
  for (Index v = 0; v < graph.vertices(); ++v) {
    const auto row = static_cast<std::size_t>(graph.kept.empty() ? v : graph.kept[static_cast<std::size_t>(v)]);
    graph.reach.push_back(chosen.reach[row]);
    graph.ties += chosen.tied[row] ? 1 : 0;
  }
  return graph;
}

/// The k nearest of each row by `search`, which is asked for one more where a reach is wanted.
template <class Search>
Chosen nearest_chosen(const Neighborhood& neighborhood, Index rows, bool reach, const Search& search) {
  const Index k = neighborhood.k;
  if (!reach || neighborhood.search == NeighborSearch::approximate) return {.lists = search(k)};
  return cut(search(std::min(k + 1, rows - 1)), k);
}

}  // namespace

NeighborGraph symmetric_graph(const NeighborLists& lists, const Execution& exec) {
  const auto n = static_cast<std::size_t>(lists.rows());
  // Those that chose a row, rising as they are come by.
  std::vector<std::int64_t> from(n + 1, 0);
  for (const std::int32_t j : lists.indices) ++from[static_cast<std::size_t>(j) + 1];
  for (std::size_t i = 0; i < n; ++i) from[i + 1] += from[i];
  std::vector<Candidate> choosers(lists.indices.size());
  std::vector<std::int64_t> next(from.begin(), from.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    for (auto e = static_cast<std::size_t>(lists.offsets[i]); e < static_cast<std::size_t>(lists.offsets[i + 1]); ++e)
      choosers[static_cast<std::size_t>(next[static_cast<std::size_t>(lists.indices[e])]++)] = {
          lists.distances[e], static_cast<std::int32_t>(i)};

  // Each row's own choice, sorted, and its choosers become one list; who is in both counts once.
  const auto by_index = [](const Candidate& a, const Candidate& b) { return a.index < b.index; };
  std::vector<std::vector<Candidate>> merged(
      static_cast<std::size_t>((lists.rows() + kRowsPerListTask - 1) / kRowsPerListTask));
  NeighborGraph graph;
  graph.offsets.resize(n + 1);
  const auto over_rows = [&](const auto& visit) {
    parallel_for(exec, std::ssize(merged), [&](Index task) {
      const auto first = static_cast<std::size_t>(task * kRowsPerListTask);
      visit(static_cast<std::size_t>(task), first, std::min(n, first + static_cast<std::size_t>(kRowsPerListTask)));
    });
  };
  over_rows([&](std::size_t task, std::size_t first, std::size_t last) {
    std::vector<Candidate> own;
    merged[task].reserve(
        static_cast<std::size_t>(lists.offsets[last] - lists.offsets[first] + from[last] - from[first]));
    for (std::size_t i = first; i < last; ++i) {
      own.clear();
      for (auto e = static_cast<std::size_t>(lists.offsets[i]); e < static_cast<std::size_t>(lists.offsets[i + 1]); ++e)
        own.push_back({lists.distances[e], lists.indices[e]});
      std::sort(own.begin(), own.end(), by_index);
      const std::size_t before = merged[task].size();
      std::set_union(own.begin(), own.end(), choosers.begin() + from[i], choosers.begin() + from[i + 1],
                     std::back_inserter(merged[task]), by_index);
      graph.offsets[i + 1] = static_cast<std::int64_t>(merged[task].size() - before);
    }
  });
  for (std::size_t i = 0; i < n; ++i) graph.offsets[i + 1] += graph.offsets[i];
  graph.targets.resize(static_cast<std::size_t>(graph.offsets[n]));
  graph.lengths.resize(graph.targets.size());
  over_rows([&](std::size_t task, std::size_t first, std::size_t) {
    auto at = static_cast<std::size_t>(graph.offsets[first]);
    for (const Candidate& c : merged[task]) graph.targets[at] = c.index, graph.lengths[at++] = c.distance;
  });
  return graph;
}

template <class C>
NeighborGraph neighbor_graph(const MetricRows<C>& points, const Neighborhood& neighborhood, std::string_view who,
                             const Execution& exec, GraphExtras extras) {
  require_radius(neighborhood.radius, who);
  require_k(neighborhood.radius > 0.0 ? 1 : neighborhood.k, points.rows, who);
  Remedies remedies{.outward_links = outward_links_of(points, who, exec), .largest_k = points.rows - 1};
  SearchTrace trace;
  if (neighborhood.radius > 0.0)
    return connected({.lists = neighbors_within(points, neighborhood.radius, neighborhood.search, who, exec)}, trace,
                     neighborhood, remedies, extras.choices, who, exec);
  Chosen chosen = nearest_chosen(neighborhood, points.rows, extras.reach, [&](Index k) {
    return nearest_neighbors(points, k, neighborhood.search, who, exec, &trace);
  });
  remedies.nearest = [&](Index k) { return nearest_neighbors(points, k, neighborhood.search, who, exec); };
  return connected(std::move(chosen), trace, neighborhood, remedies, extras.choices, who, exec);
}

template <class T>
NeighborGraph neighbor_graph(const DenseView<T>& distances, const Neighborhood& neighborhood, std::string_view who,
                             const Execution& exec, GraphExtras extras) {
  if (distances.rows != distances.cols)
    throw DataError(
        fmt::format("{}: distances must be a square matrix; this one is {}x{}", who, distances.rows, distances.cols));
  require_radius(neighborhood.radius, who);
  require_k(neighborhood.radius > 0.0 ? 1 : neighborhood.k, distances.rows, who);
  Remedies remedies{.outward_links = outward_links_of(distances, exec), .largest_k = distances.rows - 1};
  if (neighborhood.radius > 0.0) {
    RadiusCandidates found(distances.rows, neighborhood.radius);
    search_matrix(distances, who, exec, found);
    return connected({.lists = found.finish(exec)}, {}, neighborhood, remedies, extras.choices, who, exec);
  }
  remedies.nearest = [&](Index k) { return nearest_in_matrix(distances, k, who, exec); };
  return connected(nearest_chosen(neighborhood, distances.rows, extras.reach, remedies.nearest), {}, neighborhood,
                   remedies, extras.choices, who, exec);
}

#define FEWDIM_INSTANTIATE(C)                                                                                          \
  template NeighborGraph neighbor_graph(const MetricRows<C>&, const Neighborhood&, std::string_view, const Execution&, \
                                        GraphExtras);                                                                  \
  template NeighborGraph neighbor_graph(const DenseView<C>&, const Neighborhood&, std::string_view, const Execution&,  \
                                        GraphExtras);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
