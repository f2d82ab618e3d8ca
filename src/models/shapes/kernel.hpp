#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"
#include "models/shapes/shape.hpp"

namespace fewdim {

/// The numbers of Model::transform for the kernel shape: each new object is compared with all training objects, tile by
/// tile, and its centered similarities are combined. Rows are computed in blocks of one size, so that the place of one
/// does not depend on those that come with it. Results are of `precision`.
Dataset kernel_transform(const KernelModel& model, const Dataset& data, Precision precision, const Execution& exec);

inline const char* shape_name(const KernelModel&) { return "kernel"; }
void describe(KernelModel& model, ModelFields& fields);
void require_fit(const Model::Head& head, const KernelModel& model, const std::string& who);
void require_values(const KernelModel& model, const std::string& who);
Index features_of(const KernelModel& model);
inline Index components_of(const KernelModel& model) { return model.coefficients.cols(); }
Dataset place(const KernelModel& model, const Model::Head& head, const Dataset& rows, const Execution& exec);
void require_way_back(const KernelModel& model, const Model::Head& head);
Dataset back(const KernelModel& model, const Model::Head& head, const Dataset& coordinates, const Execution& exec);
std::string new_object(const KernelModel& model);
inline const std::vector<std::int32_t>& left_out_of(const KernelModel& model) { return model.paths.left_out; }
inline const Matrix<double>* places_of(const KernelModel&) { return nullptr; }
std::optional<Metric> metric_of(const KernelModel& model);
inline bool takes_text(const KernelModel& model) { return model.kernel == KernelKind::spectrum; }
Vector<double> eigenvalues_of(const KernelModel& model, const Model::Head& head);
double variance_divisor(const KernelModel& model);

static_assert(ModelShape<KernelModel>);

}  // namespace fewdim
