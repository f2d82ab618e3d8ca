#pragma once

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

/// Texts as rows of weighted terms, the way the documents of the index were weighed: sparse, one column a term.
Dataset weighted_terms(const TextIndex& index, const std::vector<std::string>& texts, const Execution& exec);
/// The same before they are weighed.
Csr<float> counted_terms(const TextIndex& index, const std::vector<std::string>& texts, const Execution& exec);

}  // namespace fewdim
