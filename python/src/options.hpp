#pragma once

#include <pybind11/pybind11.h>

#include "fewdim/options.hpp"
#include "fewdim/plan.hpp"

namespace fewdim::python {

namespace py = pybind11;

/// None leaves an option at its default.
OptionMap option_map(const py::dict& options);
/// As the package keeps it: numbers and words.
py::dict plan_dict(const Plan& plan);
py::dict dict_of(const OptionMap& map);

/// The cards of all methods, and the plan of a fit.
void bind_methods(py::module_& module);

}  // namespace fewdim::python
