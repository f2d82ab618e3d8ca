#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// The numbers of Model::transform: y = diag(output_scale) · mapᵀ ((x − mean) / scale) for each row. The mean is taken
/// off each row before the product; sparse rows are never made dense: there, mapᵀ x / scale − const, in float64.
/// `single`: dense float32 rows are computed in float32.
Dataset linear_transform(const LinearModel& model, const Dataset& data, bool single, const Execution& exec);

/// Back by the inverse map, which for an orthonormal map is that one: x = mean + scale ∘ (map (y / output_scale)). A
/// component whose output_scale is 0 adds nothing. The inverse of a random map that is not kept is made here.
Dataset linear_inverse(const LinearModel& model, const Dataset& coordinates, bool single, const Execution& exec);

inline Index features_of(const LinearModel& model) {
  return model.random.features > 0 ? model.random.features : model.map.rows();
}
inline Index components_of(const LinearModel& model) {
  return model.random.features > 0 ? model.random.components : model.map.cols();
}

/// Directions of length 1 at right angles, whose scores are products: those of PCA and SVD.
inline bool is_orthonormal(const LinearModel& model) {
  return model.random.features == 0 && model.inverse_map.size() == 0 && model.row_fit == RowFit::product;
}

/// True when the model's numbers keep their precision as float32.
bool fits_single(const LinearModel& model);

/// Throws DataError "<who>: ..." where the parts' sizes do not fit each other.
void require_shapes(const Model::Head& head, const LinearModel& model, const std::string& who);
/// And where a number is not finite, or a scale not positive.
void require_sound(const Model::Head& head, const LinearModel& model, const Matrix<double>& embedding,
                   const std::string& who);

}  // namespace fewdim
