#pragma once

#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

/// The nearest of some places for each query; the lowest row wins ties.
struct NearestPlaces {
  std::vector<Index> row;
  Vector<double> distance;
};

/// Brute force. `skip_own`: query i is place i, which does not count.
NearestPlaces nearest_places(const Matrix<double>& places, const Matrix<double>& queries, bool skip_own,
                             const Execution& exec);

}  // namespace fewdim
