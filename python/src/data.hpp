#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"

namespace fewdim::python {

namespace py = pybind11;

/// A data set as Python holds it. The numbers of an array stay where they are.
struct Data {
  Dataset set;
};

/// The numbers of a data set as an array: they stay where they are, and the array keeps them alive.
py::array array_of(const Dataset& data);

/// Numbers that belong to `owner` as an array that can't be written to.
template <class T>
py::array array_view(const T* numbers, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
                     const py::object& owner) {
  for (py::ssize_t& stride : strides) stride *= static_cast<py::ssize_t>(sizeof(T));
  py::array view(py::dtype::of<T>(), std::move(shape), std::move(strides), numbers, owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

void bind_data(py::module_& module);

}  // namespace fewdim::python
