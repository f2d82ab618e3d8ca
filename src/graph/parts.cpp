#include "graph/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fewdim {

std::vector<Index> Parts::sizes() const {
  std::vector<Index> out;
  for (const auto& part : members) out.push_back(std::ssize(part));
  return out;
}

Parts parts_of(Sets& sets, Index vertices) {
  Parts parts;
  std::vector<std::int32_t> number(static_cast<std::size_t>(vertices), -1);
  for (std::int32_t v = 0; v < vertices; ++v) {
    auto& at = number[static_cast<std::size_t>(sets.of(v))];
    if (at < 0) {
      at = static_cast<std::int32_t>(parts.members.size());
      parts.members.emplace_back();
    }
    parts.members[static_cast<std::size_t>(at)].push_back(v);
  }
  std::stable_sort(parts.members.begin(), parts.members.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  parts.part_of.resize(static_cast<std::size_t>(vertices));
  for (std::size_t p = 0; p < parts.members.size(); ++p)
    for (const std::int32_t v : parts.members[p]) parts.part_of[static_cast<std::size_t>(v)] = static_cast<int>(p);
  return parts;
}

Parts parts_of(const NeighborGraph& graph) {
  Sets sets(graph.vertices());
  for (std::int32_t v = 0; v < graph.vertices(); ++v)
    for (auto e = graph.offsets[static_cast<std::size_t>(v)]; e < graph.offsets[static_cast<std::size_t>(v) + 1]; ++e)
      sets.join(v, graph.targets[static_cast<std::size_t>(e)]);
  return parts_of(sets, graph.vertices());
}

std::string describe_parts(const std::vector<Index>& sizes) {
  constexpr std::size_t shown = 8;
  const std::vector<Index> first(sizes.begin(), sizes.begin() + std::min<std::ptrdiff_t>(shown, std::ssize(sizes)));
  return fmt::format("{} part{} (sizes {}{})", sizes.size(), sizes.size() == 1 ? "" : "s", fmt::join(first, ", "),
                     sizes.size() > shown ? ", …" : "");
}

NeighborGraph restrict_graph(const NeighborGraph& graph, const std::vector<std::int32_t>& vertices) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(graph.vertices()), -1);
  for (std::size_t v = 0; v < vertices.size(); ++v)
    number[static_cast<std::size_t>(vertices[v])] = static_cast<std::int32_t>(v);
  NeighborGraph out;
  for (const std::int32_t v : vertices) {
    for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v)]);
         e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v) + 1]); ++e) {
      const std::int32_t target = number[static_cast<std::size_t>(graph.targets[e])];
      if (target < 0) continue;
      out.targets.push_back(target);
      out.lengths.push_back(graph.lengths[e]);
    }
    out.offsets.push_back(std::ssize(out.targets));
  }
  return out;
}

NeighborGraph add_links(const NeighborGraph& graph, const std::vector<Link>& links) {
  struct Half {
    std::int32_t from, to;
    double length;
  };
  std::vector<Half> halves;
  for (const Link& link : links) {
    halves.push_back({link.first, link.second, link.length});
    halves.push_back({link.second, link.first, link.length});
  }
  std::sort(halves.begin(), halves.end(),
            [](const Half& a, const Half& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  NeighborGraph out;
  std::size_t next = 0;
  for (std::int32_t v = 0; v < graph.vertices(); ++v) {
    auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v)]);
    const auto end = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v) + 1]);
    while (e < end || (next < halves.size() && halves[next].from == v)) {
      const bool added =
          next < halves.size() && halves[next].from == v && (e == end || halves[next].to < graph.targets[e]);
      out.targets.push_back(added ? halves[next].to : graph.targets[e]);
      out.lengths.push_back(added ? halves[next].length : graph.lengths[e]);
      if (added)
        ++next;
      else
        ++e;
    }
    out.offsets.push_back(std::ssize(out.targets));
  }
  return out;
}

NeighborGraph graph_of(Index vertices, const std::vector<Link>& links) {
  NeighborGraph bare;
  bare.offsets.assign(static_cast<std::size_t>(vertices) + 1, 0);
  return add_links(bare, links);
}

std::vector<Link> links_of(const NeighborGraph& graph) {
  std::vector<Link> out;
  out.reserve(graph.targets.size() / 2);
  for (std::int32_t v = 0; v < graph.vertices(); ++v)
    for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v)]);
         e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v) + 1]); ++e)
      if (graph.targets[e] > v) out.push_back({v, graph.targets[e], graph.lengths[e]});
  return out;
}

}  // namespace fewdim
