#include "models/term_postings.hpp"

#include <utility>
#include <vector>

namespace fewdim {

namespace {

/// Sparse rows by columns: the same numbers, turned; what was in order stays so.
struct Turned {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> places;
  std::vector<float> values;
};

Turned turned(Index rows, Index cols, const std::int64_t* offsets, const std::int32_t* columns, const float* values) {
  const auto entries = static_cast<std::size_t>(rows > 0 ? offsets[rows] : 0);
  Turned out{std::vector<std::int64_t>(static_cast<std::size_t>(cols) + 1, 0), std::vector<std::int32_t>(entries),
             std::vector<float>(entries)};
  for (std::size_t e = 0; e < entries; ++e) ++out.offsets[static_cast<std::size_t>(columns[e]) + 1];
  for (std::size_t c = 1; c < out.offsets.size(); ++c) out.offsets[c] += out.offsets[c - 1];
  std::vector<std::int64_t> next = out.offsets;
  for (Index i = 0; i < rows; ++i)
    for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(columns[e])]++);
      out.places[at] = static_cast<std::int32_t>(i);
      out.values[at] = values[e];
    }
  return out;
}

}  // namespace

Csr<float> rows_of(const TextIndex& index) {
  Turned by_rows = turned(index.terms.size(), index.documents(), index.posting_offsets.data(),
                          index.posting_documents.data(), index.posting_counts.data());
  Csr<float> out;
  out.rows = index.documents(), out.cols = index.terms.size();
  out.offsets = std::move(by_rows.offsets);
  out.columns = std::move(by_rows.places);
  out.values = std::move(by_rows.values);
  return out;
}

void fill_postings(const CsrView<float>& counts, TextIndex& index) {
  Turned by_terms = turned(counts.rows, counts.cols, counts.offsets, counts.columns, counts.values);
  index.posting_offsets = std::move(by_terms.offsets);
  index.posting_documents = std::move(by_terms.places);
  index.posting_counts = std::move(by_terms.values);
}

}  // namespace fewdim
