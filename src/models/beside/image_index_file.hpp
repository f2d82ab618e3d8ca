#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fewdim/image_index.hpp"
#include "fewdim/model.hpp"
#include "models/file/arrays.hpp"

namespace fewdim {

/// Names and labels of a model's images as arrays of an archive, and the rest in its metadata.
void add_images(Archive& archive, const ImageIndex& images);
nlohmann::ordered_json images_json(const ImageIndex& images);

/// What images_json() has written; throws DataError "<what> ...".
ImageIndex parse_images(const nlohmann::json& object, const std::string& what);
void read_images(ArrayReader& arrays, ImageIndex& images);
/// Throws DataError "<who>: ..." where the parts do not fit each other or the model.
void require_sound(const ImageIndex& images, const Model& model, const std::string& who);

}  // namespace fewdim
