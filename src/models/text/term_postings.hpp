#pragma once

#include "fewdim/text_index.hpp"

namespace fewdim {

/// The counts of an index by documents.
Csr<float> rows_of(const TextIndex& index);

/// The counts by terms, into the index. Documents of a term rise, as the rows do.
void fill_postings(const CsrView<float>& counts, TextIndex& index, bool on_disk = false);
/// The same of the other words.
void fill_other_postings(const CsrView<float>& counts, TextIndex& index, bool on_disk = false);

}  // namespace fewdim
