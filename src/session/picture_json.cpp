#include <nlohmann/json.hpp>

#include "fewdim/pictures.hpp"

namespace fewdim {

namespace {

using PictureJson = nlohmann::ordered_json;

PictureJson number_list(const Eigen::Ref<const Vector<double>>& values) {
  return std::vector<double>(values.begin(), values.end());
}

/// Column by column, under its name.
PictureJson column_list(const Matrix<double>& values) {
  PictureJson out = PictureJson::array();
  for (Index c = 0; c < values.cols(); ++c) out.push_back(number_list(values.col(c)));
  return out;
}

PicturePoints finite_points(const Matrix<double>& columns) {
  PicturePoints out{.rows = columns.rows()};
  for (Index i = 0; i < columns.rows(); ++i) out.left_out += columns.row(i).allFinite() ? 0 : 1;
  return out;
}

Matrix<double> both(const Vector<double>& x, const Vector<double>& y) {
  Matrix<double> out(x.size(), 2);
  out << x, y;
  return out;
}

void add_colors(PictureJson& out, const std::vector<std::string>& labels, const Vector<double>& values,
                const std::string& name) {
  if (!labels.empty()) out["labels"] = labels;
  if (values.size() > 0) out["values"] = number_list(values);
  if (!labels.empty() || values.size() > 0) out["colored_by"] = name;
}

PictureJson document(const ScatterPlot& p) {
  PictureJson out{
      {"kind", "scatter"}, {"axes", {p.x_label, p.y_label}}, {"x", number_list(p.x)}, {"y", number_list(p.y)}};
  if (!p.point_names.empty()) out["names"] = p.point_names;
  add_colors(out, p.labels, p.values, p.label_name);
  out["equal"] = p.equal;
  out["hulls"] = p.hulls;
  out["density"] = p.density;
  return out;
}

PictureJson document(const PairsPlot& p) {
  PictureJson out{{"kind", "pairs"}, {"axes", p.names}, {"columns", column_list(p.values)}};
  add_colors(out, p.labels, p.colors, p.label_name);
  out["equal"] = p.equal;
  out["hulls"] = p.hulls;
  out["density"] = p.density;
  return out;
}

PictureJson document(const Biplot& p) {
  PictureJson out{{"kind", "biplot"},
                  {"axes", {p.x_label, p.y_label}},
                  {"x", number_list(p.points.col(0))},
                  {"y", number_list(p.points.col(1))}};
  if (!p.point_names.empty()) out["names"] = p.point_names;
  add_colors(out, p.labels, p.values, p.label_name);
  out["arrow_x"] = number_list(p.arrows.col(0));
  out["arrow_y"] = number_list(p.arrows.col(1));
  out["arrow_names"] = p.arrow_names;
  out["alpha"] = p.alpha;
  return out;
}

PictureJson document(const CirclePlot& p) {
  return {{"kind", "circle"},
          {"axes", {p.x_label, p.y_label}},
          {"arrow_x", number_list(p.correlations.col(0))},
          {"arrow_y", number_list(p.correlations.col(1))},
          {"arrow_names", p.names}};
}

PictureJson document(const ScreePlot& p) {
  return {{"kind", "scree"}, {"axes", {p.x_label, p.y_label}}, {"ratios", number_list(p.ratios)}};
}

PictureJson document(const CumulativePlot& p) {
  return {{"kind", "cumulative"},
          {"axes", {p.x_label, p.y_label}},
          {"ratios", number_list(p.ratios)},
          {"levels", p.levels}};
}

PictureJson document(const CurvePlot& p) {
  PictureJson out{
      {"kind", "curve"}, {"axes", {p.x_label, p.y_label}}, {"x", number_list(p.x)}, {"y", number_list(p.y)}};
  if (p.error.size() > 0) out["error"] = number_list(p.error);
  out["log_x"] = p.log_x;
  return out;
}

PictureJson document(const ShepardPlot& p) {
  return {{"kind", "shepard"},
          {"axes", {p.x_label, p.y_label}},
          {"x", number_list(p.dissimilarities)},
          {"y", number_list(p.distances)},
          {"line_x", number_list(p.line_x)},
          {"line_y", number_list(p.line_y)}};
}

}  // namespace

void plot(const Picture& picture, const std::string& path, bool overwrite) {
  std::visit([&](const auto& kind) { plot(kind, path, overwrite); }, picture);
}

PicturePoints points_of(const Picture& picture) {
  if (const auto* scatter = std::get_if<ScatterPlot>(&picture)) return finite_points(both(scatter->x, scatter->y));
  if (const auto* pairs = std::get_if<PairsPlot>(&picture)) return finite_points(pairs->values);
  if (const auto* rows = std::get_if<Biplot>(&picture)) return finite_points(rows->points);
  return {};
}

std::string picture_json(const Picture& picture) {
  PictureJson out = std::visit([](const auto& kind) { return document(kind); }, picture);
  out["title"] = std::visit([](const auto& kind) { return kind.title; }, picture);
  const PicturePoints points = points_of(picture);
  if (points.rows > 0) {
    out["points"] = points.rows;
    out["left_out"] = points.left_out;
  }
  return out.dump(-1, ' ', false, PictureJson::error_handler_t::replace);
}

}  // namespace fewdim
