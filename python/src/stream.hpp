#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>

#include "fewdim/dataset.hpp"

namespace fewdim::python {

/// Rows from Python: next() gives an array in C order of float32 (`single`) or float64, or None at the end; rewind()
/// starts over, or is None where that can't be done.
std::shared_ptr<RowStream> batch_stream(Index cols, bool single, std::optional<Index> rows, pybind11::object next,
                                        pybind11::object rewind);

}  // namespace fewdim::python
