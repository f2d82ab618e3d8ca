#pragma once

#include <string_view>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Throws DataError with the place and the value of the first negative number, by rows.
void require_no_negative(const Dataset& data, std::string_view who, const Execution& exec);

}  // namespace fewdim
