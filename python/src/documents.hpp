#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>

#include "fewdim/documents.hpp"

namespace fewdim::python {

/// Opens documents when a call has begun.
using OpenDocuments = std::function<std::unique_ptr<DocumentSource>(const Execution&)>;

/// Of a dictionary with "texts" and "ids", or with "paths" and the options of reading.
OpenDocuments documents_of(const pybind11::dict& source);

/// Rankings against judgments.
void bind_evaluation(pybind11::module_& module);

}  // namespace fewdim::python
