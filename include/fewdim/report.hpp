#pragma once

#include <string>

#include "fewdim/export.hpp"
#include "fewdim/model.hpp"
#include "fewdim/remedy.hpp"

namespace fewdim {

/// Model::summary() with options named in the words of a front.
FEWDIM_API std::string summary_of(const Model& model, Speech speech);
/// Model::json() likewise.
FEWDIM_API std::string json_of(const Model& model, Speech speech);

}  // namespace fewdim
