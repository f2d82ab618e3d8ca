#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/plot.hpp"
#include "fewdim/text_index.hpp"
#include "quality/embedding/residual_variance.hpp"
#include "quality/embedding/row_distances.hpp"

namespace fewdim {

namespace {

std::string component_name(const Model& model, Index component) {
  const auto& names = model.head().component_names;
  const Vector<double>& ratios = model.spectrum().explained_variance_ratio;
  const std::string name = component < std::ssize(names) ? names[static_cast<std::size_t>(component)]
                                                         : fmt::format("component {}", component + 1);
  return component < ratios.size() ? fmt::format("{} ({:.1f} %)", name, 100.0 * ratios[component]) : name;
}

std::vector<std::string> feature_names(const Model& model) {
  std::vector<std::string> names = model.head().feature_names;
  if (model.beside<TextIndex>())
    for (Index t = 0; t < model.features(); ++t) names.emplace_back(model.index().terms[t]);
  for (Index j = std::ssize(names); j < model.features(); ++j) names.push_back(fmt::format("x{}", j + 1));
  return names;
}

void require_components(const Model& model, std::string_view who, Index x, Index y) {
  for (const Index c : {x, y})
    if (c < 0 || c >= model.components())
      throw InvalidOption(who, "component", std::to_string(c + 1),
                          fmt::format("must be between 1 and {}, the number kept", model.components()),
                          raise_option("components"));
}

/// The coordinates that the model has for what it was fitted on.
Matrix<double> training_map(const Model& model, const Dataset& data, const Execution& exec) {
  if (const Matrix<double>* places = model.as<LinearModel>() ? nullptr : model.places()) return *places;
  return model.transform(data, exec).matrix<double>();
}

CurvePlot residual_picture(const Vector<double>& residual) {
  CurvePlot out;
  out.x = Vector<double>::LinSpaced(residual.size(), 1.0, static_cast<double>(residual.size()));
  out.y = residual;
  out.x_label = "dimensions";
  out.y_label = "residual variance, 1 − r²";
  out.low = 0.0;
  out.high = residual.maxCoeff();
  return out;
}

Vector<double> kept_residuals(const Model& model) {
  std::vector<double> found;
  for (Index d = 1;; ++d) {
    const Diagnostic* kept = find_diagnostic(model.head().diagnostics, diagnostic::residual_variance(d));
    if (!kept) break;
    found.push_back(kept->value);
  }
  return Eigen::Map<const Vector<double>>(found.data(), std::ssize(found));
}

}  // namespace

bool keeps_distances(const Model& model) {
  if (model.as<StressModel>()) return true;
  if (model.as<KernelModel>())
    return model.kernel().similarity == Similarity::distance || model.kernel().similarity == Similarity::geodesic;
  if (!model.as<NeighborModel>()) return false;
  if (const MethodCard* card = find_method(model.method()); card && card->gives.keeps_distances) return true;
  const auto scale = model.head().options.find("coordinates");
  return scale != model.head().options.end() && std::holds_alternative<std::string>(scale->second) &&
         std::get<std::string>(scale->second) == "isometric";
}

Biplot biplot(const Model& model, const Dataset& scores, Index x, Index y, double alpha) {
  const LinearModel& shape = model.linear();
  require_components(model, "biplot", x, y);
  if (shape.explained_variance.size() != model.components() || shape.map.cols() != model.components())
    throw Unsupported(fmt::format(
        "biplot: the directions of {} have no variances to draw arrows by; draw a scatter plot", model.method()));
  if (!(alpha >= 0.0 && alpha <= 1.0))
    throw InvalidOption("biplot", "alpha", fmt::format("{:g}", alpha), "must be between 0 and 1",
                        "1 keeps distances of rows, 0 covariances of columns");
  if (scores.cols() != model.components())
    throw DataError(fmt::format("biplot: the scores have {} columns, the model {} components; give what it made",
                                scores.cols(), model.components()));
  const Matrix<double> all = scores.matrix<double>();
  Biplot out;
  out.alpha = alpha;
  out.points.resize(all.rows(), 2);
  out.arrows.resize(model.features(), 2);
  for (const auto& [column, c] : {std::pair<Index, Index>{0, x}, std::pair<Index, Index>{1, y}}) {
    const double deviation = std::sqrt(std::max(0.0, shape.explained_variance[c]));
    if (alpha < 1.0 && !(deviation > 0.0))
      throw DataError(fmt::format("biplot: component {} has no variance to divide by; take alpha 1", c + 1));
    const double to_arrows = std::pow(deviation, 1.0 - alpha);
    const double whitened = shape.output_scale.size() > 0 ? shape.output_scale[c] : 1.0;
    if (!(whitened > 0.0)) throw DataError(fmt::format("biplot: component {} was whitened to nothing", c + 1));
    out.points.col(column) = all.col(c) / (whitened * to_arrows);
    out.arrows.col(column) = shape.map.col(c) * to_arrows;
  }
  out.arrow_names = feature_names(model);
  out.x_label = component_name(model, x);
  out.y_label = component_name(model, y);
  out.labels = scores.labels;
  out.label_name = scores.label_name;
  out.point_names = scores.row_names;
  return out;
}

CirclePlot correlation_circle(const Model& model, Index x, Index y) {
  require_components(model, "circle", x, y);
  const Matrix<double> correlations = column_statistics(model).correlations;
  if (correlations.size() == 0)
    throw Unsupported(fmt::format("circle: {} without centering tells no correlations of the columns; use {}",
                                  model.method(), use_method("pca")));
  CirclePlot out;
  out.correlations.resize(correlations.rows(), 2);
  out.correlations.col(0) = correlations.col(x);
  out.correlations.col(1) = correlations.col(y);
  out.names = feature_names(model);
  out.x_label = component_name(model, x);
  out.y_label = component_name(model, y);
  return out;
}

CurvePlot residual_curve(const Model& model) {
  const Vector<double> kept = kept_residuals(model);
  if (kept.size() == 0)
    throw Unsupported(fmt::format("residual: a model of {} keeps no residual variances; give the data it was fitted on",
                                  model.method()));
  return residual_picture(kept);
}

CurvePlot residual_curve(const Model& model, const Dataset& data, const Execution& exec, Index most) {
  if (kept_residuals(model).size() > 0) return residual_curve(model);
  if (model.takes_text() || model.beside<TextIndex>())
    throw Unsupported("residual: the model places texts, and residual variance needs numbers or distances");
  if (most < 2)
    throw InvalidOption("residual", "most", std::to_string(most), "must be 2 or more", "give a number of rows");
  const Matrix<double> map = training_map(model, data, exec);
  const auto distances = row_distances(data, model.metric().value_or(Metric::euclidean), "residual", exec);
  if (map.rows() != distances->rows())
    throw DataError(
        fmt::format("residual: the model has places for {} objects, the data have {}; give what it was "
                    "fitted on",
                    map.rows(), distances->rows()));
  const Index n = map.rows(), looked = std::min(n, most);
  std::vector<CurveSums> sums(static_cast<std::size_t>(looked), CurveSums(map.cols()));
  parallel_for(exec, looked, [&](Index s) {
    const Index i = looked == n ? s : s * n / looked;
    Vector<double> given(n);
    distances->fill(&i, 1, given.data());
    const Vector<double> place = map.row(i);
    add_pairs(given.data(), false, place.data(), map, 0, i, sums[static_cast<std::size_t>(s)]);
    add_pairs(given.data() + i + 1, false, place.data(), map, i + 1, n - i - 1, sums[static_cast<std::size_t>(s)]);
  });
  CurveSums all(map.cols());
  for (const CurveSums& row : sums) all += row;
  return residual_picture(all.residual_variance());
}

}  // namespace fewdim
