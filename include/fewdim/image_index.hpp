#pragma once

#include <string>
#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// What a model of images has beside its linear map: how a row is a picture, and what was seen.
struct ImageIndex {
  Index height = 0, width = 0;
  Index channels = 1;                 ///< 1: gray, 3: red, green and blue of a pixel side by side
  double white = 1.0;                 ///< the number that stands for white; black is 0
  std::vector<std::string> names{};   ///< one a training image
  std::vector<std::string> labels{};  ///< one a training image, or none
  /// Largest distance to the space of the components at which an image counts as one of this kind: the quantile
  /// `face_share` of the distances of images that were held out of a fit. 0: not known.
  double face_limit = 0.0;
  double face_share = 0.99;

  Index pixels() const { return height * width * channels; }
};

}  // namespace fewdim
