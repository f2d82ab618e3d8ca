#pragma once

#include "fewdim/faces.hpp"

namespace fewdim {

/// The model of images that was asked for: eigenfaces, independent components or parts, with the images' coordinates.
Model fit_parts(const Dataset& rows, const Components& components, const FaceOptions& options, const Execution& exec);

/// What each image has off the components' space: its length.
Vector<double> distances_to_space(const Model& model, const Dataset& rows, const Execution& exec);

/// The picture that a component adds: a column for each.
inline const Matrix<double>& pictures_of(const LinearModel& linear) {
  return linear.inverse_map.size() > 0 ? linear.inverse_map : linear.map;
}

}  // namespace fewdim
