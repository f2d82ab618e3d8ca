#include <pybind11/pybind11.h>

#include <string>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/error.hpp"
#include "fewdim/version.hpp"
#include "functions.hpp"
#include "models.hpp"
#include "options.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

/// The exception of fewdim._errors that stands for an error of the engine.
const char* error_name(const Error& error) {
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
    const py::object type = py::module_::import("fewdim._errors").attr(error_name(error));
    const py::object words = py::module_::import("fewdim._words").attr("with_first_words")(error.message(speak_python));
    PyErr_SetObject(type.ptr(), words.ptr());
  }
}

/// NumPy 2 has another layout of a type's description, which pybind11 knows from 2.12 on; before, it takes the size of
/// an item to be 0 and gives wrong numbers without a word.
void require_numpy() {
#if PYBIND11_VERSION_MAJOR == 2 && PYBIND11_VERSION_MINOR < 12
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (std::stoi(version) >= 2)
    throw py::import_error(
        "fewdim was built with pybind11 " PYBIND11_TOSTRING(PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(
            PYBIND11_VERSION_MINOR) ", which would read arrays of NumPy " +
        version +
        " wrongly: build it with pybind11 2.12 or later, as `pip install .` in its source folder does, or "
        "install numpy<2");
#endif
}

}  // namespace

}  // namespace fewdim::python

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace fewdim::python;
  require_numpy();
  module.doc() = "The engine, as it is. Use the classes and functions of fewdim instead.";
  module.attr("version") = FEWDIM_VERSION;
  module.attr("pybind11_version") = py::make_tuple(PYBIND11_VERSION_MAJOR, PYBIND11_VERSION_MINOR);
  py::register_exception_translator(&translate);
  bind_data(module);
  bind_methods(module);
  bind_models(module);
  bind_functions(module);
  bind_search(module);
  bind_recommend(module);
  bind_plots(module);
  bind_tables(module);
  bind_ranking(module);
  bind_images(module);
  bind_faces(module);
  bind_measures(module);
  bind_documents(module);
  bind_ratings(module);
  bind_results(module);
  py::module_::import("atexit").attr("register")(py::cpp_function(&stop_left_behind));
}
