#pragma once

#include <string>
#include <vector>

#include "fewdim/documents.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// How documents come into, or go out of, a collection that is fitted.
enum class Revision {
  fold,   ///< the map stays: new documents are placed by it, as queries are. Fast; how well it holds them is measured
  update  ///< the SVD is updated (Zha & Simon 1999): what the whole collection's would be, on the retained space
};

/// What a change of the collection did.
struct RevisionReport {
  Index documents = 0;          ///< added or removed
  double outside = 0.0;         ///< fold: mean share of the new documents' squares that lies outside of the map
  double outside_of_fit = 0.0;  ///< the same share of the documents of the fit
  double unknown_words = 0.0;   ///< share of the new documents' words that are no terms of the collection
  double discarded = 0.0;       ///< update: share of the sum of squares that the kept concepts don't hold
};

/// The collection with documents added. Terms and their weights stay those of the fit; words that are none of them are
/// found by matching. An id that is there is an error.
FEWDIM_API Model add_documents(const Model& model, DocumentSource& documents, Revision how, RevisionReport& report,
                               const Execution& exec = {});
/// The collection without some documents. Throws DataError for an id that is not there, and where none would be left.
FEWDIM_API Model remove_documents(const Model& model, const std::vector<std::string>& ids, Revision how,
                                  RevisionReport& report, const Execution& exec = {});

}  // namespace fewdim
