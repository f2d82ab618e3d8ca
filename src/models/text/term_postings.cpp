#include "models/text/term_postings.hpp"

#include <utility>
#include <vector>

#include "base/spill.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

namespace {

/// Sparse rows by columns: the same numbers, turned; what was in order stays so.
struct Turned {
  std::vector<std::int64_t> offsets;
  Room<std::int32_t> places;
  Room<float> values;
};

Turned turned(Index rows, Index cols, const std::int64_t* offsets, const std::int32_t* columns, const float* values,
              bool on_disk) {
  const auto entries = static_cast<std::size_t>(rows > 0 ? offsets[rows] : 0);
  Turned out{std::vector<std::int64_t>(static_cast<std::size_t>(cols) + 1, 0),
             room_for_array<std::int32_t>(entries, on_disk), room_for_array<float>(entries, on_disk)};
  for (std::size_t e = 0; e < entries; ++e) ++out.offsets[static_cast<std::size_t>(columns[e]) + 1];
  for (std::size_t c = 1; c < out.offsets.size(); ++c) out.offsets[c] += out.offsets[c - 1];
  std::vector<std::int64_t> next = out.offsets;
  for (Index i = 0; i < rows; ++i)
    for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(columns[e])]++);
      out.places.numbers[at] = static_cast<std::int32_t>(i);
      out.values.numbers[at] = values[e];
    }
  return out;
}

}  // namespace

Csr<float> rows_of(const TextIndex& index) {
  Turned by_rows = turned(index.terms.size(), index.documents(), index.posting_offsets.data(),
                          index.posting_documents.data(), index.posting_counts.data(), false);
  Csr<float> out;
  out.rows = index.documents(), out.cols = index.terms.size();
  out.offsets = std::move(by_rows.offsets);
  out.columns.assign(by_rows.places.numbers.begin(), by_rows.places.numbers.end());
  out.values.assign(by_rows.values.numbers.begin(), by_rows.values.numbers.end());
  return out;
}

void fill_postings(const CsrView<float>& counts, TextIndex& index, bool on_disk) {
  Turned by_terms = turned(counts.rows, counts.cols, counts.offsets, counts.columns, counts.values, on_disk);
  index.posting_offsets = std::move(by_terms.offsets);
  index.posting_documents = {by_terms.places.numbers, std::move(by_terms.places.owner)};
  index.posting_counts = {by_terms.values.numbers, std::move(by_terms.values.owner)};
}

void fill_other_postings(const CsrView<float>& counts, TextIndex& index, bool on_disk) {
  Turned by_words = turned(counts.rows, counts.cols, counts.offsets, counts.columns, counts.values, on_disk);
  index.other_offsets = std::move(by_words.offsets);
  index.other_documents = {by_words.places.numbers, std::move(by_words.places.owner)};
  index.other_counts = {by_words.values.numbers, std::move(by_words.values.owner)};
}

}  // namespace fewdim
