#pragma once

#include "operators/scatter.hpp"

namespace fewdim {

/// The columns' means and scatters alone, dense, sparse (never made dense) or stream.
struct ColumnMoments {
  Index rows = 0;
  double weight = 0.0;
  Vector<double> mean;
  Vector<double> scatter;
};
ColumnMoments column_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec);

}  // namespace fewdim
