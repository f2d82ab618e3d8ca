#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/table/block.hpp"
#include "data/table/first_place.hpp"
#include "links/storage.hpp"

namespace fewdim {

namespace {

constexpr Index vertices_a_task = 4096;

Index tasks_of(Index vertices) { return (vertices + vertices_a_task - 1) / vertices_a_task; }

/// Groups of links that count and place theirs side by side, with one counter a vertex each.
std::int64_t group_count(Index vertices, std::int64_t links) {
  return std::clamp<std::int64_t>(links / (2 * vertices + 65536), 1, 8);
}

/// Calls use(from, to, e) for each link in [first, last), both ways where the graph is undirected.
template <class Use>
void each_link(const LinkList& list, bool undirected, std::int64_t first, std::int64_t last, Use&& use) {
  const std::int32_t *from = list.from.get(), *to = list.to.get();
  if (list.weights) {
    const double* weights = list.weights.get();
    for (std::int64_t e = first; e < last; ++e) {
      if (weights[e] == 0.0) continue;
      use(from[e], to[e], e);
      if (undirected && from[e] != to[e]) use(to[e], from[e], e);
    }
    return;
  }
  for (std::int64_t e = first; e < last; ++e) {
    use(from[e], to[e], e);
    if (undirected && from[e] != to[e]) use(to[e], from[e], e);
  }
}

/// A stable counting sort by target: groups of links, in the order of the input, place theirs side by side.
void place_by_target(const LinkList& list, LinkGraph::Storage& graph, const Execution& exec) {
  const auto vertices = static_cast<std::size_t>(graph.vertices);
  const std::int64_t groups = group_count(graph.vertices, list.count);
  const std::int64_t length = (list.count + groups - 1) / groups;
  std::vector<std::vector<std::int64_t>> next(static_cast<std::size_t>(groups));
  const auto each_of_group = [&](Index group, auto&& use) {
    each_link(list, graph.undirected, group * length, std::min(list.count, (group + 1) * length), use);
  };
  parallel_for(exec, groups, [&](Index group) {
    auto& counts = next[static_cast<std::size_t>(group)];
    counts.assign(vertices, 0);
    each_of_group(group, [&](std::int32_t, std::int32_t to, std::int64_t) { ++counts[static_cast<std::size_t>(to)]; });
  });
  graph.offsets = make_large_array<std::int64_t>(vertices + 1);
  std::int64_t place = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    graph.offsets[v] = place;
    for (auto& counts : next) place += std::exchange(counts[v], place);
  }
  graph.offsets[vertices] = place;
  graph.sources = make_large_array<std::int32_t>(static_cast<std::size_t>(place));
  if (list.weights) graph.weights = make_large_array<double>(static_cast<std::size_t>(place));
  std::int32_t* sources = graph.sources.get();
  double* weights = graph.weights.get();
  parallel_for(exec, groups, [&](Index group) {
    std::int64_t* places = next[static_cast<std::size_t>(group)].data();
    each_of_group(group, [&](std::int32_t from, std::int32_t to, std::int64_t e) {
      const std::int64_t at = places[to]++;
      sources[at] = from;
      if (weights) weights[at] = list.weights[static_cast<std::size_t>(e)];
    });
  });
}

/// Sorts each row by source, those of one source in the order of the input, and counts the repeats of each task.
std::vector<std::int64_t> sort_rows(LinkGraph::Storage& graph, const Execution& exec) {
  std::vector<std::int64_t> repeats(static_cast<std::size_t>(tasks_of(graph.vertices)), 0);
  parallel_for(exec, std::ssize(repeats), [&](Index task) {
    std::vector<std::pair<std::int32_t, double>> scratch;
    const Index last = std::min(graph.vertices, (task + 1) * vertices_a_task);
    for (Index v = task * vertices_a_task; v < last; ++v) {
      const std::int64_t begin = graph.offsets[static_cast<std::size_t>(v)];
      const std::int64_t count = graph.offsets[static_cast<std::size_t>(v) + 1] - begin;
      std::int32_t* sources = graph.sources.get() + begin;
      if (!std::is_sorted(sources, sources + count)) {
        if (!graph.weights) {
          std::sort(sources, sources + count);
        } else {
          double* weights = graph.weights.get() + begin;
          scratch.clear();
          for (std::int64_t e = 0; e < count; ++e) scratch.emplace_back(sources[e], weights[e]);
          std::stable_sort(scratch.begin(), scratch.end(),
                           [](const auto& a, const auto& b) { return a.first < b.first; });
          for (std::int64_t e = 0; e < count; ++e)
            std::tie(sources[e], weights[e]) = scratch[static_cast<std::size_t>(e)];
        }
      }
      for (std::int64_t e = 1; e < count; ++e) repeats[static_cast<std::size_t>(task)] += sources[e] == sources[e - 1];
    }
  });
  return repeats;
}

[[noreturn]] void refuse_repeat(const LinkGraph::Storage& graph, const std::string& source) {
  for (Index v = 0; v < graph.vertices; ++v) {
    const auto begin = graph.sources.get() + graph.offsets[static_cast<std::size_t>(v)];
    const auto end = graph.sources.get() + graph.offsets[static_cast<std::size_t>(v) + 1];
    const auto found = std::adjacent_find(begin, end);
    if (found != end)
      throw DataError(fmt::format("{}: the link from '{}' to '{}' is listed twice; remove one, or use {} or {}", source,
                                  graph.names.of(*found), graph.names.of(v), set_option("repeats", "sum"),
                                  set_option("repeats", "first")));
  }
  throw Error(ErrorKind::internal, "a repeated link that isn't there");
}

/// Makes one link of repeats; a list without weights gets them, as a link that comes twice counts twice.
void merge_repeats(LinkGraph::Storage& graph, RepeatedLinks policy) {
  const auto links = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(graph.vertices)]);
  if (!graph.weights && policy == RepeatedLinks::sum) {
    graph.weights = make_large_array<double>(links);
    std::fill_n(graph.weights.get(), links, 1.0);
  }
  double* weights = graph.weights.get();
  std::int64_t next = 0;
  for (std::size_t v = 0; v < static_cast<std::size_t>(graph.vertices); ++v) {
    const std::int64_t begin = graph.offsets[v], end = graph.offsets[v + 1];
    graph.offsets[v] = next;
    for (std::int64_t e = begin; e < end; ++e) {
      if (e > begin && graph.sources[next - 1] == graph.sources[e]) {
        if (policy == RepeatedLinks::sum) weights[next - 1] += weights[e];
        continue;
      }
      graph.sources[next] = graph.sources[e];
      if (weights) weights[next] = weights[e];
      ++next;
    }
  }
  graph.offsets[static_cast<std::size_t>(graph.vertices)] = next;
}

