#pragma once

#include "fewdim/dataset.hpp"
#include "fewdim/documents.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/options.hpp"
#include "fewdim/words.hpp"

namespace fewdim {

/// Where documents and queries meet. With A ≈ U Σ Vᵀ the weighted terms of the documents and q those of a query:
enum class Folding {
  projection,  ///< qV beside the rows of UΣ = AV: a concept counts as much as it holds
  scaled       ///< qVΣ⁻¹ beside the rows of U: every concept counts the same
};

struct LsiOptions {
  Components components = "auto";  ///< auto: by the number of documents, see choose_concepts()
  WordOptions words{};
  Weighting weighting = Weighting::log_entropy;
  bool normalize = true;  ///< documents to unit length before the factorization
  Folding folding = Folding::projection;
  bool keep_texts = true;  ///< for snippets
  double tolerance = 0.0;  ///< of each residual, relative to its own eigenvalue of AᵀA; 0: 1e-6
  Seed seed = 0;
};

/// Latent semantic indexing (Deerwester et al. 1990): the truncated SVD of weighted terms, not centered, with all that
/// is needed to search. One pass over the documents. A k beyond the rank becomes the rank, with a warning.
FEWDIM_API Model fit_lsi(DocumentSource& documents, const LsiOptions& options = {}, const Execution& exec = {});
/// The same of texts that are in memory; row names are the ids.
FEWDIM_API Model fit_lsi(const Dataset& texts, const LsiOptions& options = {}, const Execution& exec = {});
/// The shape of the matrix that a fit would decompose: its words have to be counted for it.
FEWDIM_API DataShape lsi_shape(DocumentSource& documents, const LsiOptions& options = {}, const Execution& exec = {});
FEWDIM_API LsiOptions lsi_options(const OptionMap& map);
FEWDIM_API const MethodCard& lsi_card();

/// Concepts that collections of this size were found to need: 100 for a thousand documents, 300 for a hundred thousand,
/// 500 for a million (Bradford 2008); and never more than a fifth of the documents or terms.
FEWDIM_API Index choose_concepts(Index documents, Index terms);

}  // namespace fewdim
