#include "methods/shared/neighbor_objects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "data/table/checks.hpp"
#include "data/table/reshape.hpp"
#include "features/distance_matrix.hpp"
#include "features/metric.hpp"
#include "graph/parts.hpp"

namespace fewdim {

namespace {

/// The rows that are in `kept`, all where that is empty.
Matrix<double> kept_rows(const Matrix<double>& all, const std::vector<std::int32_t>& kept) {
  if (kept.empty()) return all;
  Matrix<double> out(std::ssize(kept), all.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = all.row(kept[static_cast<std::size_t>(i)]);
  return out;
}

NeighborGraph graph_in(const Dataset& data, Disconnected disconnected, std::string_view who, const Execution& exec) {
  if (data.is_stream()) throw Unsupported(fmt::format("{}: needs the graph in memory", who));
  const Dataset sparse = to_sparse(data, exec);
  if (const auto* view = sparse.sparse<float>()) return given_graph(*view, disconnected, who, exec);
  return given_graph(*sparse.sparse<double>(), disconnected, who, exec);
}

template <class C>
NeighborObjects by_rows(const Dataset& data, const Neighborhood& neighborhood, Metric metric, std::string_view who,
                        const Execution& exec, GraphExtras extras) {
  NeighborObjects out;
  if (metric == Metric::precomputed) {
    out.graph = neighbor_graph(*data.dense<C>(), neighborhood, who, exec, extras);
    out.distances = kept_rows(kept_rows(data.matrix<double>(), out.graph.kept).transpose(), out.graph.kept);
    return out;
  }
  const auto rows = pack_rows<C>(data, metric, metric_center(data, metric, exec), who, exec);
  out.graph = neighbor_graph(rows, neighborhood, who, exec, extras);
  out.points = kept_rows(data.matrix<double>(), out.graph.kept);
  return out;
}

/// "rows 3, 17 and 29", "rows 3, 17, 29, 31, 40 and 12 more"; by name where rows have one.
std::string listed(const std::vector<std::int32_t>& rows, const Dataset& data) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i)
    names.push_back(data.row_names.empty() ? std::to_string(rows[i] + 1)
                                           : data.row_names[static_cast<std::size_t>(rows[i])]);
  const std::string more = rows.size() > kMost ? fmt::format(" and {} more", rows.size() - kMost) : "";
  return fmt::format("row{} {}{}", rows.size() == 1 ? "" : "s", fmt::join(names, ", "), more);
}

}  // namespace

std::pair<Dataset, Metric> what_to_compare(const Dataset& data, Metric metric, bool is_graph, std::string_view who,
                                           const Execution& exec) {
  require_numbers(data, who);
  if (data.rows() == 0 || data.cols() == 0) throw DataError(fmt::format("{}: there are no objects", who));
  if (is_graph) return {data, Metric::precomputed};
  if (metric == Metric::automatic) metric = looks_like_distances(data, exec) ? Metric::precomputed : Metric::euclidean;
  return {metric == Metric::precomputed ? full_distances(data, who, exec) : data, metric};
}

NeighborObjects neighbor_objects(const Dataset& data, const Neighborhood& neighborhood, Metric metric, bool is_graph,
                                 std::string_view who, const Execution& exec, GraphExtras extras) {
  if (is_graph) {
    NeighborObjects out;
    out.graph = graph_in(data, neighborhood.disconnected, who, exec);
    return out;
  }
  if (data.precision() == Precision::float32) return by_rows<float>(data, neighborhood, metric, who, exec, extras);
  return by_rows<double>(data, neighborhood, metric, who, exec, extras);
}

void report_graph(const NeighborGraph& graph, const Dataset& data, Model::Head& head) {
  auto& out = head.diagnostics;
  out.emplace_back("links", static_cast<double>(graph.edges()));
  out.emplace_back("links_per_object",
                   static_cast<double>(graph.targets.size()) / static_cast<double>(graph.vertices()));
  out.emplace_back("parts", static_cast<double>(graph.parts.size()));
  if (graph.trace.recall_rows > 0) {
    out.emplace_back("neighbor_recall", graph.trace.recall);
    head.certificate.why.emplace_back(ReasonKind::approximate_neighbors, graph.trace.recall, graph.trace.recall_rows);
  }
  if (!graph.bridges.empty()) {
    const auto longest = std::ranges::max_element(graph.bridges, {}, &Link::length);
    head.certificate.warnings.push_back(
        fmt::format("the graph was in {}; joined by {} of length {:.4g}, between rows {} and {}: how the parts lie to "
                    "each other depends on {}; {} or {} to connect them, or use {} to map one part",
                    describe_parts(graph.parts),
                    graph.bridges.size() == 1 ? "1 link" : fmt::format("{} links, the longest", graph.bridges.size()),
                    longest->length, longest->first + 1, longest->second + 1, graph.bridges.size() == 1 ? "it" : "them",
                    raise_option("neighbors"), raise_option("radius"), set_option("disconnected", "largest")));
  }
  if (!graph.left_out.empty())
    head.certificate.warnings.push_back(
        fmt::format("the graph was in {}; {} left out: {}", describe_parts(graph.parts),
                    graph.left_out.size() == 1 ? "1 row is" : fmt::format("{} rows are", graph.left_out.size()),
                    listed(graph.left_out, data)));
}

}  // namespace fewdim
