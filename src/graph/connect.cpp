#include "graph/connect.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

constexpr Index kLargestTried = 128;  // a search for the k that connects goes no further

std::string connecting_k(const Neighborhood& neighborhood, const Remedies& remedies) {
  const Index most = std::min(remedies.largest_k, std::max(kLargestTried, neighborhood.k));
  const Index k = smallest_connecting_k(remedies.nearest(most));
  if (k > 0) return fmt::format("use {} or more, ", set_option("neighbors", k));
  return fmt::format("no number up to {} connects it; use ", most);
}

/// Rounded up to four digits, so that the number shown is enough.
std::string enough(double length) {
  if (!(length > 0.0)) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(length)) - 3.0);
  return fmt::format("{:.4g}", std::ceil(length / unit) * unit);
}

[[noreturn]] void refuse(const Parts& parts, const Neighborhood& neighborhood, const Remedies& remedies,
                         std::string_view who) {
  const auto sizes = parts.sizes();
  const bool by_radius = neighborhood.radius > 0.0 && !remedies.nearest;
  std::string setting = "the given graph is",
              remedy = "add edges between them, or use " + set_option("disconnected", "largest");
  if (remedies.nearest) {
    setting = option_is("neighbors", std::to_string(neighborhood.k)) + " leaves the graph";
    remedy = connecting_k(neighborhood, remedies) + set_option("disconnected", "bridge") + ", or " +
             set_option("disconnected", "largest");
  } else if (by_radius && remedies.outward_links) {
    setting = option_is("radius", fmt::format("{}", neighborhood.radius)) + " leaves the graph";
    const double longest = shortest_bridges(parts, remedies.outward_links).back().length;
    remedy = fmt::format("use {} or more, {}, or {}", set_option("radius", enough(longest)),
                         set_option("disconnected", "bridge"), set_option("disconnected", "largest"));
  }
  const auto alone = std::count(sizes.begin(), sizes.end(), Index{1});
  const std::string isolated =
      by_radius && alone > 0 ? fmt::format(", {} of them single rows without a neighbor", alone) : "";
  throw DataError(fmt::format("{}: {} in {}{}; {}", who, setting, describe_parts(sizes), isolated, remedy));
}

}  // namespace

Index smallest_connecting_k(const NeighborLists& lists) {
  Index most = 0;
  for (Index i = 0; i < lists.rows(); ++i)
    most = std::max<Index>(most,
                           lists.offsets[static_cast<std::size_t>(i) + 1] - lists.offsets[static_cast<std::size_t>(i)]);
  Sets sets(lists.rows());
  for (Index k = 1; k <= most; ++k) {
    for (std::int32_t i = 0; i < lists.rows(); ++i) {
      const std::int64_t at = lists.offsets[static_cast<std::size_t>(i)] + k - 1;
      if (at < lists.offsets[static_cast<std::size_t>(i) + 1])
        sets.join(i, lists.indices[static_cast<std::size_t>(at)]);
    }
    if (sets.count() == 1) return k;
  }
  return 0;
}

NeighborGraph connect(NeighborGraph graph, const Neighborhood& neighborhood, const Remedies& remedies,
                      std::string_view who) {
  const Parts parts = parts_of(graph);
  graph.parts = parts.sizes();
  if (parts.members.size() <= 1) return graph;
  if (neighborhood.disconnected == Disconnected::error) refuse(parts, neighborhood, remedies, who);
  NeighborGraph out;
  if (neighborhood.disconnected == Disconnected::bridge) {
    if (!remedies.outward_links)
      throw DataError(
          fmt::format("{}: the given graph is in {}, and has no lengths between them to bridge; add edges, or use {}",
                      who, describe_parts(graph.parts), set_option("disconnected", "largest")));
    std::vector<Link> bridges = shortest_bridges(parts, remedies.outward_links);
    out = add_links(graph, bridges);
    out.bridges = std::move(bridges);
  } else {
    out = restrict_graph(graph, parts.members.front());
    out.kept = parts.members.front();
    for (std::int32_t v = 0; v < graph.vertices(); ++v)
      if (parts.part_of[static_cast<std::size_t>(v)] != 0) out.left_out.push_back(v);
  }
  out.parts = std::move(graph.parts);
  out.trace = graph.trace;
  return out;
}

}  // namespace fewdim
