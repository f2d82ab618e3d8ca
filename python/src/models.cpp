#include "models.hpp"

#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model_arrays.hpp"
#include "fewdim/model_bytes.hpp"
#include "fewdim/report.hpp"
#include "fewdim/text_index.hpp"
#include "options.hpp"
#include "words.hpp"

namespace fewdim::python {

namespace {

/// Arrays of a shape by the names they have in a model file, as views that keep the model alive.
class Arrays {
 public:
  explicit Arrays(py::object owner) : owner_(std::move(owner)) {}

  void add(const char* name, const Vector<double>& v) {
    if (v.size() > 0) dict_[name] = array_view(v.data(), {v.size()}, {1}, owner_);
  }
  void add(const char* name, const Matrix<double>& m) {
    if (m.size() > 0) dict_[name] = array_view(m.data(), {m.rows(), m.cols()}, {1, m.rows()}, owner_);
  }
  /// Of numbers that the model does not hold.
  void add_copy(const char* name, const Vector<double>& v) {
    if (v.size() > 0) dict_[name] = py::array_t<double>(v.size(), v.data());
  }
  void add(const ModelArray& a) {
    if (a.vector)
      dict_[a.name.c_str()] = array_view(a.numbers, {a.rows}, {1}, owner_);
    else
      dict_[a.name.c_str()] = array_view(a.numbers, {a.rows, a.cols}, {a.row_stride, a.col_stride}, owner_);
  }
  void add(const char* name, const SharedArray<float>& numbers, Index rows) {
    const auto size = static_cast<Index>(numbers.size());
    if (size > 0 && rows > 0) dict_[name] = array_view(numbers.data(), {rows, size / rows}, {size / rows, 1}, owner_);
  }
  py::dict take() { return std::move(dict_); }

