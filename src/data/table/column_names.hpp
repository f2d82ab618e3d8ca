#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/types.hpp"

/// Names of columns: which are those that a model knows, and which says that the column holds labels.
namespace fewdim {

/// Where wanted names are among names. Of names that repeat the first is the first. Names that are not UTF-8 match what
/// a model file made of them.
struct NameMatch {
  std::vector<Index> places;         ///< of those wanted, where all are there
  std::vector<std::string> missing;  ///< those that are not
  std::string repeated;              ///< one that is there more often than it is wanted; then it is open which is meant
};
NameMatch match_names(const std::vector<std::string>& names, const std::vector<std::string>& wanted,
                      const std::vector<bool>& taken = {});

/// Throws the DataError that says which names are missing or repeated, if any are; `who` begins the message.
void require_match(const NameMatch& match, const std::vector<std::string>& names, const std::string& who);

/// `a, b, c and 3 more`
std::string some_names(const std::vector<std::string>& names);

/// "2 columns that the model does not use were left out: a, b"
std::string unused_text(const std::vector<std::string>& names);

/// Whether a header names a column of labels: "label", in any case, or "label:NAME".
bool is_label_name(std::string_view header);
/// NAME of "label:NAME"; any other header as it is.
std::string without_label_mark(const std::string& header);
/// The header of a column of labels of that name.
std::string with_label_mark(const std::string& name);

}  // namespace fewdim
