#pragma once

#include <string>

#include "fewdim/remedy.hpp"

namespace fewdim::python {

/// A note of the engine that is no error; fewdim._table.said() says the rest in the words of Python.
inline std::string noted(const std::string& marked) { return spoken(marked); }

}  // namespace fewdim::python