void sum_outgoing(LinkGraph::Storage& graph) {
  const auto vertices = static_cast<std::size_t>(graph.vertices);
  const std::int64_t links = graph.offsets[vertices];
  graph.outgoing = make_large_array<double>(vertices);
  double* outgoing = graph.outgoing.get();
  const std::int32_t* sources = graph.sources.get();
  if (graph.weights) {
    std::fill_n(outgoing, vertices, 0.0);
    for (std::int64_t e = 0; e < links; ++e) outgoing[sources[e]] += graph.weights[e];
    return;
  }
  std::vector<std::uint32_t> counts(vertices, 0);
  for (std::int64_t e = 0; e < links; ++e) ++counts[static_cast<std::size_t>(sources[e])];
  std::copy(counts.begin(), counts.end(), outgoing);
}

bool all_ones(const LinkList& list, const Execution& exec) {
  constexpr std::int64_t step = std::int64_t{1} << 20;
  FirstPlace other;
  parallel_for(exec, (list.count + step - 1) / step, [&](Index task) {
    const double* begin = list.weights.get() + task * step;
    const double* end = list.weights.get() + std::min(list.count, (task + 1) * step);
    if (std::any_of(begin, end, [](double w) { return w != 1.0; })) other.note(task);
  });
  return !other.any();
}

}  // namespace

LinkList LinkList::with_room_for(std::size_t count, bool weighted) {
  LinkList list{make_large_array<std::int32_t>(count), make_large_array<std::int32_t>(count), {}, 0};
  if (weighted) list.weights = make_large_array<double>(count);
  return list;
}

void require_vertex_count(std::uint64_t vertices, const std::string& source) {
  if (vertices > INT32_MAX)
    throw DataError(fmt::format("{}: {} vertices, where 2^31 - 1 are the most that can be ranked", source, vertices));
}

std::string weight_fault(double weight) {
  if (weight == 0.0 || (weight >= 1e-60 && weight <= 1e60)) return {};
  if (std::isnan(weight)) return "the weight is not a number; a link has a weight, or no link is there";
  if (weight < 0.0) return fmt::format("the weight {} is negative; ranking needs weights of 0 or more", weight);
  if (std::isinf(weight)) return "the weight is infinite; ranking needs finite weights";
  return fmt::format("the weight {} is outside 1e-60 .. 1e60; scale the weights", weight);
}

LinkGraph build_links(Index vertices, LinkList&& list, const LinkOptions& options, VertexNames names,
                      const std::string& source, const Execution& exec) {
  if (vertices == 0) throw DataError(fmt::format("{}: there is no link in it, and no vertex to rank", source));
  require_vertex_count(static_cast<std::uint64_t>(vertices), source);
  auto graph = std::make_shared<LinkGraph::Storage>();
  graph->vertices = vertices;
  graph->names = std::move(names);
  graph->undirected = options.undirected;
  if (list.weights && all_ones(list, exec)) list.weights.reset();
  const auto links = static_cast<std::uint64_t>(list.count) * (options.undirected ? 2 : 1);
  const auto groups = static_cast<std::uint64_t>(group_count(vertices, list.count));
  require_memory(exec, links * (list.weights ? 12 : 4) + static_cast<std::uint64_t>(vertices) * 8 * (groups + 3),
                 fmt::format("{}: sorting {} links", source, list.count), raise_option("memory_limit"));
  place_by_target(list, *graph, exec);
  list = {};
  const std::vector<std::int64_t> repeats = sort_rows(*graph, exec);
  for (const std::int64_t count : repeats) graph->repeated += count;
  if (graph->repeated > 0) {
    if (options.repeats == RepeatedLinks::error) refuse_repeat(*graph, source);
    merge_repeats(*graph, options.repeats);
  }
  sum_outgoing(*graph);
  return LinkGraph(std::move(graph));
}

}  // namespace fewdim
