#pragma once

#include <map>
#include <string>
#include <vector>

#include "fewdim/model.hpp"
#include "fewdim/search.hpp"
#include "fewdim/text_index.hpp"
#include "search/query.hpp"

namespace fewdim {

/// The parts that a document's terms have in its cosine with a query of unit length: they sum to it. `text`: the
/// document's, where it is at hand; its terms are found faster in it than in all lists of the index.
std::map<Index, double> parts_of(const Model& model, Index document, const std::string* text,
                                 const std::vector<float>& query, const Execution& exec);

/// The piece of a text, of about `width` characters, whose words have the largest parts; those and the words of the
/// query are marked.
Snippet snippet_of(const TextIndex& index, const std::string& text, const std::map<Index, double>& parts,
                   const Query& query, Index width);

}  // namespace fewdim
