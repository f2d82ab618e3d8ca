#include "graph/geodesics.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <mutex>

#include "base/parallel.hpp"
#include "data/block.hpp"
#include "graph/dijkstra.hpp"

namespace fewdim {

namespace {

/// Vertices in order of a breadth-first walk, so that neighbors lie near each other in memory.
std::vector<std::int32_t> walk(const NeighborGraph& graph) {
  const Index n = graph.vertices();
  std::vector<std::int32_t> order;
  order.reserve(static_cast<std::size_t>(n));
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  for (Index start = 0; start < n; ++start) {
    if (seen[static_cast<std::size_t>(start)]) continue;
    seen[static_cast<std::size_t>(start)] = true;
    order.push_back(static_cast<std::int32_t>(start));
    for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
      const auto v = static_cast<std::size_t>(order[at]);
      for (std::int64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
        const std::int32_t u = graph.targets[static_cast<std::size_t>(e)];
        if (seen[static_cast<std::size_t>(u)]) continue;
        seen[static_cast<std::size_t>(u)] = true;
        order.push_back(u);
      }
    }
  }
  return order;
}

/// The graph with its vertices renumbered by the walk.
template <class C>
struct Renumbered {
  std::vector<std::int32_t> original{};  ///< new to old
  std::vector<std::int32_t> number{};    ///< old to new
  EdgeLists<C> graph{};

  explicit Renumbered(const NeighborGraph& from) : original(walk(from)) {
    number.resize(original.size());
    for (std::size_t v = 0; v < original.size(); ++v)
      number[static_cast<std::size_t>(original[v])] = static_cast<std::int32_t>(v);
    graph.offsets.push_back(0);
    graph.edges.reserve(from.targets.size());
    for (const std::int32_t old : original) {
      const auto v = static_cast<std::size_t>(old);
      for (auto e = static_cast<std::size_t>(from.offsets[v]); e < static_cast<std::size_t>(from.offsets[v + 1]); ++e)
        graph.edges.push_back({number[static_cast<std::size_t>(from.targets[e])], static_cast<C>(from.lengths[e])});
      graph.offsets.push_back(std::ssize(graph.edges));
    }
  }
};

/// Cuts the sources into groups that lie close together: the first one left, and those nearest to it by hops.
/// `position` says which source a vertex is, −1 for none.
template <class C>
std::vector<std::vector<std::int32_t>> groups_of(const EdgeLists<C>& graph, std::vector<std::int32_t> position,
                                                 Index size) {
  std::vector<std::vector<std::int32_t>> groups;
  std::vector<std::int32_t> seen(position.size(), -1), queue;
  for (std::int32_t first = 0; first < static_cast<std::int32_t>(position.size()); ++first) {
    if (position[static_cast<std::size_t>(first)] < 0) continue;
    const auto mark = static_cast<std::int32_t>(groups.size());
    auto& group = groups.emplace_back();
    queue.assign(1, first);
    seen[static_cast<std::size_t>(first)] = mark;
    for (std::size_t at = 0; at < queue.size() && std::ssize(group) < size; ++at) {
      const std::int32_t v = queue[at];
      if (position[static_cast<std::size_t>(v)] >= 0) {
        group.push_back(v);
        position[static_cast<std::size_t>(v)] = -1;
      }
      for (const Edge<C>* e = graph.begin(v); e != graph.end(v); ++e)
        if (seen[static_cast<std::size_t>(e->target)] != mark) {
          seen[static_cast<std::size_t>(e->target)] = mark;
          queue.push_back(e->target);
        }
    }
  }
  return groups;
}

/// What one task needs, kept from one group to the next.
template <class C>
struct Workspace {
  explicit Workspace(Index n)
      : labels(make_large_array<C>(static_cast<std::size_t>(n * kSweepLanes<C>))),
        single(static_cast<std::size_t>(n)),
        dirty(static_cast<std::size_t>(n)) {}
  std::shared_ptr<C[]> labels;
  std::vector<C> single;
  std::vector<std::uint8_t> dirty;
  std::vector<std::int32_t> order{};
  Dijkstra<C> search{};
};

/// Groups of so few sources take less time one by one: a group of 32 floats takes that of 3 heap searches on a swiss
/// roll of 10,000 points, of 7 on one of 100,000 (swiss roll, k = 10; all pairs of 10,000 in 0.67 s on two threads).
constexpr std::size_t kOneByOne = 4;

/// Distances from the sources of a group, by sweeps in order of distance from the first of them. Paths from its
/// companions run nearly along that order, so few sweeps are needed; where a path runs against it, the way back helps.
template <class C>
void search_group(const EdgeLists<C>& graph, const std::vector<std::int32_t>& group, Workspace<C>& work) {
  constexpr Index lanes = kSweepLanes<C>;
  const Index n = graph.vertices();
  work.order = work.search.run(graph, group.front(), work.single.data());
  if (std::ssize(work.order) < n)
    for (std::int32_t v = 0; v < n; ++v)
      if (work.single[static_cast<std::size_t>(v)] == std::numeric_limits<C>::infinity()) work.order.push_back(v);
  std::fill_n(work.labels.get(), n * lanes, std::numeric_limits<C>::infinity());
  std::fill(work.dirty.begin(), work.dirty.end(), std::uint8_t{0});
  for (std::size_t lane = 0; lane < group.size(); ++lane)
    work.labels[static_cast<std::size_t>(group[lane]) * lanes + lane] = C(0);
  Index fell = sweep(graph, work.order.data(), true, true, work.dirty.data(), work.labels.get());
  for (bool forward = false; fell > 0; forward = !forward)
    fell = sweep(graph, work.order.data(), forward, false, work.dirty.data(), work.labels.get());
}

/// Writes the labels as rows in the original numbering. A few vertices at a time: each of their lines is then read from
/// memory once, and each row written a line at a time.
template <class C>
void deliver(const Renumbered<C>& here, const Workspace<C>& work, std::span<C* const> out) {
  constexpr Index lanes = kSweepLanes<C>, together = 16;
  const Index n = here.graph.vertices();
  for (Index first = 0; first < n; first += together) {
    const Index count = std::min(together, n - first);
    const C* lines[together];
    for (Index v = 0; v < count; ++v)
      lines[v] = work.labels.get() + here.number[static_cast<std::size_t>(first + v)] * lanes;
    for (std::size_t lane = 0; lane < out.size(); ++lane)
      for (Index v = 0; v < count; ++v) out[lane][first + v] = lines[v][lane];
  }
}

template <class C>
void search_one(const Renumbered<C>& here, std::int32_t source, Workspace<C>& work, C* out) {
  work.search.run(here.graph, source, work.single.data());
  for (std::size_t v = 0; v < here.number.size(); ++v) out[v] = work.single[static_cast<std::size_t>(here.number[v])];
}

}  // namespace

