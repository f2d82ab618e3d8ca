#pragma once

#include <string>

#include "fewdim/export.hpp"
#include "fewdim/model.hpp"
#include "fewdim/remedy.hpp"

/// Models in words.
namespace fewdim {

/// What a person wants to know of a model, in about 20 lines; warnings name options in the words of the front.
FEWDIM_API std::string summary(const Model& model, Speech speech = speak_cpp);
/// The same and more as one JSON document.
FEWDIM_API std::string json_report(const Model& model, Speech speech = speak_cpp);

}  // namespace fewdim