 private:
  py::object owner_;
  py::dict dict_;
};

py::dict arrays_of(const py::object& self) {
  const Model& model = *self.cast<const FittedModel&>().model;
  Arrays arrays(self);
  for (const ModelArray& array : shape_arrays(model)) arrays.add(array);
  arrays.add_copy("eigenvalues", model.eigenvalues());
  arrays.add("all_eigenvalues", model.spectrum().all_eigenvalues);
  arrays.add("explained_variance", model.spectrum().explained_variance);
  arrays.add("explained_variance_ratio", model.spectrum().explained_variance_ratio);
  if (model.has_embedding()) arrays.add("embedding", model.embedding());
  if (model.beside<TextIndex>()) {
    arrays.add("places", model.index().places, model.index().documents());
    arrays.add("norms", model.index().norms, model.index().documents());
  }
  return arrays.take();
}

/// Numbers of a shape that are no arrays.
py::dict scalars_of(const Model& model) {
  py::dict scalars;
  scalars["total_variance"] = model.spectrum().total_variance;
  for (const auto& [name, number] : shape_numbers(model)) scalars[name.c_str()] = number;
  return scalars;
}

py::dict certificate_of(const Model& model) {
  const Certificate& c = model.certificate();
  const auto copied = [](const Vector<double>& v) { return py::array_t<double>(v.size(), v.data()); };
  py::dict found;
  found["route"] = word_of(c.route);
  found["why"] = words_of(c.why);
  found["iterations"] = c.iterations;
  found["products"] = c.products;
  found["tolerance"] = c.tolerance;
  found["converged"] = c.converged;
  found["residuals"] = copied(c.residuals);
  found["value_bounds"] = copied(c.value_bounds);
  found["angle_bounds"] = copied(c.angle_bounds);
  found["groups"] = c.groups;
  found["orthogonality"] = c.orthogonality;
  found["forming_error"] = c.forming_error;
  found["outside_bound"] = c.outside_bound;
  found["outside_probability"] = c.outside_probability;
  found["warnings"] = in_python(c.warnings);
  return found;
}

py::dict provenance_of(const Model& model) {
  const Provenance& p = model.head().provenance;
  py::dict found;
  found["version"] = p.version;
  found["date"] = p.date;
  found["seed"] = p.seed;
  found["input"] = p.input;
  found["input_hash"] = p.input_hash;
  found["rows"] = p.rows;
  found["weights_hash"] = p.weights_hash;
  return found;
}

py::dict diagnostics_dict(const std::vector<Diagnostic>& diagnostics) {
  py::dict dict;
  for (const Diagnostic& d : diagnostics) dict[py::str(d.name)] = d.value;
  return dict;
}

py::dict seconds_dict(const std::vector<std::pair<std::string, double>>& seconds) {
  py::dict dict;
  for (const auto& [stage, time] : seconds) dict[py::str(stage)] = time;
  return dict;
}

FittedModel fit(const std::string& name, const Data& data, const py::dict& options, int threads,
                std::uint64_t memory_limit, py::object callback) {
  const MethodCard& card = method(name);
  return compute(Call{threads, memory_limit, std::move(callback)},
                 [&card, set = data.set, map = option_map(options)](const Execution& exec) {
                   return FittedModel{std::make_shared<const Model>(card.fit(set, map, exec))};
                 });
}

Dataset transform(const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit,
                  py::object callback, bool back) {
  return compute(Call{threads, memory_limit, std::move(callback)},
                 [model = self.model, set = data.set, back](const Execution& exec) {
                   return back ? model->inverse_transform(set, exec) : model->transform(set, exec);
                 });
}

py::bytes bytes_of(const FittedModel& self) { return py::bytes(model_bytes(*self.model)); }

FittedModel from_bytes(const py::bytes& bytes) {
  return {std::make_shared<const Model>(model_from_bytes(static_cast<std::string>(bytes), "the bytes"))};
}

}  // namespace

void bind_models(py::module_& module) {
  const auto head = [](auto member) {
    return [member](const FittedModel& self) { return self.model->head().*member; };
  };
  py::class_<FittedModel>(module, "Model", "A fitted model of the engine.")
      .def_property_readonly("method", head(&Model::Head::method))
      .def_property_readonly("options", [](const FittedModel& self) { return dict_of(self.model->head().options); })
      .def_property_readonly("features", [](const FittedModel& self) { return self.model->features(); })
      .def_property_readonly("components", [](const FittedModel& self) { return self.model->components(); })
      .def_property_readonly("single",
                             [](const FittedModel& self) { return self.model->head().precision == Precision::float32; })
      .def_property_readonly("feature_names", head(&Model::Head::feature_names))
      .def_property_readonly("component_names", head(&Model::Head::component_names))
      .def_property_readonly("takes_text", [](const FittedModel& self) { return self.model->takes_text(); })
      .def_property_readonly("left_out", [](const FittedModel& self) { return self.model->left_out(); })
      .def_property_readonly("diagnostics",
                             [](const FittedModel& self) { return diagnostics_dict(self.model->head().diagnostics); })
      .def_property_readonly("seconds",
                             [](const FittedModel& self) { return seconds_dict(self.model->head().seconds); })
      .def_property_readonly("plan",
                             [](const FittedModel& self) -> py::object {
                               const auto& plan = self.model->head().plan;
                               return plan ? py::object(plan_dict(*plan)) : py::none();
                             })
      .def_property_readonly("certificate", [](const FittedModel& self) { return certificate_of(*self.model); })
      .def_property_readonly("provenance", [](const FittedModel& self) { return provenance_of(*self.model); })
      .def_property_readonly("scalars", [](const FittedModel& self) { return scalars_of(*self.model); })
      .def("arrays", &arrays_of)
      .def(
          "transform",
          [](const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit, py::object callback) {
            return array_of(transform(self, data, threads, memory_limit, std::move(callback), false));
          },
          py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0, py::arg("callback") = py::none())
      .def(
          "inverse_transform",
          [](const FittedModel& self, const Data& data, int threads, std::uint64_t memory_limit, py::object callback) {
            return array_of(transform(self, data, threads, memory_limit, std::move(callback), true));
          },
          py::arg("data"), py::arg("threads") = 0, py::arg("memory_limit") = 0, py::arg("callback") = py::none())
      .def("summary", [](const FittedModel& self) { return summary(*self.model, speak_python); })
      .def("json", [](const FittedModel& self) { return json_report(*self.model, speak_python); })
      .def(
          "save",
          [](const FittedModel& self, const std::string& path, bool overwrite) {
            run({}, [model = self.model, path, overwrite](const Execution&) { model->save(path, overwrite); });
          },
          py::arg("path"), py::arg("overwrite") = false)
      .def_static(
          "load",
          [](const std::string& path) {
            return compute(
                {}, [path](const Execution&) { return FittedModel{std::make_shared<const Model>(Model::load(path))}; });
          },
          py::arg("path"))
      .def("to_bytes", &bytes_of)
      .def_static("from_bytes", &from_bytes, py::arg("bytes"))
      .def(py::pickle(&bytes_of, &from_bytes));

  module.def("fit", &fit, py::arg("method"), py::arg("data"), py::arg("options") = py::dict(), py::arg("threads") = 0,
             py::arg("memory_limit") = 0, py::arg("callback") = py::none(),
             "Fits a method of methods() to data, without the interpreter's lock.");
  bind_parts(module);
}

}  // namespace fewdim::python
