#pragma once

#include "fewdim/smacof.hpp"

namespace fewdim {

/// Throws InvalidOption unless it is a number from 1 to the objects less 1; -1 objects: not known.
void require_map_size(const Components& components, Index objects);

}  // namespace fewdim
