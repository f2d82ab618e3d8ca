#pragma once

#include <string>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/text_index.hpp"

/// The words of an index that are no terms, as documents come and go.
namespace fewdim {

/// Those of `index`, and those of texts that stand behind its documents, into `out`. Nothing is done where the index
/// does not keep all words.
void add_other_words(const TextIndex& index, const std::vector<std::string>& texts, TextIndex& out,
                     const Execution& exec);

/// Those of the documents `kept`, which rise, into `out`. Words that are in none of them go.
void keep_other_words(const TextIndex& index, const std::vector<Index>& kept, TextIndex& out);

}  // namespace fewdim
