#include "quality_report.hpp"

#include <fmt/format.h>

#include "fewdim/results.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

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
        meaning_of_measure(measure.name, report.neighbors));
  if (fit) {
    const auto add_fit = [&](const char* name, std::string value) {
      add(name, std::move(value), "exact", meaning_of_measure(name, report.neighbors));
    };
    add_fit("procrustes_disparity", show(fit->disparity));
    add_fit("procrustes_rms", fmt::format("{:.4g}", fit->rms_error));
  }
  return table(rows);
}

}  // namespace fewdim::cli
