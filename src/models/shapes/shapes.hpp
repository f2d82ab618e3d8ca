#pragma once

#include "models/file/checks.hpp"
#include "models/shapes/kernel.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/neighbor.hpp"
#include "models/shapes/stress.hpp"
#include "models/soundness.hpp"

/// Every shape of Model's variant, and what they have in common.
namespace fewdim {

/// Throws DataError "<who>: ..." where the parts' sizes do not fit each other.
template <ModelShape S>
void require_shapes(const Model::Head& head, const S& shape, const std::string& who) {
  require_fit(head, shape, who);
  SoundnessCheck sizes(who, SoundnessCheck::Depth::sizes);
  describe_to(shape, sizes);
  require_components(head, shape, components_of(shape), who);
}

}  // namespace fewdim
