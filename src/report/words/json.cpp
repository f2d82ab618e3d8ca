#include <nlohmann/json.hpp>

#include "fewdim/report.hpp"
#include "fewdim/version.hpp"
#include "models/beside/beside.hpp"
#include "models/file/metadata.hpp"
#include "models/file/metadata_fields.hpp"
#include "models/shapes/shapes.hpp"

namespace fewdim {

namespace {

using nlohmann::ordered_json;

/// Raised whenever a key of the document changes its meaning or goes away; new keys may come at any time.
constexpr int report_format = 2;

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

ordered_json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  ordered_json out = ordered_json::object();
  for (const Diagnostic& d : diagnostics) out[d.name] = d.value;
  return out;
}

ordered_json certificate_json(const Certificate& c, Speech speech) {
  std::vector<std::string> warnings;
  for (const std::string& warning : c.warnings) warnings.push_back(spoken(warning, speech));
  return {{"iterations", c.iterations},
          {"products", c.products},
          {"tolerance", c.tolerance},
          {"converged", c.converged},
          {"value_bounds", list(c.value_bounds)},
          {"angle_bounds", list(c.angle_bounds)},
          {"groups", c.groups},
          {"orthogonality", c.orthogonality},
          {"forming_error", c.forming_error},
          {"outside_bound", std::isfinite(c.outside_bound) ? ordered_json(c.outside_bound) : ordered_json()},
          {"outside_probability", c.outside_probability},
          {"warnings", warnings}};
}

ordered_json counted_from_1(const std::vector<std::int32_t>& rows) {
  ordered_json out = ordered_json::array();
  for (const std::int32_t row : rows) out.push_back(row + 1);
  return out;
}

template <class Held>
ordered_json values_of(const Held& held) {
  ordered_json out = ordered_json::object();
  MetadataWriter writer(out);
  describe_to(held, writer);
  return out;
}

ordered_json shape_json(const Model& model) {
  ordered_json out{{"kind", std::visit([](const auto& shape) { return shape_name(shape); }, model.shape())},
                   {"rows", model.head().provenance.rows},
                   {"features", model.features()},
                   {"components", model.components()}};
  if (model.as<LinearModel>()) {
    const LinearModel& linear = model.linear();
    out["centered"] = linear.mean.size() > 0;
    out["scaled"] = linear.scale.size() > 0;
    out["whitened"] = linear.output_scale.size() > 0;
  } else if (model.as<StressModel>()) {
    const StressModel& stress = model.stress();
    out["type"] = enum_text(stress.type);
    out["metric"] = enum_text(stress.metric);
    out["precomputed"] = stress.objects.size() == 0;
    out["point_stress"] = list(stress.point_stress);
  } else if (model.as<NeighborModel>()) {
    const NeighborModel& neighbor = model.neighbor();
    out["metric"] = enum_text(neighbor.metric);
    out["precomputed"] = neighbor.objects.size() == 0;
    out["placement"] = enum_text(neighbor.placement);
    out["neighbors"] = neighbor.neighbors;
    out["radius"] = neighbor.radius;
    out["left_out"] = counted_from_1(neighbor.left_out);
  } else {
    const KernelModel& kernel = model.kernel();
    out["centered"] = kernel.means.size() > 0;
    out["precomputed"] = kernel.objects.size() == 0 && !model.takes_text();
    if (kernel.similarity == Similarity::kernel || kernel.similarity == Similarity::fourier) {
      out["kernel"] = enum_text(kernel.kernel);
      out["gamma"] = kernel.gamma;
      out["inverse"] = enum_text(kernel.inverse.kind);
    } else {
      out["metric"] = enum_text(kernel.metric);
    }
    if (model.takes_text()) {
      out["length"] = kernel.strings.length;
      out["normalize"] = kernel.strings.normalize;
    }
    if (kernel.similarity == Similarity::geodesic) {
      out["vertices"] = kernel.paths.vertices;
      out["links"] = kernel.paths.links.size();
      out["landmarks"] = kernel.paths.landmarks.size();
      out["left_out"] = counted_from_1(kernel.paths.left_out);
    }
  }
  if (model.beside<TextIndex>()) out["text"] = values_of(model.index());
  if (model.beside<ImageIndex>()) out["images"] = values_of(model.images());
  out["embedding"] = model.has_embedding();
  return out;
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

std::string json_report(const Model& model, Speech speech) {
  const Spectrum& spectrum = model.spectrum();
  const Model::Head& head = model.head();
  const Certificate& certificate = head.certificate;
  const Provenance& origin = head.provenance;
  ordered_json document{
      {"fewdim", FEWDIM_VERSION},
      {"format", report_format},
      {"method", head.method},
      {"options", options_json(head.options)},
      {"shape", shape_json(model)},
      {"extension", enum_text(head.extension)},
      {"precision", enum_text(head.precision)},
      {"route", word_of(certificate.route)},
      {"why", words_of(certificate.why)},
      {"singular_values", model.as<LinearModel>() ? list(model.linear().singular_values) : ordered_json::array()},
      {"eigenvalues", list(model.eigenvalues())},
      {"all_eigenvalues", list(spectrum.all_eigenvalues)},
      {"explained_variance", list(model.variances())},
      {"explained_variance_ratio", list(spectrum.explained_variance_ratio)},
      {"total_variance", model.total_of_variances()},
      {"residuals", list(certificate.residuals)},
      {"certificate", certificate_json(certificate, speech)},
      {"diagnostics", diagnostics_json(head.diagnostics)},
      {"limits", model.as<LinearModel>() ? limits_json(model.linear().limits) : ordered_json::array()},
      {"seconds", seconds_json(head.seconds)},
      {"seed", origin.seed},
      {"version", origin.version},
      {"input", origin.input},
      {"input_hash", origin.input_hash},
      {"date", origin.date},
      {"feature_names", head.feature_names},
      {"component_names", head.component_names}};
  if (!origin.weights_hash.empty()) document["weights_hash"] = origin.weights_hash;
  return by_lines(document);
}

}  // namespace fewdim