template <class C>
std::uint64_t geodesics_bytes(const NeighborGraph& graph, int threads) {
  const auto n = static_cast<std::uint64_t>(graph.vertices());
  const std::uint64_t workspace = n * (sizeof(C) * (kSweepLanes<C> + 3) + 13);
  return static_cast<std::uint64_t>(threads) * workspace + n * 16 + graph.targets.size() * sizeof(Edge<C>);
}

template <class C>
void geodesics(const NeighborGraph& graph, std::span<const std::int32_t> sources, const GeodesicRow<C>& row,
               const GeodesicDone<C>& done, const Execution& exec) {
  const Renumbered<C> here(graph);
  const Index n = graph.vertices();
  std::vector<std::int32_t> position(static_cast<std::size_t>(n), -1);
  for (std::size_t p = 0; p < sources.size(); ++p) {
    if (sources[p] < 0 || sources[p] >= n)
      throw Error(ErrorKind::internal, fmt::format("geodesics: source {} is none of {} vertices", sources[p], n));
    auto& at = position[static_cast<std::size_t>(here.number[static_cast<std::size_t>(sources[p])])];
    if (at >= 0) throw Error(ErrorKind::internal, fmt::format("geodesics: source {} is there twice", sources[p]));
    at = static_cast<std::int32_t>(p);
  }
  const auto groups = groups_of(here.graph, position, kSweepLanes<C>);

  std::mutex mutex;
  std::vector<std::unique_ptr<Workspace<C>>> spare;
  Index finished = 0;
  parallel_for(exec, std::ssize(groups), [&](Index g) {
    std::unique_ptr<Workspace<C>> work;
    {
      const std::lock_guard lock(mutex);
      if (!spare.empty()) work = std::move(spare.back()), spare.pop_back();
    }
    if (!work) work = std::make_unique<Workspace<C>>(n);
    const auto& group = groups[static_cast<std::size_t>(g)];
    std::array<C*, kSweepLanes<C>> out{};
    for (std::size_t lane = 0; lane < group.size(); ++lane)
      out[lane] = row(position[static_cast<std::size_t>(group[lane])]);
    if (group.size() <= kOneByOne) {
      for (std::size_t lane = 0; lane < group.size(); ++lane) search_one(here, group[lane], *work, out[lane]);
    } else {
      search_group(here.graph, group, *work);
      deliver(here, *work, {out.data(), group.size()});
    }
    if (done)
      for (std::size_t lane = 0; lane < group.size(); ++lane)
        done(position[static_cast<std::size_t>(group[lane])], out[lane]);
    const std::lock_guard lock(mutex);
    spare.push_back(std::move(work));
    finished += std::ssize(group);
    report_progress(exec, "geodesics", finished, std::ssize(sources), "sources");
  });
}

template <class C>
void geodesics_into(const NeighborGraph& graph, std::span<const std::int32_t> sources, C* out, Index stride,
                    const Execution& exec) {
  geodesics<C>(
      graph, sources, [&](Index p) { return out + p * stride; }, {}, exec);
}

#define FEWDIM_INSTANTIATE(C)                                                                         \
  template std::uint64_t geodesics_bytes<C>(const NeighborGraph&, int);                               \
  template void geodesics(const NeighborGraph&, std::span<const std::int32_t>, const GeodesicRow<C>&, \
                          const GeodesicDone<C>&, const Execution&);                                  \
  template void geodesics_into(const NeighborGraph&, std::span<const std::int32_t>, C*, Index, const Execution&);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)

}  // namespace fewdim
