#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/model.hpp"
#include "search/scores.hpp"

namespace fewdim {

/// A text in the space of a model.
struct Query {
  std::vector<CountedTerm> terms;  ///< known ones, rising
  std::vector<std::string> known, unknown;
  std::vector<float> place;  ///< of unit length; empty where no term is known, or none weighs anything
};

Query query_of(const Model& model, std::string_view text, const Execution& exec);

/// Words of the collection that are written nearly like `word`: one letter changed, added, left out or two swapped, or
/// two such steps in a longer word. The most frequent of the nearest first.
std::vector<std::string> near_spellings(const TextIndex& index, std::string_view word, Index count);

/// How a term is shown to a person: a stem as the word that stands for it most often in its first documents.
std::string shown_term(const TextIndex& index, Index term);

}  // namespace fewdim
