#include "fewdim/faces.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "calls.hpp"
#include "data.hpp"
#include "functions.hpp"
#include "images.hpp"
#include "models.hpp"

namespace fewdim::python {

namespace {

TrialKind trial_kind(const std::string& name) {
  return name == "folds"           ? TrialKind::folds
         : name == "split"         ? TrialKind::split
         : name == "leave-one-out" ? TrialKind::leave_one_out
                                   : TrialKind::none;
}

const char* trial_word(TrialKind kind) {
  return kind == TrialKind::folds           ? "folds"
         : kind == TrialKind::split         ? "split"
         : kind == TrialKind::leave_one_out ? "leave-one-out"
                                            : "none";
}

FaceOptions face_options(const py::dict& given) {
  FaceOptions o;
  o.pca.components = Components::parse(given["components"].cast<std::string>());
  const auto parts = given["parts"].cast<std::string>();
  if (parts == "independent") o.parts = FaceParts::independent;
  if (parts == "nmf") o.parts = FaceParts::nonnegative;
  o.pca.tolerance = given["tolerance"].cast<double>();
  o.pca.seed = given["seed"].cast<Seed>();
  o.trial = trial_kind(given["trial"].cast<std::string>());
  o.folds = given["folds"].cast<Index>();
  o.share = given["share"].cast<double>();
  o.most_held_out = given["most_held_out"].cast<Index>();
  o.face_share = given["face_share"].cast<double>();
  return o;
}

py::dict trial_dict(const FaceTrial& trial) {
  py::dict found;
  found["kind"] = trial_word(trial.kind);
  found["tried"] = trial.tried;
  found["with_label"] = trial.with_label;
  found["right"] = trial.right;
  found["fits"] = trial.fits;
  found["distances"] = py::array_t<double>(trial.distances.size(), trial.distances.data());
  return found;
}

py::tuple fit_pictures(const Pictures& images, const py::dict& options, int threads, std::uint64_t memory_limit,
                       py::object callback) {
  auto [model, trial] = compute(Call{threads, memory_limit, std::move(callback)},
                                [set = images.set, o = face_options(options)](const Execution& exec) {
                                  FaceFit fit = fit_faces(set, o, exec);
                                  return std::pair(FittedModel{std::make_shared<const Model>(std::move(fit.model))},
                                                   std::move(fit.trial));
                                });
  return py::make_tuple(std::move(model), trial_dict(trial));
}

py::object index_dict(const FittedModel& self) {
  const ImageIndex* index = self.model->beside<ImageIndex>();
  if (index == nullptr) return py::none();
  py::dict found;
  found["height"] = index->height;
  found["width"] = index->width;
  found["channels"] = index->channels;
  found["white"] = index->white;
  found["names"] = index->names;
  found["labels"] = index->labels;
  found["face_limit"] = index->face_limit;
  found["face_share"] = index->face_share;
  return found;
}

py::tuple recognized(const FittedModel& self, const Pictures& images, int threads, std::uint64_t memory_limit) {
  const Recognition r =
      compute(Call{threads, memory_limit, py::none()},
              [model = self.model, set = images.set](const Execution& exec) { return recognize(*model, set, exec); });
  py::array_t<bool> is_face(static_cast<py::ssize_t>(r.is_face.size()));
  for (std::size_t i = 0; i < r.is_face.size(); ++i) is_face.mutable_data()[i] = r.is_face[i];
  return py::make_tuple(py::array_t<Index>(static_cast<py::ssize_t>(r.nearest.size()), r.nearest.data()), r.distance,
                        r.face_distance, is_face);
}

py::list compression_rows(const FittedModel& self, const Pictures& images, Index most, int threads,
                          std::uint64_t memory_limit) {
  py::list rows;
  for (const CompressionRow& row : compute(Call{threads, memory_limit, py::none()},
                                           [model = self.model, set = images.set, most](const Execution& exec) {
                                             return compression_table(*model, set, most, exec);
                                           }))
    rows.append(py::make_tuple(row.components, row.bytes, row.psnr, row.ssim));
  return rows;
}

}  // namespace

void bind_faces(py::module_& module) {
  module.def("fit_faces", &fit_pictures, py::arg("images"), py::arg("options"), py::arg("threads") = 0,
             py::arg("memory_limit") = 0, py::arg("callback") = py::none());
  module.def(
      "try_faces",
      [](const Pictures& images, Index components, const py::dict& options, int threads, std::uint64_t memory_limit,
         py::object callback) {
        return trial_dict(compute(Call{threads, memory_limit, std::move(callback)},
                                  [set = images.set, components, o = face_options(options)](const Execution& exec) {
                                    return try_faces(set, components, o, exec);
                                  }));
      },
      py::arg("images"), py::arg("components"), py::arg("options"), py::arg("threads") = 0, py::arg("memory_limit") = 0,
      py::arg("callback") = py::none());
  module.def("image_index", &index_dict, py::arg("model"));
  module.def("recognize", &recognized, py::arg("model"), py::arg("images"), py::arg("threads") = 0,
             py::arg("memory_limit") = 0);
  module.def("face_compression", &compression_rows, py::arg("model"), py::arg("images"), py::arg("most") = 500,
             py::arg("threads") = 0, py::arg("memory_limit") = 0);
  module.def("growing_ranks", &growing_ranks, py::arg("k"));
  module.def(
      "reconstructions",
      [](const FittedModel& self, const Vector<double>& row, const std::vector<Index>& components) {
        return RowMatrix<double>(compute({}, [model = self.model, row, components](const Execution&) {
          return reconstructions(*model, row, components);
        }));
      },
      py::arg("model"), py::arg("row"), py::arg("components"));
}

}  // namespace fewdim::python
