#pragma once

#include <string>

#include "fewdim/export.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// The bytes that Model::save() would write: to send a model through a pipe, a pickle or a database.
FEWDIM_API std::string model_bytes(const Model& model);
/// The model that such bytes, or those of a model file, hold; `name` stands for the file in messages. Throws DataError
/// where they are no whole model.
FEWDIM_API Model model_from_bytes(std::string bytes, const std::string& name = "model");

}  // namespace fewdim
