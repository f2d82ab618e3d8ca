#include "stream.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <string>
#include <utility>

#include "calls.hpp"
#include "fewdim/error.hpp"

namespace fewdim::python {

namespace {

/// Called by the engine's threads without the interpreter's lock. An exception of Python's passes through the engine
/// and comes out of the call as it was.
class BatchStream : public RowStream {
 public:
  BatchStream(Index cols, bool single, std::optional<Index> rows, py::object next, py::object rewind)
      : cols_(cols), single_(single), rows_(rows), rewindable_(!rewind.is_none()) {
    next_ = next.ptr();
    rewind_ = rewind.ptr();
    next_owner_ = keep_alive(std::move(next));
    rewind_owner_ = keep_alive(std::move(rewind));
  }

  Index cols() const override { return cols_; }
  std::optional<Index> rows() const override { return rows_; }
  Precision precision() const override { return single_ ? Precision::float32 : Precision::float64; }
  bool rewindable() const override { return rewindable_; }
  void rewind() override {
    if (!rewindable_)
      throw Unsupported("the batches can be read once only; wrap something that can be iterated again in Batches(...)");
    const py::gil_scoped_acquire lock;
    py::reinterpret_borrow<py::object>(rewind_)();
    batch_owner_.reset();
    left_ = 0;
  }
  Index read(double* out, Index max_rows) override { return fill(out, max_rows); }
  Index read(float* out, Index max_rows) override { return fill(out, max_rows); }

 private:
  template <class T>
  Index fill(T* out, Index max_rows) {
    Index filled = 0;
    while (filled < max_rows && (left_ > 0 || fetch())) {
      const Index count = std::min(left_, max_rows - filled);
      copy(out + filled * cols_, count * cols_);
      filled += count;
    }
    return filled;
  }

  template <class T>
  void copy(T* out, Index count) {
    const auto take = [&](const auto* from) {
      for (Index i = 0; i < count; ++i) out[i] = static_cast<T>(from[i]);
      at_ = from + count;
    };
    if (single_)
      take(static_cast<const float*>(at_));
    else
      take(static_cast<const double*>(at_));
    left_ -= count / cols_;
  }

  /// The next batch that has rows; false at the end.
  bool fetch() {
    const py::gil_scoped_acquire lock;
    while (left_ == 0) {
      const py::object got = py::reinterpret_borrow<py::object>(next_)();
      if (got.is_none()) return false;
      const bool right = single_ ? py::isinstance<py::array_t<float, py::array::c_style>>(got)
                                 : py::isinstance<py::array_t<double, py::array::c_style>>(got);
      const auto batch = py::reinterpret_borrow<py::array>(got);
      if (!right || batch.ndim() != 2 || batch.shape(1) != cols_)
        throw py::value_error("a batch of " + std::to_string(cols_) + " columns in C order is needed");
      at_ = batch.data();
      left_ = batch.shape(0);
      batch_owner_ = keep_alive(batch);
    }
    return true;
  }

  Index cols_;
  bool single_;
  std::optional<Index> rows_;
  bool rewindable_;
  PyObject *next_, *rewind_;
  std::shared_ptr<const void> next_owner_, rewind_owner_, batch_owner_;
  const void* at_ = nullptr;
  Index left_ = 0;
};

}  // namespace

std::shared_ptr<RowStream> batch_stream(Index cols, bool single, std::optional<Index> rows, py::object next,
                                        py::object rewind) {
  return std::make_shared<BatchStream>(cols, single, rows, std::move(next), std::move(rewind));
}

}  // namespace fewdim::python
