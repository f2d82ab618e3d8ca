#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/model.hpp"

/// Results as tables with names.
namespace fewdim::cli {

/// k rows: singular value, variance, shares, residual.
Dataset spectrum_table(const Model& model);
/// D×k with the features' and the components' names.
Dataset directions_table(const Model& model);
Dataset loadings_table(const Model& model);
/// U: scores over singular values.
Dataset left_table(const Model& model, const Dataset& scores);
/// T², SPE, and per component contributions and cos².
Dataset row_table(const Model& model, const Dataset& data, const Execution& exec);
/// T² and SPE, and for each confidence level whether the row is beyond the model's limits (1) or not (0).
Dataset distance_table(const Model& model, const Dataset& data, const Execution& exec);
Dataset column_table(const Model& model);

}  // namespace fewdim::cli
