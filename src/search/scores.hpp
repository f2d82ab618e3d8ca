#pragma once

#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

/// A term, or another word by its number in TextIndex::words(), and how often a text has it.
struct CountedTerm {
  Index term = 0;
  float count = 0.0F;
};

/// Cosines of all documents with a query of unit length, in float32: N×k numbers are read once, by all threads. Each is
/// summed in the same order at any thread count.
std::vector<float> cosines_of(const TextIndex& index, const std::vector<float>& query, const Execution& exec);

/// ln(1 + (N − n + ½)/(n + ½)) of a word that n of N documents hold.
double inverse_frequency(const TextIndex& index, Index word);

/// BM25 (Robertson & Zaragoza 2009), k1 = 1.2, b = 0.75, of all documents.
std::vector<float> bm25_of(const TextIndex& index, const std::vector<CountedTerm>& query);
/// What each word of the query adds to the BM25 of one document.
std::vector<double> bm25_parts(const TextIndex& index, const std::vector<CountedTerm>& query, Index document);

/// The numbers of the `count` largest that are above `floor`, largest first, ties to the lower number.
std::vector<Index> largest_of(const std::vector<float>& scores, Index count, float floor);

}  // namespace fewdim
