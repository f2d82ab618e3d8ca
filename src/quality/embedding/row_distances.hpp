#pragma once

#include <memory>
#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/metric.hpp"

namespace fewdim {

/// Distances from some rows of a data set to all of its rows, in double and by differences: equal rows are at 0, and
/// d(i,j) is d(j,i) to the bit, so that ranks are well defined.
class RowDistances {
 public:
  virtual ~RowDistances() = default;
  virtual Index rows() const = 0;
  /// Row rows[r], of `count` of them, to all: out[r · rows() + j]. On this thread.
  virtual void fill(const Index* which, Index count, double* out) const = 0;
  /// The same, or their squares where these are cheaper: for who compares those of one row with each other.
  virtual void fill_order(const Index* which, Index count, double* out) const { fill(which, count, out); }
  virtual std::string note() const { return {}; }  ///< what a reader of the results should know
};

/// Of rows under a metric, or of full distances where it is Metric::precomputed. `who` is for messages. Refuses what
/// the metric refuses: streams, values that are not finite, rows without a direction.
std::unique_ptr<RowDistances> row_distances(const Dataset& data, Metric metric, std::string_view who,
                                            const Execution& exec);

/// Lengths of shortest paths over the graph of each row's `neighbors` nearest; parts are joined by the shortest links
/// between them, and the note says so. They are d(j,i) only up to rounding.
std::unique_ptr<RowDistances> geodesic_distances(const Dataset& data, Metric metric, Index neighbors,
                                                 std::string_view who, const Execution& exec);

}  // namespace fewdim
