#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "fewdim/execution.hpp"

namespace fewdim::python {

namespace py = pybind11;

/// A Python object that may be dropped by any thread, whether it holds the interpreter's lock or not.
std::shared_ptr<const void> keep_alive(py::object object);

/// How a call from Python may use the machine.
struct Call {
  int threads = 0;
  std::uint64_t memory_limit = 0;
  py::object callback = py::none();  ///< callback(stage, done, total); False stops the call
};

/// Runs `work` without the interpreter's lock. From the main thread it runs in a thread of its own, while the main one
/// looks for signals twenty times a second: Ctrl-C is raised at once, and the work ends at its next report of progress.
/// As it may outlive the call, it has to own all that it touches.
void run(const Call& call, std::function<void(const Execution&)> work);

/// The same with a result.
template <class Work>
auto compute(const Call& call, Work work) {
  using Result = std::invoke_result_t<Work&, const Execution&>;
  auto result = std::make_shared<std::optional<Result>>();
  run(call, [result, work = std::move(work)](const Execution& exec) mutable { result->emplace(work(exec)); });
  return std::move(**result);
}

/// Stops the work that an interrupt has left behind and waits for it: the interpreter is about to end.
void stop_left_behind();

}  // namespace fewdim::python
