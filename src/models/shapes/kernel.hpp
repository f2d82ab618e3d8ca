#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// The numbers of Model::transform for the kernel shape: each new object is compared with all training objects, tile by
/// tile, and its centered similarities are combined. Rows are computed in blocks of one size, so that the place of one
/// does not depend on those that come with it. Results are of `precision`.
Dataset kernel_transform(const KernelModel& model, const Dataset& data, Precision precision, const Execution& exec);

/// Throws DataError "<who>: ..." where the parts' sizes do not fit each other.
void require_shapes(const Model::Head& head, const KernelModel& model, const std::string& who);
/// And where a number is not finite.
void require_sound(const Model::Head& head, const KernelModel& model, const Matrix<double>& embedding,
                   const std::string& who);

}  // namespace fewdim
