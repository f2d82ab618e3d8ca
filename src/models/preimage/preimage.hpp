#pragma once

#include <string>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// Why there is no such way back from a model of that kernel, and what to use instead; empty: there is one. `all`: the
/// model compares with all training rows; `fourier`: with none of them.
std::string no_way_back(Preimage kind, KernelKind kernel, Index degree, bool all, bool fourier);

/// The numbers of Model::inverse_transform for a kernel model that has a way back. Rows are computed in blocks of one
/// size, so that one does not depend on those that come with it. Results are of `precision`.
Dataset kernel_inverse(const KernelModel& model, const Dataset& coordinates, Precision precision,
                       const Execution& exec);

}  // namespace fewdim
