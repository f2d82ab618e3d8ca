#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"
#include "models/shapes/shape.hpp"

namespace fewdim {

/// The disparity that stands for a dissimilarity, as the fit found it.
double disparity_of(const StressModel& model, double dissimilarity);

/// The numbers of Model::transform for the stress shape: each new object alone, by majorization of its own stress from
/// Gower's place on. Results are of `precision`.
Dataset stress_transform(const StressModel& model, const Dataset& data, Precision precision, const Execution& exec);

inline const char* shape_name(const StressModel&) { return "stress"; }
void describe(StressModel& model, ModelFields& fields);
void require_fit(const Model::Head& head, const StressModel& model, const std::string& who);
void require_values(const StressModel& model, const std::string& who);
Index features_of(const StressModel& model);
inline Index components_of(const StressModel& model) { return model.configuration.cols(); }
Dataset place(const StressModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec);
void require_way_back(const StressModel& model, const Model::Head& head);
Dataset back(const StressModel& model, const Model::Head& head, const Dataset& coordinates, const Execution& exec);
inline std::string new_object(const StressModel& model) { return model.objects.size() > 0 ? "" : "distance"; }
const std::vector<std::int32_t>& left_out_of(const StressModel& model);
inline const Matrix<double>* places_of(const StressModel& model) { return &model.configuration; }
inline std::optional<Metric> metric_of(const StressModel& model) { return model.metric; }
inline bool takes_text(const StressModel&) { return false; }
inline Vector<double> eigenvalues_of(const StressModel&, const Model::Head&) { return {}; }
inline double variance_divisor(const StressModel&) { return 1.0; }

static_assert(ModelShape<StressModel>);

}  // namespace fewdim
