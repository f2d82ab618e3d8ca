#include <pybind11/pybind11.h>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/error.hpp"
#include "fewdim/version.hpp"
#include "functions.hpp"
#include "models.hpp"
#include "options.hpp"

namespace fewdim::python {

namespace {

/// The exception of fewdim._errors that stands for an error of the engine.
const char* name_of(const Error& error) {
  if (dynamic_cast<const Unsupported*>(&error) != nullptr) return "UnsupportedError";
  switch (error.kind()) {
    case ErrorKind::usage:
      return "OptionError";
    case ErrorKind::data:
      return dynamic_cast<const InvalidOption*>(&error) != nullptr ? "OptionError" : "DataError";
    case ErrorKind::io:
      return "FileError";
    case ErrorKind::not_converged:
      return "ConvergenceError";
    case ErrorKind::over_memory:
      return "MemoryLimitError";
    case ErrorKind::interrupted:
      return "Cancelled";
    case ErrorKind::internal:
      break;
  }
  return "EngineError";
}

void translate(std::exception_ptr held) {
  try {
    if (held) std::rethrow_exception(held);
  } catch (const Error& error) {
    const py::object type = py::module_::import("fewdim._errors").attr(name_of(error));
    PyErr_SetObject(type.ptr(), py::str(error.what()).ptr());
  }
}

}  // namespace

}  // namespace fewdim::python

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace fewdim::python;
  module.doc() = "The engine, as it is. Use the classes and functions of fewdim instead.";
  module.attr("version") = FEWDIM_VERSION;
  py::register_exception_translator(&translate);
  bind_data(module);
  bind_methods(module);
  bind_models(module);
  bind_functions(module);
  bind_search(module);
  bind_recommend(module);
  bind_plots(module);
  py::module_::import("atexit").attr("register")(py::cpp_function(&stop_left_behind));
}
