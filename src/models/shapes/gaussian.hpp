#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/gaussian.hpp"

namespace fewdim {

/// fill_missing() of a linear model with a noise; without standard errors where they are not asked for.
Filled fill_rows(const LinearModel& model, const Dataset& rows, bool errors, std::string_view who,
                 const Execution& exec);

/// True where rows are dense and have missing values.
bool has_missing(const Dataset& rows, const Execution& exec);

}  // namespace fewdim
