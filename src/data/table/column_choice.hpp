#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/table/column_names.hpp"
#include "fewdim/io.hpp"

namespace fewdim {

/// What was found about the columns of a file by looking.
struct FoundColumns {
  Index id = -1;              ///< holds the row names, or -1
  std::vector<Index> labels;  ///< named as labels: "label", "label:species"
};

/// What becomes of the columns of a file; all indices are 0-based places in the file.
struct ColumnChoice {
  Index id = -1;     ///< row names, or -1
  Index label = -1;  ///< labels, or -1
  std::vector<Index> kept;
  std::vector<Index> unused;  ///< left out unasked: not among the features, or labels beside the one that was named
  bool label_found = false;   ///< by its name, not by an option
};

/// Applies id, label, drop, columns and features of the options: each a name, or else a 1-based number. `names` may be
/// empty. What was found is taken unless the options say otherwise. Throws InvalidOption with the nearest name and the
/// names there are, and DataError with the features that are missing.
ColumnChoice choose_columns(const std::vector<std::string>& names, Index count, const ReadOptions& options,
                            const FoundColumns& found, const std::string& path);

/// The column that an option means, or -1 when there is none of that name or number.
Index find_column(const std::vector<std::string>& names, Index count, const std::string& wanted);

/// `column 3 "age"`, or `column 3` where it has no name.
std::string shown_column(const std::vector<std::string>& names, Index column);

/// The name, or the 1-based number where it has none, or one that is no word of a list: see typed_word().
std::string typed_column(const std::vector<std::string>& names, Index column);

/// A word that can be typed on a command line, among words with commas between them; empty where it can't.
std::string typed_word(std::string_view word);

}  // namespace fewdim
