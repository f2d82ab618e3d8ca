#include "models/new_links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/checks.hpp"
#include "features/metric.hpp"

namespace fewdim {

namespace {

constexpr const char* kWho = "transform";

/// Links that are built row by row.
void add_row(NeighborLists& lists, std::vector<std::pair<double, std::int32_t>>& row) {
  std::ranges::sort(row);
  for (const auto& [distance, vertex] : row) {
    lists.indices.push_back(vertex);
    lists.distances.push_back(distance);
  }
  lists.offsets.push_back(std::ssize(lists.indices));
}

NeighborLists by_metric(const LinkRule& rule, const Dataset& fresh, const Execution& exec) {
  const Dataset objects(rule.objects);
  const Vector<double> center = metric_center(objects, rule.metric, exec);
  const auto known = pack_rows<double>(objects, rule.metric, center, kWho, exec);
  const auto packed = pack_rows<double>(fresh, rule.metric, center, kWho, exec);
  constexpr auto search = NeighborSearch::automatic;
  if (rule.radius > 0.0) return neighbors_within(packed, known, rule.radius, search, kWho, exec);
  return nearest_neighbors(packed, known, std::min(rule.neighbors, known.rows), search, kWho, exec);
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
        throw DataError(fmt::format("{}: row {}, column {} is {}; a distance is at least 0", kWho, i + 1, j + 1, d));
      const std::int32_t vertex = vertices[static_cast<std::size_t>(j)];
      if (vertex >= 0 && (rule.radius == 0.0 || d <= rule.radius)) row.emplace_back(d, vertex);
    }
    if (rule.radius == 0.0 && std::ssize(row) > rule.neighbors) {
      std::ranges::nth_element(row, row.begin() + rule.neighbors);
      row.resize(static_cast<std::size_t>(rule.neighbors));
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
        throw DataError(fmt::format("{}: row {}, column {} is {}; the length of a link is at least 0", kWho, i + 1,
                                    j + 1, lengths(i, j)));
      const std::int32_t vertex = vertices[static_cast<std::size_t>(j)];
      if (vertex >= 0 && lengths(i, j) > 0.0) row.emplace_back(lengths(i, j), vertex);
    }
    add_row(out, row);
  }
  return out;
}

NeighborLists found_links(const LinkRule& rule, const Dataset& fresh, const Execution& exec) {
  if (rule.objects.size() > 0) return by_metric(rule, fresh, exec);
  require_finite(fresh, kWho, exec);
  return rule.given ? by_links(rule, fresh) : by_distances(rule, fresh);
}

}  // namespace

NeighborLists new_links(const LinkRule& rule, const Dataset& fresh, const Execution& exec) {
  NeighborLists links = found_links(rule, fresh, exec);
  for (Index i = 0; i < links.rows(); ++i)
    if (links.offsets[static_cast<std::size_t>(i)] == links.offsets[static_cast<std::size_t>(i) + 1])
      throw DataError(rule.radius > 0.0
                          ? fmt::format("{}: row {} has no neighbor within the model's radius of {}; leave it out, or "
                                        "fit with a larger radius, or with --neighbors",
                                        kWho, i + 1, rule.radius)
                          : fmt::format("{}: row {} has no link to the graph; leave it out", kWho, i + 1));
  return links;
}

}  // namespace fewdim
