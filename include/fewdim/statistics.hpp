#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// Per row: scores², their contributions and cos², T² and SPE.
struct RowStatistics {
  Vector<double> t2;               ///< Hotelling's T²
  Vector<double> spe;              ///< squared distance to the plane
  Matrix<double> contributions;    ///< N×k, each column sums to 1
  Matrix<double> cos2;             ///< N×k, each row sums to at most 1
};
/// Per column (feature) of the data.
struct ColumnStatistics {
  Matrix<double> loadings;         ///< D×k: direction times √λ
  Matrix<double> contributions;    ///< D×k, each column sums to 1
  Matrix<double> correlations;     ///< D×k; empty when the columns' variances are not known
  Matrix<double> cos2;             ///< correlations squared
};
FEWDIM_API RowStatistics row_statistics(const Model& model, const Dataset& data, const Execution& exec = {});
FEWDIM_API ColumnStatistics column_statistics(const Model& model);

}  // namespace fewdim
