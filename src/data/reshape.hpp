#pragma once

#include <string>

#include "fewdim/io.hpp"

namespace fewdim {

/// Applies id, label, drop and columns of the options to a data set of any kind, by name or 1-based number. Neighbors
/// in their order are kept without a copy.
Dataset select_columns(Dataset data, const ReadOptions& options, const std::string& path, const Execution& exec);

/// Dense rows made sparse: what is 0 is left out. Sparse ones stay as they are.
Dataset to_sparse(Dataset data, const Execution& exec);

}  // namespace fewdim
