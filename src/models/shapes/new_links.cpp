#include "models/shapes/new_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "features/metric.hpp"

namespace fewdim {

namespace {

constexpr const char* kTransform = "transform";

/// Links that are built row by row.
void add_row(NeighborLists& lists, std::vector<std::pair<double, std::int32_t>>& row) {
  std::ranges::sort(row);
  for (const auto& [distance, vertex] : row) {
    lists.indices.push_back(vertex);
    lists.distances.push_back(distance);
  }
  lists.offsets.push_back(std::ssize(lists.indices));
}

bool has_reach(const LinkRule& rule) { return rule.reach != nullptr && rule.reach->size() > 0; }

/// Vertices of about the same reach, which are searched with one radius: 32 classes at most, each a factor of 9/8 wide
/// but for the lowest.
std::vector<std::vector<std::int32_t>> classes_of(const Vector<double>& reach) {
  constexpr Index kMost = 32;
  const double largest = reach.maxCoeff();
  std::vector<std::vector<std::int32_t>> out(static_cast<std::size_t>(kMost));
  for (Index j = 0; j < reach.size(); ++j) {
    if (!(reach[j] > 0.0)) continue;  // what is at distance 0 takes the vertex's place anyway
    const auto steps = static_cast<Index>(std::log(largest / reach[j]) / std::log(9.0 / 8.0));
    out[static_cast<std::size_t>(std::min(steps, kMost - 1))].push_back(static_cast<std::int32_t>(j));
  }
  std::erase_if(out, [](const auto& list) { return list.empty(); });
  return out;
}

/// Adds to the links those to vertices that reach as far as the new object.
NeighborLists with_reached(const NeighborLists& chosen, const MetricRows<double>& fresh,
                           const MetricRows<double>& known, const Vector<double>& reach, const Execution& exec) {
  std::vector<std::vector<std::pair<double, std::int32_t>>> rows(static_cast<std::size_t>(chosen.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto e = static_cast<std::size_t>(chosen.offsets[i]); e < static_cast<std::size_t>(chosen.offsets[i + 1]); ++e)
      rows[i].emplace_back(chosen.distances[e], chosen.indices[e]);
  for (const std::vector<std::int32_t>& vertices : classes_of(reach)) {
    double radius = 0.0;
    for (const std::int32_t j : vertices) radius = std::max(radius, reach[j]);
    const NeighborLists near =
        neighbors_within(fresh, some_rows(known, vertices), radius, NeighborSearch::automatic, kTransform, exec);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (auto e = static_cast<std::size_t>(near.offsets[i]); e < static_cast<std::size_t>(near.offsets[i + 1]); ++e) {
        const std::int32_t j = vertices[static_cast<std::size_t>(near.indices[e])];
        if (near.distances[e] <= reach[j]) rows[i].emplace_back(near.distances[e], j);
      }
  }
  NeighborLists out;
  for (auto& row : rows) {
    std::ranges::sort(row, {}, &std::pair<double, std::int32_t>::second);
    const auto same = std::ranges::unique(row, {}, &std::pair<double, std::int32_t>::second);
    row.erase(same.begin(), same.end());
    add_row(out, row);
  }
  return out;
}

NeighborLists by_metric(const LinkRule& rule, const Dataset& fresh, const Execution& exec) {
  const Dataset objects(rule.objects);
  const Vector<double> center = metric_center(objects, rule.metric, exec);
  const auto known = pack_rows<double>(objects, rule.metric, center, kTransform, exec);
  const auto packed = pack_rows<double>(fresh, rule.metric, center, kTransform, exec);
  constexpr auto search = NeighborSearch::automatic;
  if (rule.radius > 0.0) return neighbors_within(packed, known, rule.radius, search, kTransform, exec);
  NeighborLists chosen =
      nearest_neighbors(packed, known, std::min(rule.neighbors, known.rows), search, kTransform, exec);
  return has_reach(rule) ? with_reached(chosen, packed, known, *rule.reach, exec) : chosen;
}

/// The vertex of each training row; -1 for those left out.
std::vector<std::int32_t> vertex_of(const LinkRule& rule) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(rule.vertices) + rule.left_out.size(), 0);
  for (const std::int32_t row : rule.left_out) out[static_cast<std::size_t>(row)] = -1;
  std::int32_t next = 0;
  for (std::int32_t& vertex : out)
    if (vertex == 0) vertex = next++;
  return out;
}

NeighborLists by_distances(const LinkRule& rule, const Dataset& fresh) {
  const RowMatrix<double> distances = fresh.matrix<double>();
  const std::vector<std::int32_t> vertices = vertex_of(rule);
  NeighborLists out;
  std::vector<std::pair<double, std::int32_t>> row;
  for (Index i = 0; i < distances.rows(); ++i) {
    row.clear();
    for (Index j = 0; j < distances.cols(); ++j) {
      const double d = distances(i, j);
      if (!(d >= 0.0))
        throw DataError(
            fmt::format("{}: row {}, column {} is {}; a distance is at least 0", kTransform, i + 1, j + 1, d));
      const std::int32_t vertex = vertices[static_cast<std::size_t>(j)];
      if (vertex >= 0 && (rule.radius == 0.0 || d <= rule.radius)) row.emplace_back(d, vertex);
    }
    if (rule.radius == 0.0 && std::ssize(row) > rule.neighbors) {
      std::ranges::nth_element(row, row.begin() + rule.neighbors);
      const auto reached = std::remove_if(row.begin() + rule.neighbors, row.end(), [&](const auto& link) {
        return !has_reach(rule) || link.first > (*rule.reach)[link.second];
      });
      row.erase(reached, row.end());
    }
    add_row(out, row);
  }
  return out;
}

NeighborLists by_links(const LinkRule& rule, const Dataset& fresh) {
  const RowMatrix<double> lengths = fresh.matrix<double>();
  const std::vector<std::int32_t> vertices = vertex_of(rule);
  NeighborLists out;
  std::vector<std::pair<double, std::int32_t>> row;
  for (Index i = 0; i < lengths.rows(); ++i) {
    row.clear();
    for (Index j = 0; j < lengths.cols(); ++j) {
      if (!(lengths(i, j) >= 0.0))
        throw DataError(fmt::format("{}: row {}, column {} is {}; the length of a link is at least 0", kTransform,
                                    i + 1, j + 1, lengths(i, j)));
      const std::int32_t vertex = vertices[static_cast<std::size_t>(j)];
      if (vertex >= 0 && lengths(i, j) > 0.0) row.emplace_back(lengths(i, j), vertex);
    }
    add_row(out, row);
  }
  return out;
}

NeighborLists found_links(const LinkRule& rule, const Dataset& fresh, const Execution& exec) {
  if (rule.objects.size() > 0) return by_metric(rule, fresh, exec);
  require_finite(fresh, kTransform, exec);
  return rule.given ? by_links(rule, fresh) : by_distances(rule, fresh);
}

}  // namespace

NeighborLists new_links(const LinkRule& rule, const Dataset& fresh, const Execution& exec) {
  NeighborLists links = found_links(rule, fresh, exec);
  for (Index i = 0; i < links.rows(); ++i)
    if (links.offsets[static_cast<std::size_t>(i)] == links.offsets[static_cast<std::size_t>(i) + 1])
      throw DataError(rule.radius > 0.0
                          ? fmt::format("{}: row {} has no neighbor within the model's radius of {}; leave it out, or "
                                        "fit again: {}, or use {}",
                                        kTransform, i + 1, rule.radius, raise_option("radius"), set_option("neighbors"))
                          : fmt::format("{}: row {} has no link to the graph; leave it out", kTransform, i + 1));
  return links;
}

}  // namespace fewdim
