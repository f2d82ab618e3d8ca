#include "models/beside/image_index_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "models/file/checks.hpp"
#include "models/file/strict_json.hpp"

namespace fewdim {

namespace {

constexpr Index longest_side = 1'000'000'000;  // so that the product of two sides and the channels is an Index

}  // namespace

void add_images(Archive& archive, const ImageIndex& images) {
  add_texts(archive, "image_names", images.names);
  add_texts(archive, "image_labels", images.labels);
}

nlohmann::ordered_json images_json(const ImageIndex& images) {
  return {{"height", images.height}, {"width", images.width},           {"channels", images.channels},
          {"white", images.white},   {"face_limit", images.face_limit}, {"face_share", images.face_share}};
}

ImageIndex parse_images(const nlohmann::json& object, const std::string& what) {
  JsonFields fields(object, what);
  ImageIndex images;
  images.height = fields.index("height");
  images.width = fields.index("width");
  images.channels = fields.index("channels");
  images.white = fields.number("white");
  images.face_limit = fields.number("face_limit");
  images.face_share = fields.number("face_share");
  fields.done();
  return images;
}

void read_images(ArrayReader& arrays, ImageIndex& images) {
  images.names = arrays.texts("image_names");
  images.labels = arrays.texts("image_labels");
}

void require_sound(const ImageIndex& images, const Model& model, const std::string& who) {
  require_model(images.height > 0 && images.width > 0 && images.height <= longest_side &&
                    images.width <= longest_side && (images.channels == 1 || images.channels == 3),
                who, "its images have no shape");
  require_model(model.is_linear() && images.pixels() == model.features(), who,
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
