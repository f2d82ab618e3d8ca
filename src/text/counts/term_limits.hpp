#pragma once

#include <string>
#include <vector>

#include "fewdim/words.hpp"
#include "text/counts/term_counting.hpp"

namespace fewdim {

/// Throws InvalidOption for a number that is out of its bounds.
void require_limits(const WordOptions& options);

/// Numbers of the terms that are kept, in the order of their bytes, and those bytes.
struct KeptTerms {
  std::vector<std::int32_t> ids;
  std::vector<std::string> texts;
};

/// What the limits leave, and the single words that they take away; none of those where there is a vocabulary.
struct LimitedTerms {
  KeptTerms kept, others;
};

/// Applies min_documents, max_documents and max_terms, or a vocabulary (sorted; null where there is none; limits by
/// documents do not apply to it). Throws DataError where nothing is left, and says what took the terms.
LimitedTerms apply_limits(const MergedCounts& counts, Index documents, const WordOptions& options,
                          const std::vector<std::string>* vocabulary);

}  // namespace fewdim
