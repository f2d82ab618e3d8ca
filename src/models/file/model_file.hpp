#pragma once

#include <string>

#include "fewdim/model.hpp"
#include "models/file/archive.hpp"

namespace fewdim {

/// A model's arrays and metadata as they are saved.
Archive archive_of(const Model& model);
/// The model an archive holds; throws DataError "<path>: ..." when it holds anything else.
Model model_of(const Archive& archive, const std::string& path);

}  // namespace fewdim
