#pragma once

#include <utility>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/metric.hpp"
#include "fewdim/model.hpp"
#include "graph/neighbor_graph.hpp"

namespace fewdim {

/// Objects with their neighbor graph, from whatever they came as. Vertices are the rows that were kept.
struct NeighborObjects {
  NeighborGraph graph{};
  Matrix<double> points{};     ///< of the vertices; empty where distances or a graph were given
  Matrix<double> distances{};  ///< of the vertices; empty unless given
};

/// What a fit compares, and how: the data as they are, or their full distances, and a metric that is not automatic.
/// Refuses texts and data without objects.
std::pair<Dataset, Metric> what_to_compare(const Dataset& data, Metric metric, bool is_graph, std::string_view who,
                                           const Execution& exec);

/// `metric` is not automatic; with `is_graph` the data are a square matrix of lengths instead. Refuses what neighbor
/// graphs refuse.
NeighborObjects neighbor_objects(const Dataset& data, const Neighborhood& neighborhood, Metric metric, bool is_graph,
                                 std::string_view who, const Execution& exec, GraphExtras extras = {});

/// What there is to say of the graph: its size, its parts, the recall of the search.
void report_graph(const NeighborGraph& graph, const Dataset& data, Model::Head& head);

}  // namespace fewdim
