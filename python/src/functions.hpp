#pragma once

#include <pybind11/pybind11.h>

namespace fewdim::python {

/// Single measures of quality, Procrustes, the choice of k, models with a noise.
void bind_functions(pybind11::module_& module);
/// Terms and topics of a model of documents.
void bind_search(pybind11::module_& module);
/// Questions to a model of ratings.
void bind_recommend(pybind11::module_& module);
/// Tables as files, generated and built-in ones, lines of ratings.
void bind_tables(pybind11::module_& module);
/// Graphs, PageRank and HITS.
void bind_ranking(pybind11::module_& module);
/// Images as files and as rows; one image by its singular vectors.
void bind_images(pybind11::module_& module);
/// Components of images, and recognition.
void bind_faces(pybind11::module_& module);
/// White noise off a matrix; all measures of an embedding.
void bind_measures(pybind11::module_& module);
/// Documents from files, those that come and go, and the evaluation of rankings.
void bind_documents(pybind11::module_& module);
/// Trials of predictions of ratings.
void bind_ratings(pybind11::module_& module);
/// Pictures of a model.
void bind_plots(pybind11::module_& module);
/// Tables of a model, the verdict on its certificate, the quality of its map.
void bind_results(pybind11::module_& module);

}  // namespace fewdim::python
