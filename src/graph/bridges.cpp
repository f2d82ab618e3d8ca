#include "graph/bridges.hpp"

#include <string>

#include "graph/search/candidates.hpp"
#include "graph/search/product_search.hpp"

namespace fewdim {

namespace {

bool shorter(const Link& a, const Link& b) {
  if (a.length != b.length) return a.length < b.length;
  return std::pair(a.first, a.second) < std::pair(b.first, b.second);
}

Link link_of(std::int32_t a, std::int32_t b, double length) { return {std::min(a, b), std::max(a, b), length}; }

/// Vertices of all parts but the first.
std::vector<std::int32_t> rest_of(const Parts& parts) {
  std::vector<std::int32_t> rest;
  for (std::size_t p = 1; p < parts.members.size(); ++p)
    rest.insert(rest.end(), parts.members[p].begin(), parts.members[p].end());
  return rest;
}

/// The best of each part's links; nearest(v) is that of rest[v].
template <class Nearest>
std::vector<Link> best_of_parts(const Parts& parts, const std::vector<std::int32_t>& rest, Nearest nearest) {
  std::vector<Link> best(parts.members.size() - 1, {0, 0, std::numeric_limits<double>::infinity()});
  for (std::size_t v = 0; v < rest.size(); ++v) {
    Link& so_far = best[static_cast<std::size_t>(parts.part_of[static_cast<std::size_t>(rest[v])]) - 1];
    const Candidate& c = nearest(static_cast<Index>(v));
    const Link link = link_of(rest[v], c.index, c.distance);
    if (c.index >= 0 && (so_far.first == so_far.second || shorter(link, so_far))) so_far = link;
  }
  return best;
}

}  // namespace

std::vector<Link> shortest_bridges(const Parts& parts, const OutwardLinks& outward_links) {
  const Index n = std::ssize(parts.part_of);
  Sets sets(n);
  for (const auto& members : parts.members)
    for (const std::int32_t v : members) sets.join(members.front(), v);
  std::vector<Link> bridges;
  while (sets.count() > 1) {
    for (const Link& link : outward_links(parts_of(sets, n)))
      if (sets.join(link.first, link.second)) bridges.push_back(link);
  }
  std::sort(bridges.begin(), bridges.end(), shorter);
  return bridges;
}

template <class C>
OutwardLinks outward_links_of(const MetricRows<C>& points, std::string_view who, const Execution& exec) {
  return [&points, who, &exec](const Parts& parts) {
    const std::vector<std::int32_t> rest = rest_of(parts);
    std::vector<std::int32_t> part;
    for (const std::int32_t v : rest) part.push_back(parts.part_of[static_cast<std::size_t>(v)]);
    OutsideCandidates found(std::move(part), parts.part_of);
    search_by_products(some_rows<C>(points, rest), points, who, exec, found);
    return best_of_parts(parts, rest, [&](Index v) { return found.nearest(v); });
  };
}

template <class T>
OutwardLinks outward_links_of(const DenseView<T>& distances, const Execution& exec) {
  return [&distances, &exec](const Parts& parts) {
    const std::vector<std::int32_t> rest = rest_of(parts);
    std::vector<Candidate> nearest(rest.size(), {std::numeric_limits<double>::infinity(), -1});
    parallel_for(exec, std::ssize(rest), [&](Index v) {
      const std::int32_t i = rest[static_cast<std::size_t>(v)];
      Candidate& best = nearest[static_cast<std::size_t>(v)];
      for (std::int32_t j = 0; j < distances.rows; ++j) {
        if (parts.part_of[static_cast<std::size_t>(i)] == parts.part_of[static_cast<std::size_t>(j)]) continue;
        const Candidate c{lower_entry(distances, i, j), j};
        if (c < best) best = c;
      }
    });
    return best_of_parts(parts, rest, [&](Index v) { return nearest[static_cast<std::size_t>(v)]; });
  };
}

template OutwardLinks outward_links_of(const MetricRows<float>&, std::string_view, const Execution&);
template OutwardLinks outward_links_of(const MetricRows<double>&, std::string_view, const Execution&);
template OutwardLinks outward_links_of(const DenseView<float>&, const Execution&);
template OutwardLinks outward_links_of(const DenseView<double>&, const Execution&);

}  // namespace fewdim
