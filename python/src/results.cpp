#include "fewdim/results.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "functions.hpp"
#include "models.hpp"
#include "options.hpp"

namespace fewdim::python {

namespace {

ResultKind result_kind(const std::string& name) {
  for (int kind = 0; kind <= static_cast<int>(ResultKind::approximation); ++kind)
    if (word_of(static_cast<ResultKind>(kind)) == name) return static_cast<ResultKind>(kind);
  throw py::value_error("'" + name + "' is no result");
}

/// The numbers, the names of their columns, and the names of their rows with a heading where there are any.
py::tuple table_of(const FittedModel& self, const std::string& kind, const std::optional<Data>& data, int threads,
                   std::uint64_t memory_limit) {
  const Dataset table = compute(Call{threads, memory_limit, py::none()},
                                [model = self.model, result = result_kind(kind), set = data ? data->set : Dataset()](
                                    const Execution& exec) { return result_table(*model, result, set, exec); });
  return py::make_tuple(array_of(table), table.column_names, table.row_names, table.row_names_header);
}

py::dict judgement_of(const FittedModel& self, const std::optional<Data>& data, double tolerance, int threads,
                      std::uint64_t memory_limit) {
  const Judgement judged = compute(Call{threads, memory_limit, py::none()},
                                   [model = self.model, set = data ? data->set : Dataset(),
                                    tolerance](const Execution& exec) { return judge(*model, set, tolerance, exec); });
  py::list checks;
  for (const Check& check : judged.checks)
    checks.append(py::make_tuple(check.name, check.found, check.allowed, check.holds(), check.meaning));
  const Certificate& found = judged.found.certificate;
  py::dict out;
  out["checks"] = checks;
  out["residuals"] = py::array_t<double>(found.residuals.size(), found.residuals.data());
  out["outside_bound"] = found.outside_bound;
  out["outside_probability"] = found.outside_probability;
  out["warnings"] = judged.warnings;
  return out;
}

py::dict quality_of(const FittedModel& self, const Data& data, const py::dict& options, int threads,
                    std::uint64_t memory_limit) {
  const QualityReport report = compute(Call{threads, memory_limit, py::none()},
                                       [model = self.model, set = data.set, o = quality_options(option_map(options))](
                                           const Execution& exec) { return model_quality(*model, set, o, exec); });
  py::dict found;
  for (const Measure& measure : report.measures) found[py::str(measure.name)] = measure.value;
  return found;
}

}  // namespace

void bind_results(py::module_& module) {
  module.def("result_table", &table_of, py::arg("model"), py::arg("kind"), py::arg("data") = py::none(),
             py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def("judge", &judgement_of, py::arg("model"), py::arg("data") = py::none(), py::arg("tolerance") = 0.0,
             py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def("model_quality", &quality_of, py::arg("model"), py::arg("data"), py::arg("options"),
             py::arg("threads") = 0, py::arg("memory_limit") = 0);
}

}  // namespace fewdim::python
