#pragma once

#include <string>
#include <vector>

#include "common.hpp"

namespace fewdim::cli {

/// One column of a table in text, or of a file in a binary format: a label for each of `rows` rows. `column` is a name
/// or a number from 1 on; empty: the only one, or the one beside the rows' names. The first line is a header where
/// there is one line more than rows.
struct LabelColumn {
  std::string name;
  std::vector<std::string> labels;
};
LabelColumn read_labels(const std::string& path, const std::string& column, Index rows, Run& run);

/// Labels as numbers; missing ones are NaN. Throws DataError for the first that is none.
Vector<double> as_numbers(const std::vector<std::string>& labels, const std::string& name, const std::string& source);

}  // namespace fewdim::cli
