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

/// And where a number is not what it must be.
template <ModelShape S>
void require_sound(const Model::Head& head, const S& shape, const Matrix<double>& embedding, const std::string& who) {
  require_shapes(head, shape, who);
  SoundnessCheck numbers(who, SoundnessCheck::Depth::numbers);
  describe_to(shape, numbers);
  require_all_finite(shape.explained_variance, "explained_variance", who);
  if (!std::isfinite(shape.total_variance)) throw DataError(fmt::format("{}: the total variance is not finite", who));
  require_values(shape, who);
  require_all_finite(embedding, "embedding", who);
  if (embedding.size() > 0) require_size(embedding.cols(), components_of(shape), "embedding", who);
}

}  // namespace fewdim
