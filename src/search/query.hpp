#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/model.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "search/scores.hpp"

namespace fewdim {

/// A text in the space of a model.
struct Query {
  std::vector<CountedTerm> terms;   ///< that have a place among the concepts, rising
  std::vector<CountedTerm> others;  ///< words that have none, by their numbers in TextIndex::words(), rising
  std::vector<std::string> known, unknown;
  std::vector<OutsideWord> outside;  ///< those of `known` that are in `others`
  std::vector<float> place;          ///< of unit length; empty where no term is known, or none weighs anything
};

Query query_of(const Model& model, std::string_view text, const Execution& exec);

/// Terms and other words.
std::vector<CountedTerm> all_words(const Query& query);

/// The share of BM25 in the score of a query where `match` was asked for. The cosine knows nothing of words that have
/// no place among the concepts, so it counts for the others' share of the query alone: with idf as BM25 has it, match +
/// (1 − match) · Σ idf of those words / Σ idf of all. 0 stays 0.
double share_of_match(const TextIndex& index, const Query& query, double match);

/// Words of the collection that are written nearly like `word`: one letter changed, added, left out or two swapped, or
/// two such steps in a longer word. The most frequent of the nearest first.
std::vector<std::string> near_spellings(const TextIndex& index, std::string_view word, Index count);

/// How a word is shown to a person: a stem as the word that stands for it most often in its first documents.
std::string shown_term(const TextIndex& index, Index word);

}  // namespace fewdim
