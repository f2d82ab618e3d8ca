#include <nlohmann/json.hpp>

#include "fewdim/model.hpp"
#include "fewdim/version.hpp"
#include "models/metadata.hpp"

namespace fewdim {

namespace {

using nlohmann::ordered_json;

/// Raised whenever a key of the document changes its meaning or goes away; new keys may come at any time.
constexpr int report_format = 1;

ordered_json list(const Vector<double>& values) { return std::vector<double>(values.begin(), values.end()); }

ordered_json limits_json(const std::vector<DistanceLimits>& limits) {
  ordered_json out = ordered_json::array();
  for (const DistanceLimits& limit : limits)
    out.push_back({{"confidence", limit.confidence}, {"t2", limit.t2}, {"spe", limit.spe}});
  return out;
}

ordered_json seconds_json(const std::vector<std::pair<std::string, double>>& seconds) {
  ordered_json out = ordered_json::object();
  for (const auto& [stage, time] : seconds) out[stage] = out.value(stage, 0.0) + time;
  return out;
}

ordered_json certificate_json(const Certificate& c) {
  return {{"iterations", c.iterations},
          {"products", c.products},
          {"tolerance", c.tolerance},
          {"converged", c.converged},
          {"value_bounds", list(c.value_bounds)},
          {"angle_bounds", list(c.angle_bounds)},
          {"groups", c.groups},
          {"orthogonality", c.orthogonality},
          {"forming_error", c.forming_error},
          {"warnings", c.warnings}};
}

/// One line a key: as easy to read by eye and with line tools as by a parser. NaN and infinities become null.
std::string by_lines(const ordered_json& document) {
  std::string text = "{";
  for (const auto& [key, value] : document.items()) {
    text += text.size() > 1 ? ",\n  " : "\n  ";
    text += ordered_json(key).dump() + ": " + value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }
  return text + "\n}\n";
}

}  // namespace

std::string Model::json() const {
  const LinearModel& model = linear();
  const Certificate& certificate = head_.certificate;
  const Provenance& origin = head_.provenance;
  return by_lines({{"fewdim", FEWDIM_VERSION},
                   {"format", report_format},
                   {"method", head_.method},
                   {"options", options_json(head_.options)},
                   {"shape",
                    {{"kind", "linear"},
                     {"rows", origin.rows},
                     {"features", features()},
                     {"components", components()},
                     {"centered", model.mean.size() > 0},
                     {"scaled", model.scale.size() > 0},
                     {"whitened", model.output_scale.size() > 0},
                     {"embedding", has_embedding()}}},
                   {"extension", enum_text(head_.extension)},
                   {"precision", enum_text(head_.precision)},
                   {"route", certificate.route},
                   {"why", certificate.why},
                   {"singular_values", list(model.singular_values)},
                   {"explained_variance", list(model.explained_variance)},
                   {"explained_variance_ratio", list(model.explained_variance_ratio)},
                   {"total_variance", model.total_variance},
                   {"residuals", list(certificate.residuals)},
                   {"certificate", certificate_json(certificate)},
                   {"limits", limits_json(model.limits)},
                   {"seconds", seconds_json(head_.seconds)},
                   {"seed", origin.seed},
                   {"version", origin.version},
                   {"input", origin.input},
                   {"input_hash", origin.input_hash},
                   {"date", origin.date},
                   {"feature_names", head_.feature_names},
                   {"component_names", head_.component_names}});
}

}  // namespace fewdim
