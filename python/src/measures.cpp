#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/denoise.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/quality.hpp"
#include "functions.hpp"
#include "options.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

Shrinkage shrinkage_of(const std::string& loss) {
  return loss == "operator"  ? Shrinkage::operator_norm
         : loss == "nuclear" ? Shrinkage::nuclear
         : loss == "hard"    ? Shrinkage::hard
                             : Shrinkage::frobenius;
}

py::tuple denoised(const Data& data, const std::string& loss, std::optional<double> noise, int threads,
                   std::uint64_t memory_limit, py::object callback) {
  const DenoiseOptions o{.shrinkage = shrinkage_of(loss), .noise = noise.value_or(from_data)};
  const Denoised found = compute(Call{threads, memory_limit, std::move(callback)},
                                 [set = data.set, o](const Execution& exec) { return denoise(set, o, exec); });
  return py::make_tuple(array_of(found.rows), found.noise, found.rank, found.singular_values, found.shrunk,
                        found.expected_error);
}

py::dict measure_dict(const QualityReport& report) {
  py::dict measures;
  for (const Measure& m : report.measures)
    measures[py::str(m.name)] = py::make_tuple(m.value, m.standard_error, in_python(m.note));
  return measures;
}

py::dict quality_dict(const Data& original, const Data& embedding, const py::dict& options, int threads,
                      std::uint64_t memory_limit, py::object callback) {
  const QualityReport report = compute(Call{threads, memory_limit, std::move(callback)},
                                       [a = original.set, b = embedding.set, o = quality_options(option_map(options))](
                                           const Execution& exec) { return embedding_quality(a, b, o, exec); });
  py::list curve, notes;
  for (const CurvePoint& p : report.curve)
    curve.append(py::make_tuple(p.neighbors, p.kept, p.beyond_chance, p.standard_error));
  for (const std::string& note : report.notes) notes.append(in_python(note));
  py::dict found;
  found["rows"] = report.rows;
  found["sampled"] = report.sampled;
  found["neighbors"] = report.neighbors;
  found["metric"] = report.metric_name;
  found["measures"] = measure_dict(report);
  found["curve"] = curve;
  found["notes"] = notes;
  return found;
}

void draw_curve(const Vector<double>& x, const Vector<double>& y, const Vector<double>& error, std::string title,
                std::string x_label, std::string y_label, const std::string& path, bool overwrite) {
  CurvePlot picture{.x = x, .y = y, .error = error};
  picture.title = std::move(title);
  picture.x_label = std::move(x_label);
  picture.y_label = std::move(y_label);
  picture.log_x = true;
  picture.high = 1.0;
  run({}, [picture = std::move(picture), path, overwrite](const Execution&) { plot(picture, path, overwrite); });
}

}  // namespace

void bind_measures(py::module_& module) {
  module.def("denoise", &denoised, py::arg("data"), py::arg("loss"), py::arg("noise") = py::none(),
             py::arg("threads") = 0, py::arg("memory_limit") = 0, py::arg("callback") = py::none());
  module.def("embedding_quality", &quality_dict, py::arg("original"), py::arg("embedding"), py::arg("options"),
             py::arg("threads") = 0, py::arg("memory_limit") = 0, py::arg("callback") = py::none());
  module.def("draw_curve", &draw_curve, py::arg("x"), py::arg("y"), py::arg("error"), py::arg("title"),
             py::arg("x_label"), py::arg("y_label"), py::arg("path"), py::arg("overwrite") = false);
}

}  // namespace fewdim::python
