#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"
#include "graph/neighbor_graph.hpp"

namespace fewdim {

/// Shortest paths from new objects to the landmarks of a geodesic model: each object is linked to its nearest vertices,
/// and goes on through the graph. An object that equals a vertex has that vertex's paths.
class NewPaths {
 public:
  /// Finds the links of all objects. Throws DataError for one that has none.
  NewPaths(const KernelModel& model, const Dataset& fresh, const Execution& exec);

  Index rows() const { return starts_.rows(); }
  /// As many rows as one call of lengths() should be asked for, a multiple of 64.
  Index rows_at_once() const;
  /// The lengths for objects first .. first+count, one row each, with a column per landmark.
  RowMatrix<double> lengths(Index first, Index count) const;

 private:
  RowMatrix<double> by_table(Index first, Index count) const;
  RowMatrix<double> by_search(Index first, Index count) const;

  const GeodesicPaths& paths_;
  const Execution& exec_;
  NeighborGraph graph_{};  ///< empty where the paths lie in a table
  NeighborLists starts_{};
};

}  // namespace fewdim
