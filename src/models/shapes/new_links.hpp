#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/metric.hpp"
#include "graph/search/neighbors.hpp"

namespace fewdim {

/// How new objects are linked to the vertices of a fitted graph: the training objects that were kept.
struct LinkRule {
  const Matrix<double>& objects;  ///< of the vertices; empty: new objects come as distances or links
  Metric metric = Metric::euclidean;
  Index neighbors = 0;  ///< 0: by radius, or as they are given
  double radius = 0.0;
  bool given = false;  ///< a new object comes as its links: one number a training row, 0 for none
  Index vertices = 0;
  const std::vector<std::int32_t>& left_out;  ///< training rows that are no vertices, rising
  /// One a vertex: it is linked to new objects that are no farther, as if it had chosen them; empty, or none at all:
  /// only the new object chooses.
  const Vector<double>* reach = nullptr;
};

/// The vertices that each new object is linked to: nearest first, or rising by length for given links. Throws DataError
/// for an object that has none, and for lengths that are none.
NeighborLists new_links(const LinkRule& rule, const Dataset& fresh, const Execution& exec);

}  // namespace fewdim
