#include "data.hpp"

#include <pybind11/eigen.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <thread>

#include "calls.hpp"
#include "stream.hpp"

namespace fewdim::python {

namespace {

template <class T>
bool holds(const py::array& array) {
  return py::isinstance<py::array_t<T>>(array);
}

template <class T>
Dataset dense_of(const py::array& array) {
  constexpr auto size = static_cast<py::ssize_t>(sizeof(T));
  if (array.strides(0) % size != 0 || array.strides(1) % size != 0 ||
      reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) != 0)
    throw py::value_error("the array's numbers are not aligned; copy it first");
  return {DenseView<T>{static_cast<const T*>(array.data()), array.shape(0), array.shape(1), array.strides(0) / size,
                       array.strides(1) / size},
          keep_alive(array)};
}

Data dense(const py::array& array) {
  if (array.ndim() != 2) throw py::value_error("an array of two dimensions is needed");
  if (holds<double>(array)) return {dense_of<double>(array)};
  if (holds<float>(array)) return {dense_of<float>(array)};
  throw py::type_error("an array of float32 or float64 is needed");
}

/// Compressed rows are used unseen by all that follows, so they have to be what they say.
void require_rows(const std::vector<std::int64_t>& offsets, const std::int32_t* columns, Index cols,
                  std::int64_t entries) {
  if (offsets.front() != 0) throw py::value_error("the sparse matrix has broken offsets");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const std::int64_t begin = offsets[i], end = offsets[i + 1];
    if (end < begin || end > entries) throw py::value_error("the sparse matrix has broken offsets");
    if (end == begin) continue;
    // Of columns in order the first and the last tell the range; all pairs are looked at, so that several go at once.
    bool bad = columns[begin] < 0 || columns[end - 1] >= cols;
    for (std::int64_t e = begin + 1; e < end; ++e) bad |= columns[e] <= columns[e - 1];
    if (bad) throw py::value_error("the sparse matrix has columns out of order or out of range");
  }
}

/// What SciPy's arrays don't have as the engine wants them is copied: offsets always, columns where they are int64.
struct CsrOwner {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::shared_ptr<const void> column_array, value_array;
};

template <class T>
Dataset csr_of(Index rows, Index cols, const py::array& offsets, const py::array& columns, const py::array& values) {
  auto owner = std::make_shared<CsrOwner>();
  const auto wide = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(offsets);
  if (!wide || wide.ndim() != 1 || wide.shape(0) != rows + 1)
    throw py::value_error("the sparse matrix has broken offsets");
  owner->offsets.assign(wide.data(), wide.data() + wide.size());
  const std::int32_t* at = nullptr;
  if (holds<std::int32_t>(columns) && columns.strides(0) == sizeof(std::int32_t)) {
    at = static_cast<const std::int32_t*>(columns.data());
    owner->column_array = keep_alive(columns);
  } else {
    const auto found = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(columns);
    if (!found) throw py::value_error("the sparse matrix has broken columns");
    owner->columns.reserve(static_cast<std::size_t>(found.size()));
    for (py::ssize_t e = 0; e < found.size(); ++e) {
      const std::int64_t column = found.data()[e];
      if (column < 0 || column >= cols) throw py::value_error("the sparse matrix has columns out of range");
      owner->columns.push_back(static_cast<std::int32_t>(column));
    }
    at = owner->columns.data();
  }
  if (values.ndim() != 1 || values.strides(0) != sizeof(T)) throw py::value_error("the sparse values are not dense");
  owner->value_array = keep_alive(values);
  require_rows(owner->offsets, at, cols, std::min(values.size(), columns.size()));
  return {CsrView<T>{rows, cols, owner->offsets.data(), at, static_cast<const T*>(values.data())}, owner};
}

Data csr(Index rows, Index cols, const py::array& offsets, const py::array& columns, const py::array& values) {
  if (cols > std::numeric_limits<std::int32_t>::max())
    throw py::value_error("a sparse matrix of 2^31 columns or more can't be taken");
  if (holds<double>(values)) return {csr_of<double>(rows, cols, offsets, columns, values)};
  if (holds<float>(values)) return {csr_of<float>(rows, cols, offsets, columns, values)};
  throw py::type_error("values of float32 or float64 are needed");
}

/// 0 x is 0 for every finite x and NaN for all others, so a sum over lanes tells.
template <class T>
bool all_finite(const T* values, Index count) {
  constexpr Index lanes = 64 / sizeof(T);
  T sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes)
    for (Index k = 0; k < lanes; ++k) sums[k] += values[i + k] * T(0);
  T total = 0;
  for (; i < count; ++i) total += values[i] * T(0);
  for (const T sum : sums) total += sum;
  return total == T(0);
}

template <class T>
bool all_finite(const DenseView<T>& x) {
  const bool by_columns = x.row_stride == 1 && x.col_stride != 1;
  const Index runs = by_columns ? x.cols : x.rows, length = by_columns ? x.rows : x.cols;
  const Index step = by_columns ? x.col_stride : x.row_stride, inner = by_columns ? x.row_stride : x.col_stride;
  for (Index r = 0; r < runs; ++r) {
    if (inner == 1) {
      if (!all_finite(x.data + r * step, length)) return false;
      continue;
    }
    for (Index i = 0; i < length; ++i)
      if (!all_finite(x.data + r * step + i * inner, 1)) return false;
  }
  return true;
}

