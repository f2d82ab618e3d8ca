#pragma once

#include <string_view>

#include "fewdim/dataset.hpp"

namespace fewdim {

/// Throws DataError unless both have as many rows and, where both have names, the same ones in the same order.
void require_same_objects(const Dataset& a, std::string_view a_name, const Dataset& b, std::string_view b_name,
                          std::string_view who);

}  // namespace fewdim
