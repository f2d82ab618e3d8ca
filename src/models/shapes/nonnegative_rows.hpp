#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// Model::transform of RowFit::nonnegative: for each row the y ≥ 0 of least ‖r − map y‖² + penalty(y), proven by its
/// optimality conditions. In float64 inside, in the data's precision outside; sparse rows are never made dense.
Dataset nonnegative_transform(const LinearModel& model, const Dataset& data, std::string_view stage,
                              const Execution& exec);

/// Throws DataError "<who>: ..." unless the map has no negative entry and the regression is one of non-negative least
/// squares.
void require_nonnegative(const LinearModel& model, const std::string& who);

}  // namespace fewdim
