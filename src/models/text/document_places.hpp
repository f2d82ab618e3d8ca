#pragma once

#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

/// Documents in the space of a model, as an index keeps them.
struct DocumentPlaces {
  SharedArray<float> places;  ///< N×k, one row after the other, each of unit length or 0
  std::vector<float> norms;
  double outside = 0.0;  ///< mean share of ‖x‖² that the directions of the map don't hold, of rows that are not 0
};

/// `rows`: weighted terms, float32 and sparse. Taken by blocks: memory beyond the result is small.
/// `on_disk`: the places go to a file without a name.
DocumentPlaces place_documents(const LinearModel& map, const Dataset& rows, bool on_disk, const Execution& exec);

}  // namespace fewdim
