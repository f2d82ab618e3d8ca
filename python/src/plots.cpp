#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <string>

#include "fewdim/plot.hpp"
#include "functions.hpp"
#include "models.hpp"

namespace fewdim::python {

namespace py = pybind11;

void bind_plots(py::module_& module) {
  module.def(
      "plot_scree",
      [](const FittedModel& model, const std::string& path, int width, int height) {
        plot(ScreePlot{.ratios = model.model->spectrum().explained_variance_ratio,
                       .title = "Shares of the variance",
                       .size = {width, height}},
             path, true);
      },
      py::arg("model"), py::arg("path"), py::arg("width"), py::arg("height"));
  module.def(
      "plot_scatter",
      [](const FittedModel& model, const Vector<double>& x, const Vector<double>& y, std::string x_label,
         std::string y_label, std::vector<std::string> labels, const std::string& path, int width, int height) {
        plot(ScatterPlot{.x = x,
                         .y = y,
                         .title = "The training rows",
                         .x_label = std::move(x_label),
                         .y_label = std::move(y_label),
                         .labels = std::move(labels),
                         .equal = keeps_distances(*model.model),
                         .size = {width, height}},
             path, true);
      },
      py::arg("model"), py::arg("x"), py::arg("y"), py::arg("x_label"), py::arg("y_label"), py::arg("labels"),
      py::arg("path"), py::arg("width"), py::arg("height"));
}

}  // namespace fewdim::python
