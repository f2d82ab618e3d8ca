#pragma once

#include "fewdim/execution.hpp"
#include "quality/embedding/row_distances.hpp"

namespace fewdim {

/// Trustworthiness and continuity alone, over some rows: cheap enough to stand in every summary of a map.
struct NeighborsKept {
  double trustworthiness = 1.0;
  double continuity = 1.0;
  double standard_error = 0.0;  ///< of either, the larger; 0: all rows were looked at
  Index neighbors = 0;          ///< K
  Index sampled = 0;            ///< rows
};

/// Of K = `neighbors`, or as many as the rows allow; `columns` of the original are what a distance costs. At least 3
/// rows.
NeighborsKept neighbors_kept(const RowDistances& original, const RowDistances& map, Index neighbors, Index columns,
                             Seed seed, const Execution& exec);

}  // namespace fewdim
