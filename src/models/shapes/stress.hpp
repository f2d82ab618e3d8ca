#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// The disparity that stands for a dissimilarity, as the fit found it.
double disparity_of(const StressModel& model, double dissimilarity);

/// The numbers of Model::transform for the stress shape: each new object alone, by majorization of its own stress from
/// Gower's place on. Results are of `precision`.
Dataset stress_transform(const StressModel& model, const Dataset& data, Precision precision, const Execution& exec);

/// Throws DataError "<who>: ..." where the parts' sizes do not fit each other.
void require_shapes(const Model::Head& head, const StressModel& model, const std::string& who);
/// And where a number is not what it must be.
void require_sound(const Model::Head& head, const StressModel& model, const Matrix<double>& embedding,
                   const std::string& who);

}  // namespace fewdim
