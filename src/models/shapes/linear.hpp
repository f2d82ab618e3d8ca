#pragma once

#include <string>

#include "base/index.hpp"
#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"
#include "models/shapes/shape.hpp"

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

inline const char* shape_name(const LinearModel&) { return "linear"; }
void describe(LinearModel& model, ModelFields& fields);
void require_fit(const Model::Head& head, const LinearModel& model, const std::string& who);
void require_values(const LinearModel& model, const std::string& who);
Dataset place(const LinearModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec);
void require_way_back(const LinearModel& model, const Model::Head& head);
Dataset back(const LinearModel& model, const Model::Head& head, const Dataset& coordinates, const Execution& exec);
inline std::string new_object(const LinearModel&) { return {}; }
const std::vector<std::int32_t>& left_out_of(const LinearModel& model);
inline const Matrix<double>* places_of(const LinearModel&) { return nullptr; }
inline std::optional<Metric> metric_of(const LinearModel&) { return {}; }
inline bool takes_text(const LinearModel&) { return false; }
Vector<double> eigenvalues_of(const LinearModel& model, const Model::Head& head);
inline double variance_divisor(const LinearModel&) { return 1.0; }

static_assert(ModelShape<LinearModel>);

}  // namespace fewdim
