#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fewdim/results.hpp"
#include "session/words.hpp"

namespace fewdim {

QualityOptions quality_options_for(const Model& model, QualityOptions options) {
  if (options.metric != Metric::automatic) return options;
  if (model.as<NeighborModel>() && !model.neighbor().given) options.metric = model.neighbor().metric;
  if (model.as<KernelModel>() &&
      (model.kernel().similarity == Similarity::distance || model.kernel().similarity == Similarity::geodesic))
    options.metric = model.kernel().metric;
  return options;
}

QualityReport model_quality(const Model& model, const Dataset& data, const QualityOptions& options,
                            const Execution& exec) {
  if (model.takes_text())
    throw Unsupported("quality: the model compares strings, and quality needs numbers or distances to judge by");
  return embedding_quality(data, model.transform(data, exec), quality_options_for(model, options), exec);
}

std::string meaning_of_measure(const std::string& name, Index neighbors) {
  if (name == "trustworthiness")
    return fmt::format("1: the {} nearest in the embedding are near in the data", neighbors);
  if (name == "continuity") return fmt::format("1: the {} nearest in the data are near in the embedding", neighbors);
  if (name == "neighbors_kept") return fmt::format("share of the {} nearest that are the same in both", neighbors);
  if (name == "rnx_area") return "neighbors kept at all scales: 0 by chance, 1 all";
  if (name == "residual_variance") return "0: distances agree up to a line; 1 - pearson^2";
  if (name == "pearson") return "correlation of the distances";
  if (name == "spearman") return "correlation of the distances' ranks";
  if (name == "distance_correlation") return "Szekely's; 0: the two are independent";
  if (name == "stress") return "Kruskal's stress-1; 0: the distances are the same";
  if (name == "stress_scaled") return "the same after the best stretching";
  if (name == "best_scale") return "the factor of that stretching";
  if (name == "procrustes_disparity") return "0: the reference, turned and stretched; 1: nothing of it";
  if (name == "procrustes_rms") return "what is left, in units of the reference";
  return {};
}

Dataset quality_curve_table(const QualityReport& report) {
  Matrix<double> points(std::ssize(report.curve), 4);
  for (Index p = 0; p < points.rows(); ++p) {
    const CurvePoint& point = report.curve[static_cast<std::size_t>(p)];
    points.row(p) << static_cast<double>(point.neighbors), point.kept, point.beyond_chance, point.standard_error;
  }
  Dataset curve(std::move(points));
  curve.column_names = {"k", "kept", "rnx", "rnx_error"};
  return curve;
}

CurvePlot quality_picture(const QualityReport& report, const std::string& name) {
  const Matrix<double> points = quality_curve_table(report).matrix<double>();
  CurvePlot picture{.x = points.col(0), .y = points.col(2), .error = 2.0 * points.col(3)};
  picture.title =
      fmt::format("Neighbors kept by {}: area {:.3f}", file_name_of(name), report["rnx_area"].value.value_or(0.0));
  picture.x_label = "K nearest neighbors";
  picture.y_label = "kept, 0 by chance, 1 all (R_NX)";
  picture.log_x = true;
  picture.high = 1.0;
  return picture;
}

std::string quality_json(const QualityReport& report) {
  using Json = nlohmann::ordered_json;
  Json measures = Json::object(), curve = Json::array();
  for (const Measure& measure : report.measures) {
    measures[measure.name] = {{"value", measure.value ? Json(*measure.value) : Json()},
                              {"standard_error", measure.value ? Json(measure.standard_error) : Json()}};
    if (!measure.note.empty()) measures[measure.name]["note"] = measure.note;
  }
  for (const CurvePoint& point : report.curve)
    curve.push_back({{"k", point.neighbors},
                     {"kept", point.kept},
                     {"rnx", point.beyond_chance},
                     {"standard_error", point.standard_error}});
  return Json{{"rows", report.rows},
              {"sampled", report.sampled},
              {"exact", report.exact()},
              {"neighbors", report.neighbors},
              {"metric", report.metric_name},
              {"measures", measures},
              {"curve", curve},
              {"notes", report.notes}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string procrustes_json(const Procrustes& fit) {
  using Json = nlohmann::ordered_json;
  Json rotation = Json::array();
  for (Index i = 0; i < fit.rotation.rows(); ++i) {
    const Vector<double> row = fit.rotation.row(i);
    rotation.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return Json{{"disparity", fit.disparity},
              {"rms_error", fit.rms_error},
              {"scale", fit.scale},
              {"rotation", rotation},
              {"shift", std::vector<double>(fit.shift.begin(), fit.shift.end())}}
      .dump();
}

}  // namespace fewdim
