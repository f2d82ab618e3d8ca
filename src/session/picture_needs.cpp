#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fewdim/pictures.hpp"
#include "fewdim/text_index.hpp"
#include "models/shapes/linear.hpp"
#include "session/words.hpp"

namespace fewdim {

namespace {

/// In the order of preference: rows first, then what a model tells without them.
constexpr std::array kinds_by_preference{PictureKind::scatter, PictureKind::density,    PictureKind::pairs,
                                         PictureKind::scree,   PictureKind::cumulative, PictureKind::biplot,
                                         PictureKind::circle,  PictureKind::shepard,    PictureKind::residual};

bool keeps_coordinates(const Model& model) { return model.beside<TextIndex>() || model.places(); }

PictureNeed biplot_need(const Model& model, bool placed) {
  const auto* shape = model.as<LinearModel>();
  if (!shape) return PictureNeed::loadings;
  if (model.components() < 2) return PictureNeed::two_components;
  if (!placed) return PictureNeed::coordinates;
  const MethodCard* card = find_method(model.method());
  const bool arrows = (!card || card->gives.pictures.has(PictureKind::biplot)) &&
                      shape->explained_variance.size() == model.components() && shape->map.cols() == model.components();
  return arrows ? PictureNeed::nothing : PictureNeed::variances;
}

/// What column_statistics() needs for correlations.
PictureNeed circle_need(const Model& model) {
  const auto* shape = model.as<LinearModel>();
  if (!shape) return PictureNeed::loadings;
  if (model.components() < 2) return PictureNeed::two_components;
  if (shape->mean.size() == 0) return PictureNeed::centering;
  const bool known = shape->explained_variance.size() == shape->map.cols() &&
                     (shape->scale.size() > 0 || shape->column_variance.size() > 0);
  return is_orthonormal(*shape) && known ? PictureNeed::nothing : PictureNeed::correlations;
}

PictureNeed shepard_need(const Model& model, bool with_data) {
  const auto* kernel = model.as<KernelModel>();
  const bool from_distances = model.as<StressModel>() || (kernel && kernel->similarity == Similarity::distance);
  if (!from_distances) return PictureNeed::distances;
  return with_data ? PictureNeed::nothing : PictureNeed::data;
}

PictureNeed residual_need(const Model& model, bool with_data) {
  if (find_diagnostic(model.head().diagnostics, diagnostic::residual_variance(1))) return PictureNeed::nothing;
  if (model.takes_text() || model.beside<TextIndex>()) return PictureNeed::distances;
  return with_data ? PictureNeed::nothing : PictureNeed::data;
}

}  // namespace

bool draws_rows(PictureKind kind) {
  return kind == PictureKind::scatter || kind == PictureKind::density || kind == PictureKind::pairs ||
         kind == PictureKind::biplot;
}

bool compares_rows(PictureKind kind) { return kind == PictureKind::shepard || kind == PictureKind::residual; }

PictureNeed missing_for(PictureKind kind, const Model* model, bool with_data) {
  if (!model) return draws_rows(kind) && kind != PictureKind::biplot ? PictureNeed::nothing : PictureNeed::model;
  const bool placed = with_data || keeps_coordinates(*model);
  switch (kind) {
    case PictureKind::pairs:
      if (model->components() < 2) return PictureNeed::two_components;
      [[fallthrough]];
    case PictureKind::scatter:
    case PictureKind::density:
      return placed ? PictureNeed::nothing : PictureNeed::coordinates;
    case PictureKind::scree:
    case PictureKind::cumulative:
      return model->spectrum().explained_variance_ratio.size() > 0 ? PictureNeed::nothing : PictureNeed::shares;
    case PictureKind::biplot:
      return biplot_need(*model, placed);
    case PictureKind::circle:
      return circle_need(*model);
    case PictureKind::shepard:
      return shepard_need(*model, with_data);
    case PictureKind::residual:
      return residual_need(*model, with_data);
  }
  return PictureNeed::model;
}

std::string reason_of(PictureNeed need) {
  switch (need) {
    case PictureNeed::nothing:
      return "nothing";
    case PictureNeed::model:
      return "a model";
    case PictureNeed::coordinates:
      return "coordinates of rows, and the model keeps none";
    case PictureNeed::data:
      return "the data it was fitted on";
    case PictureNeed::two_components:
      return "two components, and there is one";
    case PictureNeed::loadings:
      return "loadings of columns";
    case PictureNeed::variances:
      return "variances of its directions, and there are none";
    case PictureNeed::centering:
      return "columns that were centered";
    case PictureNeed::correlations:
      return "orthonormal directions, and the variances of the columns";
    case PictureNeed::shares:
      return "shares of variance, and its eigenvalues have none";
    case PictureNeed::distances:
      return "distances that it was made from";
  }
  return {};
}

std::vector<PictureKind> possible_pictures(const Model* model, bool with_data) {
  std::vector<PictureKind> out;
  for (const PictureKind kind : kinds_by_preference)
    if (missing_for(kind, model, with_data) == PictureNeed::nothing) out.push_back(kind);
  return out;
}

PictureKind picture_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const PictureKind kind : kinds_by_preference) {
    names.push_back(word_of(kind));
    if (names.back() == name) return kind;
  }
  throw InvalidOption("plot", "kind", name, fmt::format("must be {}", one_of_words(names)), "");
}

}  // namespace fewdim
