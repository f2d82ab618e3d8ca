#include "quality_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace fewdim::cli {

namespace {

/// What a number says, and which end is good.
std::string meaning(const std::string& name, Index neighbors) {
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
  return {};
}

std::string show(double value) { return fmt::format("{:.4f}", value); }

}  // namespace

std::string quality_table(const QualityReport& report, const std::optional<Procrustes>& fit) {
  const bool errors = !report.exact() || report["spearman"].standard_error > 0.0;
  std::vector<std::vector<std::string>> rows;
  const auto error_of = [&](const Measure& measure) -> std::string {
    if (!measure.value) return "-";
    if (measure.standard_error > 0.0) return fmt::format("{:.1e}", measure.standard_error);
    return report.exact() ? "exact" : "0";
  };
  const auto add = [&](std::string name, std::string value, const std::string& error, std::string what) {
    std::vector<std::string> cells{std::move(name), std::move(value)};
    if (errors) cells.push_back(error);
    cells.push_back(std::move(what));
    rows.push_back(std::move(cells));
  };
  add("measure", "value", "std.error", "meaning");
  for (const Measure& measure : report.measures)
    add(measure.name, measure.value ? show(*measure.value) : "-", error_of(measure),
        meaning(measure.name, report.neighbors));
  if (fit) {
    add("procrustes_disparity", show(fit->disparity), "exact",
        "0: the reference, turned and stretched; 1: nothing of it");
    add("procrustes_rms", fmt::format("{:.4g}", fit->rms_error), "exact", "what is left, in units of the reference");
  }
  return table(rows);
}

Json measures_json(const QualityReport& report) {
  Json measures = Json::object();
  for (const Measure& measure : report.measures) {
    measures[measure.name] = {{"value", measure.value ? Json(*measure.value) : Json()},
                              {"standard_error", measure.value ? Json(measure.standard_error) : Json()}};
    if (!measure.note.empty()) measures[measure.name]["note"] = measure.note;
  }
  return measures;
}

Json curve_json(const QualityReport& report) {
  Json curve = Json::array();
  for (const CurvePoint& point : report.curve)
    curve.push_back({{"k", point.neighbors},
                     {"kept", point.kept},
                     {"rnx", point.beyond_chance},
                     {"standard_error", point.standard_error}});
  return curve;
}

Json procrustes_json(const Procrustes& fit, const std::string& reference) {
  Json rotation = Json::array();
  for (Index i = 0; i < fit.rotation.rows(); ++i) rotation.push_back(numbers(fit.rotation.row(i)));
  return {{"reference", reference}, {"disparity", fit.disparity}, {"rms_error", fit.rms_error},
          {"scale", fit.scale},     {"rotation", rotation},       {"shift", numbers(fit.shift)}};
}

}  // namespace fewdim::cli
