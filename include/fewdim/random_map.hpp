#pragma once

#include "fewdim/types.hpp"

namespace fewdim {

/// How a random map is drawn: independent normals; 0 and ±√(1/density) (Achlioptas 2003; Li, Hastie & Church 2006);
/// or rows of a Hadamard matrix after random signs (Ailon & Chazelle 2009).
enum class ProjectionKind { gaussian, sparse, hadamard };

/// A D×k map that is drawn again wherever it is needed instead of being kept: entry (j, c) is a function of the seed, j
/// and c. All three kinds have E[R Rᵀ] = I, so that lengths are kept on average.
struct RandomMap {
  ProjectionKind kind = ProjectionKind::gaussian;
  Index features = 0;  ///< D; 0: there is no such map
  Index components = 0;
  double density = 1.0;  ///< sparse: the share of entries that are not 0
  Seed seed = 0;
};

}  // namespace fewdim
