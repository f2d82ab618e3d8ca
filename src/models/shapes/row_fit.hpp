#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// Rows are placed by least squares over what they have.
inline bool fits_observed(const LinearModel& model) {
  return model.row_fit == RowFit::observed || model.row_fit == RowFit::implicit;
}

/// The coordinates of rows by RowFit::observed or RowFit::implicit. An entry of a dense row that is NaN is missing, as
/// is one of a sparse row that is not stored; for implicit models a zero is the same.
Dataset fit_rows(const LinearModel& model, const Dataset& data, std::string_view stage, const Execution& exec);

}  // namespace fewdim
