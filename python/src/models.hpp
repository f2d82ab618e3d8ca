#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "fewdim/model.hpp"

namespace fewdim::python {

/// A model as Python holds it: never changed, so that a call that was interrupted may go on with it.
struct FittedModel {
  std::shared_ptr<const Model> model;
};

void bind_models(pybind11::module_& module);

/// PCA of rows that come in parts.
void bind_parts(pybind11::module_& module);

}  // namespace fewdim::python
