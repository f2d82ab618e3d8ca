#pragma once

#include <pybind11/pybind11.h>

namespace fewdim::python {

/// Ranking, measures of quality, the choice of k.
void bind_functions(pybind11::module_& module);
/// Questions to a model of documents.
void bind_search(pybind11::module_& module);
/// Questions to a model of ratings.
void bind_recommend(pybind11::module_& module);
/// Pictures of a model.
void bind_plots(pybind11::module_& module);
/// Tables of a model, the verdict on its certificate, the quality of its map.
void bind_results(pybind11::module_& module);

}  // namespace fewdim::python
