#include "weights.hpp"

namespace fewdim::cli {

void RowWeights::declare(CLI::App& app) {
  if (!taken_) return;
  add_text(app, "--weights", file_, "FILE", "how much each row counts: a table of one column [1 each]", "Reading");
  add_text(app, "--weights-column", column_, "COLUMN",
           "the same from a column of the input, which is left out of the fit", "Reading");
}

InputSource RowWeights::weigh(InputSource source) const {
  source.weights = file_;
  source.weights_column = column_;
  return source;
}

}  // namespace fewdim::cli
