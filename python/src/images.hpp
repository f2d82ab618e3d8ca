#pragma once

#include <pybind11/numpy.h>

#include "fewdim/images.hpp"

namespace fewdim::python {

namespace py = pybind11;

/// Images as Python holds them: rows of a data set.
struct Pictures {
  ImageSet set;
};

/// Height × width, or height × width × 3, of float32.
using Pixels = py::array_t<float, py::array::c_style | py::array::forcecast>;
Image image_of(const Pixels& pixels);
py::array array_of_image(const Image& image);

}  // namespace fewdim::python
