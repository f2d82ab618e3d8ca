#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>

#include "calls.hpp"
#include "data.hpp"
#include "fewdim/pictures.hpp"
#include "functions.hpp"
#include "models.hpp"

namespace fewdim::python {

namespace py = pybind11;

namespace {

/// A picture as Python holds it: never changed.
struct HeldPicture {
  std::shared_ptr<const Picture> picture;
};

HeldPicture picture_of(const FittedModel& self, PictureRequest request, const std::optional<Data>& data,
                       const std::optional<Data>& scores, int threads, std::uint64_t memory_limit) {
  return compute(Call{threads, memory_limit, py::none()},
                 [model = self.model, request = std::move(request), rows = data ? data->set : Dataset(),
                  places = scores ? scores->set : Dataset()](const Execution& exec) {
                   const PictureSource source{.model = model.get(), .data = rows, .scores = places};
                   return HeldPicture{std::make_shared<const Picture>(make_picture(source, request, exec))};
                 });
}

std::vector<std::string> kinds_of(const FittedModel& self, bool with_data) {
  std::vector<std::string> names;
  for (const PictureKind kind : possible_pictures(self.model.get(), with_data)) names.push_back(word_of(kind));
  return names;
}

}  // namespace

void bind_plots(py::module_& module) {
  py::class_<HeldPicture>(module, "Picture", "A picture's numbers and words, to be drawn into a file.")
      .def("json", [](const HeldPicture& self) { return picture_json(*self.picture); })
      .def(
          "save",
          [](const HeldPicture& self, const std::string& path, bool overwrite) {
            run({}, [picture = self.picture, path, overwrite](const Execution&) { plot(*picture, path, overwrite); });
          },
          py::arg("path"), py::arg("overwrite") = false);
  module.def(
      "draws_rows", [](const std::string& kind) { return draws_rows(picture_kind(kind)); }, py::arg("kind"));
  module.def(
      "compares_rows", [](const std::string& kind) { return compares_rows(picture_kind(kind)); }, py::arg("kind"));
  module.def("possible_pictures", &kinds_of, py::arg("model"), py::arg("with_data"));
  module.def(
      "make_picture",
      [](const FittedModel& model, const std::string& kind, const std::optional<Data>& data,
         const std::optional<Data>& scores, std::vector<Index> axes, std::vector<std::string> labels,
         const Vector<double>& values, std::string color_name, std::optional<std::string> title, double alpha,
         bool hulls, bool density, std::optional<bool> equal, std::pair<int, int> size, int threads,
         std::uint64_t memory_limit) {
        PictureRequest request{.kind = picture_kind(kind),
                               .axes = std::move(axes),
                               .labels = std::move(labels),
                               .values = values,
                               .color_name = std::move(color_name),
                               .title = std::move(title),
                               .alpha = alpha,
                               .hulls = hulls,
                               .density = density,
                               .equal = equal,
                               .size = {size.first, size.second}};
        return picture_of(model, std::move(request), data, scores, threads, memory_limit);
      },
      py::arg("model"), py::arg("kind"), py::kw_only(), py::arg("data") = py::none(), py::arg("scores") = py::none(),
      py::arg("axes") = std::vector<Index>(), py::arg("labels") = std::vector<std::string>(),
      py::arg("values") = Vector<double>(), py::arg("color_name") = "", py::arg("title") = py::none(),
      py::arg("alpha") = 1.0, py::arg("hulls") = false, py::arg("density") = false, py::arg("equal") = py::none(),
      py::arg("size") = std::pair(0, 0), py::arg("threads") = 0, py::arg("memory_limit") = 0);
}

}  // namespace fewdim::python
