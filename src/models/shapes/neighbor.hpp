#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"
#include "models/shapes/shape.hpp"

namespace fewdim {

/// The weight of a link of this length: exp(−d²/t), 1 where the bandwidth t is 0, or the given number where it is −1.
double link_weight(double length, double bandwidth);

/// The numbers of Model::transform for the neighbor shape. No row's place depends on those beside it. Results are of
/// `precision`.
Dataset neighbor_transform(const NeighborModel& model, const Dataset& data, Precision precision, const Execution& exec);

/// Weights back to the input: those that rebuild the coordinates from the nearest places, on the rows that have them.
Dataset neighbor_inverse(const NeighborModel& model, const Dataset& coordinates, Precision precision,
                         const Execution& exec);

inline const char* shape_name(const NeighborModel&) { return "neighbor"; }
void describe(NeighborModel& model, ModelFields& fields);
void require_fit(const Model::Head& head, const NeighborModel& model, const std::string& who);
void require_values(const NeighborModel& model, const std::string& who);
Index features_of(const NeighborModel& model);
inline Index components_of(const NeighborModel& model) { return model.configuration.cols(); }
Dataset place(const NeighborModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec);
void require_way_back(const NeighborModel& model, const Model::Head& head);
Dataset back(const NeighborModel& model, const Model::Head& head, const Dataset& coordinates, const Execution& exec);
std::string new_object(const NeighborModel& model);
inline const std::vector<std::int32_t>& left_out_of(const NeighborModel& model) { return model.left_out; }
inline const Matrix<double>* places_of(const NeighborModel& model) { return &model.configuration; }
std::optional<Metric> metric_of(const NeighborModel& model);
inline bool takes_text(const NeighborModel&) { return false; }
inline Vector<double> eigenvalues_of(const NeighborModel& m, const Model::Head&) { return m.explained_variance; }
double variance_divisor(const NeighborModel& model);

static_assert(ModelShape<NeighborModel>);

}  // namespace fewdim
