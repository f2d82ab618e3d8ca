#include "calls.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fewdim::python {

namespace {

using namespace std::chrono_literals;

constexpr auto signal_period = 50ms;
constexpr auto clean_stop = 200ms;  ///< an interrupted call waits as long for its work to end

struct Job {
  std::function<void(const Execution&)> work;
  std::shared_ptr<const void> callback_owner;
  PyObject* callback = nullptr;  ///< null: none
  std::atomic<bool> cancelled = false;
  std::exception_ptr raised;  ///< by the callback
  std::exception_ptr error;   ///< by the work

  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;

  bool go_on(const Progress& progress) {
    if (cancelled) return false;
    if (callback == nullptr) return true;
    const py::gil_scoped_acquire lock;
    try {
      const py::object answer = py::reinterpret_borrow<py::object>(callback)(
          py::str(progress.stage.data(), progress.stage.size()), progress.done, progress.total);
      return answer.ptr() != Py_False;
    } catch (const py::error_already_set&) {
      raised = std::current_exception();
      return false;
    }
  }

  void execute(Execution exec) {
    exec.progress = [this](const Progress& progress) { return go_on(progress); };
    try {
      work(exec);
    } catch (...) {
      error = std::current_exception();
    }
    // What Python owns goes before anyone is told of the end: afterwards the interpreter may be ending, too.
    work = {};
    callback = nullptr;
    callback_owner.reset();
    if (cancelled) raised = error = nullptr;  // nobody asks
  }

  void finish() {
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
  }

  template <class Period>
  bool wait(Period period) {
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, period, [this] { return done; });
  }
};

std::mutex left_behind_mutex;
std::vector<std::shared_ptr<Job>>& left_behind() {
  static std::vector<std::shared_ptr<Job>> jobs;
  return jobs;
}

bool in_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  const py::object main = threading.attr("main_thread")().attr("ident"), here = threading.attr("get_ident")();
  return main.equal(here);
}

/// Waits for the end of a job while signals are looked for; throws what a signal's handler raised.
void wait_with_signals(const std::shared_ptr<Job>& job) {
  const py::gil_scoped_release unlocked;
  while (!job->wait(signal_period)) {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) continue;
    py::error_already_set interrupt;
    job->cancelled = true;
    bool stopped = false;
    {
      const py::gil_scoped_release again;
      stopped = job->wait(clean_stop);
    }
    if (!stopped) {
      const std::lock_guard guard(left_behind_mutex);
      std::erase_if(left_behind(), [](const auto& old) { return old->wait(0ms); });
      left_behind().push_back(job);
    }
    throw interrupt;
  }
}

}  // namespace

std::shared_ptr<const void> keep_alive(py::object object) {
  return {object.release().ptr(), [](const void* held) {
            const py::gil_scoped_acquire lock;
            Py_DECREF(static_cast<PyObject*>(const_cast<void*>(held)));
          }};
}

void run(const Call& call, std::function<void(const Execution&)> work) {
  auto job = std::make_shared<Job>();
  job->work = std::move(work);
  if (!call.callback.is_none()) {
    job->callback = call.callback.ptr();
    job->callback_owner = keep_alive(call.callback);
  }
  Execution exec;
  exec.threads = call.threads;
  exec.memory_limit = call.memory_limit;
  if (in_main_thread()) {
    std::thread([job, exec]() mutable {
      job->execute(exec);
      job->finish();
    }).detach();
    wait_with_signals(job);
  } else {
    const py::gil_scoped_release unlocked;
    job->execute(exec);
  }
  if (job->raised) std::rethrow_exception(job->raised);
  if (job->error) std::rethrow_exception(job->error);
}

void stop_left_behind() {
  const py::gil_scoped_release unlocked;
  const std::lock_guard guard(left_behind_mutex);
  for (const auto& job : left_behind()) job->cancelled = true;
  for (const auto& job : left_behind())
    while (!job->wait(1s)) continue;
  left_behind().clear();
}

}  // namespace fewdim::python
