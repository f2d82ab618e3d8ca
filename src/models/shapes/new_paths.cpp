#include "models/shapes/new_paths.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "graph/geodesics.hpp"
#include "models/shapes/new_links.hpp"

namespace fewdim {

namespace {

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

/// An object whose links are those of a vertex stands where that vertex does.
void find_twins(NeighborLists& starts, const NeighborGraph& graph) {
  NeighborLists out;
  std::vector<std::pair<double, std::int32_t>> row;
  for (Index i = 0; i < starts.rows(); ++i) {
    row.clear();
    for (auto e = static_cast<std::size_t>(starts.offsets[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(starts.offsets[static_cast<std::size_t>(i) + 1]); ++e)
      row.emplace_back(starts.distances[e], starts.indices[e]);
    std::ranges::sort(row, {}, &std::pair<double, std::int32_t>::second);
    const std::int32_t twin = twin_of(graph, row);
    if (twin >= 0) row.assign(1, {0.0, twin});
    for (const auto& [length, vertex] : row) {
      out.indices.push_back(vertex);
      out.distances.push_back(length);
    }
    out.offsets.push_back(std::ssize(out.indices));
  }
  starts = std::move(out);
}

}  // namespace

NewPaths::NewPaths(const KernelModel& model, const Dataset& fresh, const Execution& exec)
    : paths_(model.paths),
      exec_(exec),
      starts_(new_links({.objects = model.objects,
                         .metric = model.metric,
                         .neighbors = paths_.neighbors,
                         .radius = paths_.radius,
                         .given = paths_.given,
                         .vertices = paths_.vertices,
                         .left_out = paths_.left_out},
                        fresh, exec)) {
  if (paths_.geodesics.size() == 0 || paths_.given) graph_ = graph_of(paths_.vertices, paths_.links);
  if (paths_.given) find_twins(starts_, graph_);
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
