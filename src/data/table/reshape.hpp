#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/io.hpp"

namespace fewdim {

/// Applies id, label, drop, columns and features of the options to a data set of any kind, by name or 1-based number.
/// Neighbors in their order are kept without a copy.
Dataset select_columns(Dataset data, const ReadOptions& options, const std::string& path, const Execution& exec);

/// The columns of these names in this order, where both have names and the data have others, too, or another order;
/// nothing where the data can be taken as they are. Throws DataError with the names that are missing; `who` begins it.
std::optional<Dataset> own_columns(const Dataset& data, const std::vector<std::string>& names, std::string_view who,
                                   const Execution& exec);

/// Dense rows made sparse: what is 0 is left out. Sparse ones stay as they are.
Dataset to_sparse(Dataset data, const Execution& exec);

}  // namespace fewdim
