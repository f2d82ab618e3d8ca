#pragma once

#include <string>
#include <vector>

#include "fewdim/io.hpp"

namespace fewdim {

/// What becomes of the columns of a file; all indices are 0-based places in the file.
struct ColumnChoice {
  Index id = -1;     ///< row names, or -1
  Index label = -1;  ///< labels, or -1
  std::vector<Index> kept;
};

/// Applies id, label, drop and columns of the options: each a name, or else a 1-based number. `names` may be empty.
/// `detected_id` takes the row names unless the options say otherwise. Throws InvalidOption with the nearest name
/// and the names there are.
ColumnChoice choose_columns(const std::vector<std::string>& names, Index count, const ReadOptions& options,
                            Index detected_id, const std::string& path);

/// The column that an option means, or -1 when there is none of that name or number.
Index find_column(const std::vector<std::string>& names, Index count, const std::string& wanted);

/// `column 3 "age"`, or `column 3` where it has no name.
std::string shown_column(const std::vector<std::string>& names, Index column);

/// The name, or the 1-based number where it has none, as it is typed on a command line.
std::string typed_column(const std::vector<std::string>& names, Index column);

}  // namespace fewdim
