#include "functions.hpp"

#include <pybind11/eigen.h>

#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/choose_k.hpp"
#include "fewdim/gaussian.hpp"
#include "fewdim/quality.hpp"
#include "models.hpp"
#include "options.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

using MeasureFunction = Measure (*)(const Dataset&, const Dataset&, const QualityOptions&, const Execution&);

py::tuple measure(MeasureFunction function, const Data& original, const Data& embedding, const py::dict& options,
                  int threads) {
  const Measure m = compute(Call{threads, 0, py::none()},
                            [function, a = original.set, b = embedding.set, o = quality_options(option_map(options))](
                                const Execution& exec) { return function(a, b, o, exec); });
  return py::make_tuple(m.value, m.standard_error, in_python(m.note));
}

py::dict procrustes_dict(const Data& reference, const Data& other, bool scaling, bool reflection) {
  auto [r, aligned] = compute({}, [a = reference.set, b = other.set, scaling, reflection](const Execution& exec) {
    Procrustes found = procrustes(a, b, {.scaling = scaling, .reflection = reflection}, exec);
    Matrix<double> laid = found.apply(b);
    return std::pair(std::move(found), std::move(laid));
  });
  py::dict found;
  found["rotation"] = r.rotation;
  found["scale"] = r.scale;
  found["shift"] = r.shift;
  found["disparity"] = r.disparity;
  found["rms_error"] = r.rms_error;
  found["aligned"] = aligned;
  return found;
}

py::list advice(const Data& data, bool center, bool scale, int ddof, Seed seed, std::vector<std::string> criteria,
                int threads) {
  const ChooseOptions o{.center = center, .scale = scale, .ddof = ddof, .seed = seed, .criteria = std::move(criteria)};
  const auto found = compute(Call{threads, 0, py::none()},
                             [set = data.set, o](const Execution& exec) { return choose_components(set, o, exec); });
  py::list list;
  for (const KAdvice& one : found)
    list.append(py::make_tuple(one.criterion, one.k < 0 ? py::object(py::none()) : py::cast(one.k), one.sentence));
  return list;
}

}  // namespace

void bind_functions(py::module_& module) {
  module.def(
      "trustworthiness",
      [](const Data& a, const Data& b, const py::dict& o, int threads) {
        return measure(&trustworthiness, a, b, o, threads);
      },
      py::arg("original"), py::arg("embedding"), py::arg("options"), py::arg("threads"));
  module.def(
      "continuity",
      [](const Data& a, const Data& b, const py::dict& o, int threads) {
        return measure(&continuity, a, b, o, threads);
      },
      py::arg("original"), py::arg("embedding"), py::arg("options"), py::arg("threads"));
  module.def("procrustes", &procrustes_dict, py::arg("reference"), py::arg("other"), py::arg("scaling"),
             py::arg("reflection"));
  module.def(
      "fill",
      [](const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit) {
        const Filled filled = compute(
            Call{threads, memory_limit, py::none()},
            [model = self.model, set = data.set](const Execution& exec) { return fill_missing(*model, set, exec); });
        const RowMatrix<double> errors = filled.errors;
        return py::make_tuple(array_of(filled.rows),
                              py::array_t<double>({errors.rows(), errors.cols()}, errors.data()));
      },
      py::arg("model"), py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "log_likelihoods",
      [](const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit) {
        const Vector<double> found = compute(
            Call{threads, memory_limit, py::none()},
            [model = self.model, set = data.set](const Execution& exec) { return log_likelihoods(*model, set, exec); });
        return py::array_t<double>(found.size(), found.data());
      },
      py::arg("model"), py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "posterior_deviations",
      [](const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit) {
        return Matrix<double>(compute(Call{threads, memory_limit, py::none()},
                                      [model = self.model, set = data.set](const Execution& exec) {
                                        return posterior_deviations(*model, set, exec);
                                      }));
      },
      py::arg("model"), py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def(
      "sample_rows",
      [](const FittedModel& self, Index rows, Seed seed, int threads, std::uint64_t memory_limit) {
        return array_of(
            compute(Call{threads, memory_limit, py::none()},
                    [=, model = self.model](const Execution& exec) { return sample(*model, rows, seed, exec); }));
      },
      py::arg("model"), py::arg("rows"), py::arg("seed"), py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def("choose_components", &advice, py::arg("data"), py::arg("center"), py::arg("scale"), py::arg("ddof"),
             py::arg("seed"), py::arg("criteria"), py::arg("threads"));
}

}  // namespace fewdim::python
