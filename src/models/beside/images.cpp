#include <fmt/format.h>

#include <cmath>

#include "models/beside/beside.hpp"
#include "models/file/checks.hpp"

namespace fewdim {

void describe(ImageIndex& images, ModelFields& f) {
  f.value("height", images.height);
  f.value("width", images.width);
  f.value("channels", images.channels);
  f.value("white", images.white);
  f.value("face_limit", images.face_limit);
  f.value("face_share", images.face_share);
  f.texts("image_names", images.names);
  f.texts("image_labels", images.labels);
}

void require_sound(const ImageIndex& images, const Model& model, const std::string& who) {
  constexpr Index longest_side = 1'000'000'000;  // so that the product of two sides and the channels is an Index
  require_model(images.height > 0 && images.width > 0 && images.height <= longest_side &&
                    images.width <= longest_side && (images.channels == 1 || images.channels == 3),
                who, "its images have no shape");
  require_model(model.as<LinearModel>() != nullptr && images.pixels() == model.features(), who,
                "its images are not as large as its map");
  require_model(std::isfinite(images.white) && images.white > 0.0, who, "its white is not positive");
  require_model(std::isfinite(images.face_limit) && images.face_limit >= 0.0 && images.face_share > 0.0 &&
                    images.face_share <= 1.0,
                who, "its limit of distances is no limit");
  require_model(model.has_embedding(), who, "its images have no coordinates");
  require_model(std::ssize(images.names) == model.embedding().rows(), who, "its images have no names");
  require_size(std::ssize(images.labels), model.embedding().rows(), "image_labels", who);
}

}  // namespace fewdim
