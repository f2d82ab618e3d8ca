#pragma once

#include "fewdim/mds.hpp"

namespace fewdim {

/// Classical scaling of a few landmarks, and all others placed by their distances to them (de Silva & Tenenbaum 2004).
/// `data` are rows, or a full matrix of distances where the metric is precomputed; `settings` the options as the model
/// keeps them.
template <class C>
Model fit_landmark_mds(const Dataset& data, const MdsOptions& options, OptionMap settings, Metric metric,
                       const Execution& exec);

/// In the precision of the shape. Throws OverMemory.
Plan plan_landmark_mds(const DataShape& shape, Index landmarks, const Execution& exec);

}  // namespace fewdim