/// For calls that take any number, where scikit-learn's users are warned of NaN.
bool finite(const Data& data) {
  const py::gil_scoped_release unlocked;
  if (const auto* x = data.set.dense<double>()) return all_finite(*x);
  if (const auto* x = data.set.dense<float>()) return all_finite(*x);
  if (const auto* x = data.set.sparse<double>()) return all_finite(x->values, x->nonzeros());
  if (const auto* x = data.set.sparse<float>()) return all_finite(x->values, x->nonzeros());
  return true;
}

/// Means of the columns. Parts of the rows are summed side by side, and the parts in their order: the number of threads
/// changes nothing.
template <class T>
Vector<double> column_means(const CsrView<T>& x, int threads) {
  const Index parts = std::clamp<Index>(x.nonzeros() / (8 * (x.cols + 1)), 1, 16), rows = (x.rows + parts - 1) / parts;
  Matrix<double> sums = Matrix<double>::Zero(x.cols, parts);
  std::atomic<Index> next = 0;
  const auto work = [&] {
    for (Index part = next++; part < parts; part = next++) {
      double* sum = sums.col(part).data();
      const std::int64_t end = x.offsets[std::min((part + 1) * rows, x.rows)];
      for (std::int64_t e = x.offsets[std::min(part * rows, x.rows)]; e < end; ++e) sum[x.columns[e]] += x.values[e];
    }
  };
  const Index wanted = threads > 0 ? threads : static_cast<Index>(std::thread::hardware_concurrency());
  std::vector<std::jthread> helpers;
  for (Index i = 1; i < std::min(wanted, parts); ++i) helpers.emplace_back(work);
  work();
  helpers.clear();  // joins them
  return sums.rowwise().sum() / static_cast<double>(std::max<Index>(1, x.rows));
}

Vector<double> sparse_column_means(const Data& data, int threads) {
  const py::gil_scoped_release unlocked;
  if (const auto* x = data.set.sparse<double>()) return column_means(*x, threads);
  if (const auto* x = data.set.sparse<float>()) return column_means(*x, threads);
  throw py::type_error("sparse data are needed");
}

std::vector<std::string> checked_names(std::vector<std::string> names, Index count, const char* what) {
  if (!names.empty() && std::ssize(names) != count)
    throw py::value_error(std::to_string(names.size()) + " names were given for " + std::to_string(count) + " " + what);
  return names;
}

template <class T>
py::array array_of_view(const DenseView<T>& view, const Dataset& data) {
  const py::capsule owner(new Dataset(data), [](void* held) { delete static_cast<Dataset*>(held); });
  constexpr auto size = static_cast<py::ssize_t>(sizeof(T));
  return py::array(py::dtype::of<T>(), {view.rows, view.cols}, {view.row_stride * size, view.col_stride * size},
                   view.data, owner);
}

}  // namespace

py::array array_of(const Dataset& data) {
  if (const auto* view = data.dense<double>()) return array_of_view(*view, data);
  if (const auto* view = data.dense<float>()) return array_of_view(*view, data);
  Dataset whole(data.matrix<double>());
  return array_of_view(*whole.dense<double>(), whole);
}

void bind_data(py::module_& module) {
  py::class_<Data>(module, "Data", "Data as the engine sees them; arrays are not copied.")
      .def_static("dense", &dense, py::arg("array"))
      .def_static("csr", &csr, py::arg("rows"), py::arg("cols"), py::arg("offsets"), py::arg("columns"),
                  py::arg("values"))
      .def_static(
          "texts", [](std::vector<std::string> texts) { return Data{Dataset::of_texts(std::move(texts))}; },
          py::arg("texts"))
      .def_static(
          "stream",
          [](Index cols, bool single, std::optional<Index> rows, py::object next, py::object rewind) {
            return Data{Dataset(batch_stream(cols, single, rows, std::move(next), std::move(rewind)))};
          },
          py::arg("cols"), py::arg("single"), py::arg("rows"), py::arg("next"), py::arg("rewind"))
      .def_property_readonly("rows", [](const Data& data) { return data.set.rows(); })
      .def_property_readonly("cols", [](const Data& data) { return data.set.cols(); })
      .def_property_readonly("single", [](const Data& data) { return data.set.precision() == Precision::float32; })
      .def_property_readonly("is_sparse", [](const Data& data) { return data.set.is_sparse(); })
      .def_property_readonly("is_stream", [](const Data& data) { return data.set.is_stream(); })
      .def_property_readonly("is_text", [](const Data& data) { return data.set.is_text(); })
      .def("finite", &finite)
      .def("sparse_column_means", &sparse_column_means, py::arg("threads") = 0)
      .def("name_columns",
           [](Data& data, std::vector<std::string> names) {
             data.set.column_names = checked_names(std::move(names), data.set.cols(), "columns");
           })
      .def("name_rows",
           [](Data& data, std::vector<std::string> names) {
             data.set.row_names = checked_names(std::move(names), data.set.rows(), "rows");
           })
      .def("weigh_rows", [](Data& data, const py::array_t<double, py::array::c_style | py::array::forcecast>& weights) {
        if (weights.ndim() != 1 || weights.shape(0) != data.set.rows())
          throw py::value_error("one weight for each row is needed");
        data.set.weights = Eigen::Map<const Vector<double>>(weights.data(), weights.size());
      });
}

}  // namespace fewdim::python
