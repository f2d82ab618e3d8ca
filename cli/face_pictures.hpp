#pragma once

#include "fewdim/faces.hpp"
#include "fewdim/plot.hpp"

namespace fewdim::cli {

/// The mean and the first components, each with its number and share. Components are drawn from their largest magnitude
/// below zero, black, to the same above, white.
ImageGrid face_gallery(const Model& model, Index components);

/// One image by growing numbers of components, and itself, each with its PSNR.
ImageGrid reconstruction_strip(const Model& model, const Image& image, const std::string& name);

/// New images in the first line, what the components show of them in the second, their nearest known images, as the
/// components show those, in the third.
ImageGrid recognition_sheet(const Model& model, const ImageSet& images, const Recognition& found);

}  // namespace fewdim::cli
