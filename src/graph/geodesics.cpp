#include "graph/geodesics.hpp"

#include <fmt/format.h>

#include <array>

#include "base/parallel.hpp"
#include "data/table/block.hpp"
#include "graph/dijkstra.hpp"
#include "graph/search/search_order.hpp"

namespace fewdim {

namespace {

void require_starts(const NeighborLists& starts, Index vertices) {
  for (Index p = 0; p < starts.rows(); ++p)
    if (starts.offsets[static_cast<std::size_t>(p)] == starts.offsets[static_cast<std::size_t>(p) + 1])
      throw Error(ErrorKind::internal, fmt::format("geodesics: source {} begins nowhere", p));
  for (const std::int32_t v : starts.indices)
    if (v < 0 || v >= vertices)
      throw Error(ErrorKind::internal, fmt::format("geodesics: source {} is none of {} vertices", v, vertices));
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
void search_group(const EdgeLists<C>& graph, const EdgeLists<C>& starts, const std::vector<std::int32_t>& group,
                  Workspace<C>& work) {
  constexpr Index lanes = kSweepLanes<C>;
  const Index n = graph.vertices();
  work.order = work.search.run(graph, starts.begin(group.front()), starts.end(group.front()), work.single.data());
  if (std::ssize(work.order) < n)
    for (std::int32_t v = 0; v < n; ++v)
      if (work.single[static_cast<std::size_t>(v)] == std::numeric_limits<C>::infinity()) work.order.push_back(v);
  std::fill_n(work.labels.get(), n * lanes, std::numeric_limits<C>::infinity());
  std::fill(work.dirty.begin(), work.dirty.end(), std::uint8_t{0});
  for (std::size_t lane = 0; lane < group.size(); ++lane)
    for (const Edge<C>* e = starts.begin(group[lane]); e != starts.end(group[lane]); ++e) {
      C& label = work.labels[static_cast<std::size_t>(e->target) * lanes + lane];
      label = std::min(label, e->length);
    }
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
void search_one(const Renumbered<C>& here, const EdgeLists<C>& starts, std::int32_t source, Workspace<C>& work,
                C* out) {
  work.search.run(here.graph, starts.begin(source), starts.end(source), work.single.data());
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
void geodesics(const NeighborGraph& graph, const NeighborLists& starts, const GeodesicRow<C>& row,
               const GeodesicDone<C>& done, const Execution& exec) {
  const Index n = graph.vertices();
  require_starts(starts, n);
  const Renumbered<C> here(graph);
  const EdgeLists<C> from = renumbered_starts<C>(starts, here.number);
  const auto groups = groups_of(here.graph, from, kSweepLanes<C>);

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
    for (std::size_t lane = 0; lane < group.size(); ++lane) out[lane] = row(group[lane]);
    if (group.size() <= kOneByOne) {
      for (std::size_t lane = 0; lane < group.size(); ++lane) search_one(here, from, group[lane], *work, out[lane]);
    } else {
      search_group(here.graph, from, group, *work);
      deliver(here, *work, {out.data(), group.size()});
    }
    if (done)
      for (std::size_t lane = 0; lane < group.size(); ++lane) done(group[lane], out[lane]);
    const std::lock_guard lock(mutex);
    spare.push_back(std::move(work));
    finished += std::ssize(group);
    report_progress(exec, "geodesics", finished, starts.rows(), "sources");
  });
}

template <class C>
void geodesics(const NeighborGraph& graph, std::span<const std::int32_t> sources, const GeodesicRow<C>& row,
               const GeodesicDone<C>& done, const Execution& exec) {
  NeighborLists starts;
  for (const std::int32_t source : sources) {
    starts.indices.push_back(source);
    starts.distances.push_back(0.0);
    starts.offsets.push_back(std::ssize(starts.indices));
  }
  geodesics(graph, starts, row, done, exec);
}

template <class C>
void geodesics_into(const NeighborGraph& graph, std::span<const std::int32_t> sources, C* out, Index stride,
                    const Execution& exec) {
  geodesics<C>(
      graph, sources, [&](Index p) { return out + p * stride; }, {}, exec);
}

#define FEWDIM_INSTANTIATE(C)                                                                                        \
  template std::uint64_t geodesics_bytes<C>(const NeighborGraph&, int);                                              \
  template void geodesics(const NeighborGraph&, std::span<const std::int32_t>, const GeodesicRow<C>&,                \
                          const GeodesicDone<C>&, const Execution&);                                                 \
  template void geodesics(const NeighborGraph&, const NeighborLists&, const GeodesicRow<C>&, const GeodesicDone<C>&, \
                          const Execution&);                                                                         \
  template void geodesics_into(const NeighborGraph&, std::span<const std::int32_t>, C*, Index, const Execution&);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
