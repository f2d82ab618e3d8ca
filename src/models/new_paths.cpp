#include "models/new_paths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "data/checks.hpp"
#include "features/metric.hpp"
#include "graph/geodesics.hpp"

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

NeighborLists by_metric(const KernelModel& model, const Dataset& fresh, const Execution& exec) {
  const Dataset objects(model.objects);
  const Vector<double> center = metric_center(objects, model.metric, exec);
  const auto known = pack_rows<double>(objects, model.metric, center, kWho, exec);
  const auto packed = pack_rows<double>(fresh, model.metric, center, kWho, exec);
  constexpr auto search = NeighborSearch::automatic;
  if (model.paths.radius > 0.0) return neighbors_within(packed, known, model.paths.radius, search, kWho, exec);
  return nearest_neighbors(packed, known, std::min(model.paths.neighbors, known.rows), search, kWho, exec);
}

/// The vertex of each training row; -1 for those left out.
std::vector<std::int32_t> vertex_of(const GeodesicPaths& paths) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(paths.vertices) + paths.left_out.size(), 0);
  for (const std::int32_t row : paths.left_out) out[static_cast<std::size_t>(row)] = -1;
  std::int32_t next = 0;
  for (std::int32_t& vertex : out)
    if (vertex == 0) vertex = next++;
  return out;
}

NeighborLists by_distances(const GeodesicPaths& paths, const Dataset& fresh) {
  const RowMatrix<double> distances = fresh.matrix<double>();
  const std::vector<std::int32_t> vertices = vertex_of(paths);
  NeighborLists out;
  std::vector<std::pair<double, std::int32_t>> row;
  for (Index i = 0; i < distances.rows(); ++i) {
    row.clear();
    for (Index j = 0; j < distances.cols(); ++j) {
      const double d = distances(i, j);
      if (!(d >= 0.0))
        throw DataError(fmt::format("{}: row {}, column {} is {}; a distance is at least 0", kWho, i + 1, j + 1, d));
      const std::int32_t vertex = vertices[static_cast<std::size_t>(j)];
      if (vertex >= 0 && (paths.radius == 0.0 || d <= paths.radius)) row.emplace_back(d, vertex);
    }
    if (paths.radius == 0.0 && std::ssize(row) > paths.neighbors) {
      std::ranges::nth_element(row, row.begin() + paths.neighbors);
      row.resize(static_cast<std::size_t>(paths.neighbors));
    }
    add_row(out, row);
  }
  return out;
}

/// The vertex that has exactly these links, or -1. It can only be linked to the first of them.
std::int32_t twin_of(const NeighborGraph& graph, const std::vector<std::pair<double, std::int32_t>>& row) {
  const auto begin = [&](std::int32_t v) {
    return static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(v)]);
  };
  const std::int32_t first = row.front().second;
  for (std::size_t e = begin(first); e < begin(first + 1); ++e) {
    const std::int32_t v = graph.targets[e];
    if (begin(v + 1) - begin(v) != row.size()) continue;
    bool same = true;
    for (std::size_t i = 0; same && i < row.size(); ++i)
      same = graph.targets[begin(v) + i] == row[i].second && graph.lengths[begin(v) + i] == row[i].first;
    if (same) return v;
  }
  return -1;
}

NeighborLists by_links(const GeodesicPaths& paths, const Dataset& fresh) {
  const RowMatrix<double> lengths = fresh.matrix<double>();
  const std::vector<std::int32_t> vertices = vertex_of(paths);
  const NeighborGraph graph = graph_of(paths.vertices, paths.links);
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
    const std::int32_t twin = row.empty() ? -1 : twin_of(graph, row);
    if (twin >= 0) row.assign(1, {0.0, twin});
    add_row(out, row);
  }
  return out;
}

NeighborLists starts_of(const KernelModel& model, const Dataset& fresh, const Execution& exec) {
  if (model.objects.size() > 0) return by_metric(model, fresh, exec);
  require_finite(fresh, kWho, exec);
  return model.paths.given ? by_links(model.paths, fresh) : by_distances(model.paths, fresh);
}

}  // namespace

NewPaths::NewPaths(const KernelModel& model, const Dataset& fresh, const Execution& exec)
    : paths_(model.paths), exec_(exec), starts_(starts_of(model, fresh, exec)) {
  for (Index i = 0; i < starts_.rows(); ++i)
    if (starts_.offsets[static_cast<std::size_t>(i)] == starts_.offsets[static_cast<std::size_t>(i) + 1])
      throw DataError(paths_.radius > 0.0
                          ? fmt::format("{}: row {} has no neighbor within the model's radius of {}; leave it out, or "
                                        "fit with a larger radius, or with --neighbors",
                                        kWho, i + 1, paths_.radius)
                          : fmt::format("{}: row {} has no link to the graph; leave it out", kWho, i + 1));
  if (paths_.geodesics.size() == 0) graph_ = graph_of(paths_.vertices, paths_.links);
}

Index NewPaths::rows_at_once() const {
  constexpr Index kNumbers = Index{1} << 23;  // 64 MiB
  const Index landmarks = paths_.landmarks.empty() ? paths_.vertices : std::ssize(paths_.landmarks);
  return std::clamp<Index>(kNumbers / landmarks / 64 * 64, 64, 4096);
}

RowMatrix<double> NewPaths::lengths(Index first, Index count) const {
  return paths_.geodesics.size() > 0 ? by_table(first, count) : by_search(first, count);
}

RowMatrix<double> NewPaths::by_table(Index first, Index count) const {
  const Index landmarks = paths_.geodesics.rows();
  RowMatrix<double> out(count, landmarks);
  parallel_for(exec_, count, [&](Index i) {
    double* row = out.data() + i * landmarks;
    std::fill_n(row, landmarks, std::numeric_limits<double>::infinity());
    const auto at = static_cast<std::size_t>(first + i);
    for (auto e = static_cast<std::size_t>(starts_.offsets[at]); e < static_cast<std::size_t>(starts_.offsets[at + 1]);
         ++e) {
      const double* from = paths_.geodesics.data() + starts_.indices[e] * landmarks;
      for (Index l = 0; l < landmarks; ++l) row[l] = std::min(row[l], starts_.distances[e] + from[l]);
    }
  });
  return out;
}

RowMatrix<double> NewPaths::by_search(Index first, Index count) const {
  NeighborLists some;
  const auto begin = starts_.offsets[static_cast<std::size_t>(first)];
  const auto end = starts_.offsets[static_cast<std::size_t>(first + count)];
  some.indices.assign(starts_.indices.begin() + begin, starts_.indices.begin() + end);
  some.distances.assign(starts_.distances.begin() + begin, starts_.distances.begin() + end);
  for (Index i = 1; i <= count; ++i)
    some.offsets.push_back(starts_.offsets[static_cast<std::size_t>(first + i)] - begin);
  if (paths_.landmarks.empty()) {
    RowMatrix<double> out(count, paths_.vertices);
    geodesics<double>(
        graph_, some, [&](Index i) { return out.data() + i * out.cols(); }, {}, exec_);
    return out;
  }
  RowMatrix<double> out(count, std::ssize(paths_.landmarks));
  RowBuffers<double> rows(count, paths_.vertices);
  geodesics<double>(
      graph_, some, [&](Index i) { return rows.take(i); },
      [&](Index i, const double* row) {
        for (std::size_t l = 0; l < paths_.landmarks.size(); ++l)
          out(i, static_cast<Index>(l)) = row[paths_.landmarks[l]];
        rows.give_back(i);
      },
      exec_);
  return out;
}

}  // namespace fewdim
