#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/pca.hpp"
#include "models.hpp"
#include "options.hpp"

namespace fewdim::python {

namespace {

/// PCA of rows that come in parts; used by one thread at a time.
struct PcaParts {
  std::shared_ptr<PcaAccumulator> parts = std::make_shared<PcaAccumulator>();
  Accuracy accuracy = Accuracy::standard;  ///< of the parts to come
};

/// (rows, weight, mean, scatter, float32, float64 products, names of columns)
py::tuple state_of(const PcaParts& self) {
  const PcaMoments& m = self.parts->moments();
  return py::make_tuple(m.rows, m.weight, m.mean, Matrix<double>(m.scatter.selfadjointView<Eigen::Lower>()),
                        m.precision == Precision::float32, m.accuracy == Accuracy::high, m.column_names);
}

PcaParts from_state(const py::tuple& state) {
  if (state.size() != 7) throw py::value_error("these are no moments of rows");
  PcaMoments m;
  m.rows = state[0].cast<Index>();
  m.weight = state[1].cast<double>();
  m.mean = state[2].cast<Vector<double>>();
  m.scatter = state[3].cast<Matrix<double>>();
  m.precision = state[4].cast<bool>() ? Precision::float32 : Precision::float64;
  m.accuracy = state[5].cast<bool>() ? Accuracy::high : Accuracy::standard;
  m.column_names = state[6].cast<std::vector<std::string>>();
  return {std::make_shared<PcaAccumulator>(std::move(m))};
}

}  // namespace

void bind_parts(py::module_& module) {
  py::class_<PcaParts>(module, "PcaParts", "PCA of rows that come in parts, which merge exactly.")
      .def(py::init<>())
      .def_property_readonly("rows", [](const PcaParts& self) { return self.parts->rows(); })
      .def(
          "prepare",
          [](PcaParts& self, const py::dict& options) {
            self.accuracy = PcaAccumulator::options_of(option_map(options)).accuracy;
          },
          py::arg("options"), "Takes the options of the parts to come; refuses those that need the rows.")
      .def(
          "add",
          [](const PcaParts& self, const Data& data, int threads, std::uint64_t memory_limit) {
            run(Call{threads, memory_limit, py::none()},
                [parts = self.parts, set = data.set, accuracy = self.accuracy](const Execution& exec) {
                  parts->partial_fit(set, exec, accuracy);
                });
          },
          py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0)
      .def(
          "finish",
          [](const PcaParts& self, const py::dict& options, int threads, std::uint64_t memory_limit) {
            return compute(
                Call{threads, memory_limit, py::none()},
                [parts = self.parts, o = PcaAccumulator::options_of(option_map(options))](const Execution& exec) {
                  return FittedModel{std::make_shared<const Model>(parts->finish(o, exec))};
                });
          },
          py::arg("options"), py::arg("threads") = 0, py::arg("memory_limit") = 0)
      .def("copy", [](const PcaParts& self) { return from_state(state_of(self)); })
      .def_static("of_moments", &from_state, py::arg("state"),
                  "From (rows, weight, mean, scatter, float32, float64 products, names of columns).")
      .def(py::pickle(&state_of, &from_state));
}

}  // namespace fewdim::python
