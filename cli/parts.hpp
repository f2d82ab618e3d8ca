#pragma once

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"

namespace fewdim::cli {

/// Parts of one table, one below the other: all in memory, or all streams. Throws DataError when their columns differ,
/// by number or, where both have names, by name.
Dataset join_rows(std::vector<Dataset> parts);

}  // namespace fewdim::cli
