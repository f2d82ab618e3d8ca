#include "models/file/metadata.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "fewdim/error.hpp"
#include "models/beside/image_index_file.hpp"
#include "models/beside/ratings_index_file.hpp"
#include "models/file/strict_json.hpp"
#include "models/text/text_index_file.hpp"

namespace fewdim {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

template <class E>
E choice(JsonFields& fields, const char* key) {
  const std::string& found = fields.text(key);
  for (const auto& [value, name] : EnumNames<E>::names)
    if (found == name) return value;
  fields.refuse(fmt::format("has {} '{}', which this fewdim does not know", key, found));
}

OptionMap parse_options(const json& object, const std::string& what) {
  const JsonFields fields(object, what);
  OptionMap options;
  for (const auto& [name, value] : object.items()) {
    if (value.is_boolean())
      options[name] = value.get<bool>();
    else if (value.is_string())
      options[name] = value.get<std::string>();
    else if (value.is_number_float())
      options[name] = value.get<double>();
    else if (value.is_number_integer() &&
             (!value.is_number_unsigned() || std::in_range<std::int64_t>(value.get<std::uint64_t>())))
      options[name] = value.get<std::int64_t>();
    else
      fields.refuse(fmt::format("'{}' is not a value an option can have", name));
  }
  return options;
}

ordered_json provenance_json(const Provenance& p) {
  return {{"version", p.version},       {"date", p.date}, {"seed", p.seed}, {"input", p.input},
          {"input_hash", p.input_hash}, {"rows", p.rows}};
}

Provenance parse_provenance(const json& object, const std::string& what) {
  JsonFields fields(object, what);
  Provenance p{.version = fields.text("version"),
               .date = fields.text("date"),
               .seed = fields.natural("seed"),
               .input = fields.text("input"),
               .input_hash = fields.text("input_hash"),
               .rows = fields.index("rows")};
  fields.done();
  return p;
}

ordered_json certificate_json(const Certificate& c) {
  ordered_json out{{"route", c.route},
                   {"why", c.why},
                   {"iterations", c.iterations},
                   {"products", c.products},
                   {"tolerance", c.tolerance},
                   {"converged", c.converged},
                   {"groups", c.groups},
                   {"orthogonality", c.orthogonality},
                   {"forming_error", c.forming_error},
                   {"warnings", c.warnings}};
  if (c.outside_probability < 1.0) {  // −∞: nothing is outside
    out["outside_bound"] = std::isfinite(c.outside_bound) ? ordered_json(c.outside_bound) : ordered_json();
    out["outside_probability"] = c.outside_probability;
  }
  return out;
}

Certificate parse_certificate(const json& object, const std::string& what) {
  JsonFields fields(object, what);
  Certificate c;
  c.route = fields.text("route");
  c.why = fields.text("why");
  c.iterations = fields.index("iterations");
  c.products = fields.index("products");
  c.tolerance = fields.number("tolerance");
  c.converged = fields.boolean("converged");
  for (const json& group : fields.list("groups")) {
    if (!group.is_number_integer()) fields.refuse("'groups' is not a list of whole numbers");
    c.groups.push_back(group.get<Index>());
  }
  c.orthogonality = fields.number("orthogonality");
  c.forming_error = fields.number("forming_error");
  c.warnings = fields.texts("warnings");
  if (object.is_object() && object.contains("outside_bound")) {  // not in models of version 0.1
    c.outside_bound = fields.number("outside_bound");
    if (std::isnan(c.outside_bound)) c.outside_bound = -std::numeric_limits<double>::infinity();
    c.outside_probability = fields.number("outside_probability");
    if (!(c.outside_probability >= 0.0 && c.outside_probability <= 1.0)) fields.refuse("'outside_probability' is none");
  }
  fields.done();
  return c;
}

std::vector<DistanceLimits> parse_limits(const json& list, const std::string& what) {
  std::vector<DistanceLimits> limits;
  for (const json& entry : list) {
    JsonFields fields(entry, what);
    limits.push_back(
        {.confidence = fields.number("confidence"), .t2 = fields.number("t2"), .spe = fields.number("spe")});
    fields.done();
  }
  return limits;
}

ordered_json kernel_json(const KernelModel& k) {
  ordered_json out{{"similarity", enum_text(k.similarity)},
                   {"kernel", enum_text(k.kernel)},
                   {"gamma", k.gamma},
                   {"offset", k.offset},
                   {"degree", k.degree},
                   {"metric", enum_text(k.metric)},
                   {"distance_shift", k.distance_shift},
                   {"square_shift", k.square_shift},
                   {"mean", k.mean}};
  if (k.paths.vertices > 0)
    out["paths"] = {{"neighbors", k.paths.neighbors},
                    {"radius", k.paths.radius},
                    {"given", k.paths.given},
                    {"vertices", k.paths.vertices}};
  if (k.inverse.kind != Preimage::none)
    out["inverse"] = {{"kind", enum_text(k.inverse.kind)}, {"gamma", k.inverse.gamma}};
  if (k.kernel == KernelKind::spectrum)
    out["strings"] = {{"length", k.strings.length}, {"normalize", k.strings.normalize}};
  return out;
}

KernelModel parse_kernel(const json& object, const std::string& what) {
  JsonFields fields(object, what);
  KernelModel k;
  k.similarity = choice<Similarity>(fields, "similarity");
  k.kernel = choice<KernelKind>(fields, "kernel");
  k.gamma = fields.number("gamma");
  k.offset = fields.number("offset");
  k.degree = fields.index("degree");
  k.metric = choice<Metric>(fields, "metric");
  k.distance_shift = fields.number("distance_shift");
  k.square_shift = fields.number("square_shift");
  k.mean = fields.number("mean");
  if (object.contains("paths")) {
    JsonFields paths(fields.raw("paths"), what + ": paths");
    k.paths.neighbors = paths.index("neighbors");
    k.paths.radius = paths.number("radius");
    k.paths.given = paths.boolean("given");
    k.paths.vertices = paths.index("vertices");
    paths.done();
  }
  if (object.contains("inverse")) {
    JsonFields inverse(fields.raw("inverse"), what + ": inverse");
    k.inverse.kind = choice<Preimage>(inverse, "kind");
    k.inverse.gamma = inverse.number("gamma");
    inverse.done();
  }
  if (k.kernel == KernelKind::spectrum) {
    JsonFields strings(fields.raw("strings"), what + ": strings");
    k.strings.length = strings.index("length");
    k.strings.normalize = strings.boolean("normalize");
    strings.done();
  }
  fields.done();
  return k;
}

ordered_json stress_json(const StressModel& s) {
  return {{"type", enum_text(s.type)}, {"metric", enum_text(s.metric)}, {"shift", s.shift}, {"factor", s.factor}};
}

StressModel parse_stress(const json& object, const std::string& what) {
  JsonFields fields(object, what);
  StressModel s;
  s.type = choice<Disparity>(fields, "type");
  s.metric = choice<Metric>(fields, "metric");
  s.shift = fields.number("shift");
  s.factor = fields.number("factor");
  fields.done();
  return s;
}

ordered_json neighbor_json(const NeighborModel& n) {
  ordered_json out{{"metric", enum_text(n.metric)},
                   {"placement", enum_text(n.placement)},
                   {"neighbors", n.neighbors},
                   {"radius", n.radius},
                   {"given", n.given},
                   {"regularization", n.regularization},
                   {"bandwidth", n.bandwidth}};
  if (n.own != OwnLink::ignored) out["own_link"] = enum_text(n.own);
  return out;
}

NeighborModel parse_neighbor(const json& object, const std::string& what) {
  JsonFields fields(object, what);
  NeighborModel n;
  n.metric = choice<Metric>(fields, "metric");
  n.placement = choice<Placement>(fields, "placement");
  n.neighbors = fields.index("neighbors");
  n.radius = fields.number("radius");
  n.given = fields.boolean("given");
  n.regularization = fields.number("regularization");
  n.bandwidth = fields.number("bandwidth");
  if (object.contains("own_link")) n.own = choice<OwnLink>(fields, "own_link");
  fields.done();
  return n;
}

ordered_json random_json(const RandomMap& r) {
  return {{"kind", enum_text(r.kind)},
          {"features", r.features},
          {"components", r.components},
          {"density", r.density},
          {"seed", r.seed}};
}

RandomMap parse_random(const json& object, const std::string& what) {
  JsonFields fields(object, what);
  RandomMap r;
  r.kind = choice<ProjectionKind>(fields, "kind");
  r.features = fields.index("features");
  r.components = fields.index("components");
  r.density = fields.number("density");
  r.seed = fields.natural("seed");
  if (r.features < 1 || r.components < 1) fields.refuse("has a random map without features or components");
  fields.done();
  return r;
}

ordered_json regression_json(const Metadata& m) {
  return {{"fit", enum_text(m.row_fit)},
          {"ridge_by_count", m.regression.ridge_by_count},
          {"lasso", m.regression.lasso},
          {"confidence", m.regression.confidence}};
}

void parse_regression(const json& object, const std::string& what, Metadata& m) {
  JsonFields fields(object, what);
  m.row_fit = choice<RowFit>(fields, "fit");
  m.regression.ridge_by_count = fields.boolean("ridge_by_count");
  m.regression.lasso = fields.number("lasso");
  m.regression.confidence = fields.number("confidence");
  if (m.row_fit == RowFit::product) fields.refuse("has a regression that is not used");
  fields.done();
}

std::vector<std::pair<std::string, double>> parse_diagnostics(const json& list, JsonFields& fields) {
  std::vector<std::pair<std::string, double>> out;
  for (const json& entry : list) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
      fields.refuse("'diagnostics' is not a list of names with their numbers");
    out.emplace_back(entry[0].get<std::string>(), entry[1].get<double>());
  }
  return out;
}

/// Before anything else is asked for: a newer file may lack what an older one must have.
int known_format(JsonFields& fields, const std::string& path) {
  const std::uint64_t format = fields.natural("format");
  if (format > model_format)
    throw DataError(fmt::format("{}: its model format {} is newer than the {} this fewdim knows; use a newer fewdim",
                                path, format, model_format));
  if (format == 0) fields.refuse("has format 0, which there never was");
  return static_cast<int>(format);
}

}  // namespace

KernelModel kernel_scalars(const KernelModel& model) {
  KernelModel out;
  out.similarity = model.similarity;
  out.kernel = model.kernel;
  out.gamma = model.gamma;
  out.offset = model.offset;
  out.degree = model.degree;
  out.metric = model.metric;
  out.distance_shift = model.distance_shift;
  out.square_shift = model.square_shift;
  out.mean = model.mean;
  out.paths.neighbors = model.paths.neighbors;
  out.paths.radius = model.paths.radius;
  out.paths.given = model.paths.given;
  out.paths.vertices = model.paths.vertices;
  out.inverse.kind = model.inverse.kind;
  out.inverse.gamma = model.inverse.gamma;
  out.strings.length = model.strings.length;
  out.strings.normalize = model.strings.normalize;
  return out;
}

StressModel stress_scalars(const StressModel& model) {
  StressModel out;
  out.type = model.type;
  out.metric = model.metric;
  out.shift = model.shift;
  out.factor = model.factor;
  return out;
}

NeighborModel neighbor_scalars(const NeighborModel& model) {
  NeighborModel out;
  out.metric = model.metric;
  out.placement = model.placement;
  out.neighbors = model.neighbors;
  out.radius = model.radius;
  out.given = model.given;
  out.regularization = model.regularization;
  out.bandwidth = model.bandwidth;
  out.own = model.own;
  return out;
}

std::string metadata_text(const Metadata& metadata) {
  const Model::Head& head = metadata.head;
  ordered_json limits = ordered_json::array();
  for (const DistanceLimits& limit : metadata.limits)
    limits.push_back({{"confidence", limit.confidence}, {"t2", limit.t2}, {"spe", limit.spe}});
  ordered_json document{{"format", model_format},
                        {"method", head.method},
                        {"shape", metadata.kernel     ? "kernel"
                                  : metadata.stress   ? "stress"
                                  : metadata.neighbor ? "neighbor"
                                                      : "linear"},
                        {"precision", enum_text(head.precision)},
                        {"extension", enum_text(head.extension)},
                        {"options", options_json(head.options)},
                        {"provenance", provenance_json(head.provenance)},
                        {"certificate", certificate_json(head.certificate)},
                        {"total_variance", metadata.total_variance},
                        {"feature_names", head.feature_names},
                        {"component_names", head.component_names}};
  if (!head.diagnostics.empty()) {
    document["diagnostics"] = head.diagnostics;  // pairs, as their order counts
  }
  if (metadata.kernel)
    document["kernel"] = kernel_json(*metadata.kernel);
  else if (metadata.stress)
    document["stress"] = stress_json(*metadata.stress);
  else if (metadata.neighbor)
    document["neighbor"] = neighbor_json(*metadata.neighbor);
  else
    document["limits"] = limits;
  if (metadata.random.features > 0) document["random"] = random_json(metadata.random);
  if (metadata.row_fit != RowFit::product) document["regression"] = regression_json(metadata);
  if (metadata.index) document["text"] = index_json(*metadata.index);
  if (metadata.images) document["images"] = images_json(*metadata.images);
  if (metadata.ratings) document["ratings"] = ratings_json(*metadata.ratings);
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

Metadata parse_metadata(std::string_view text, const std::string& path, std::size_t most_names) {
  const std::string what = path + ": not a model file: its metadata";
  const json document = parse_strict(text, what, {.depth = 4, .values = 100'000 + most_names});
  JsonFields fields(document, what);
  const int format = known_format(fields, path);
  const std::string shape = fields.text("shape");
  if (shape != "linear" && shape != "kernel" && shape != "stress" && shape != "neighbor")
    fields.refuse(fmt::format("has a model of shape '{}', which this fewdim does not know", shape));
  Metadata metadata;
  metadata.format = format;
  Model::Head& head = metadata.head;
  head.method = fields.text("method");
  head.precision = choice<Precision>(fields, "precision");
  head.extension = choice<Extension>(fields, "extension");
  head.options = parse_options(fields.raw("options"), what + ": options");
  head.provenance = parse_provenance(fields.raw("provenance"), what + ": provenance");
  head.certificate = parse_certificate(fields.raw("certificate"), what + ": certificate");
  metadata.total_variance = fields.number("total_variance");
  if (shape == "kernel")
    metadata.kernel = parse_kernel(fields.raw("kernel"), what + ": kernel");
  else if (shape == "stress")
    metadata.stress = parse_stress(fields.raw("stress"), what + ": stress");
  else if (shape == "neighbor")
    metadata.neighbor = parse_neighbor(fields.raw("neighbor"), what + ": neighbor");
  else
    metadata.limits = parse_limits(fields.list("limits"), what + ": limits");
  if (shape == "linear" && document.contains("random"))
    metadata.random = parse_random(fields.raw("random"), what + ": random");
  if (shape == "linear" && document.contains("regression"))
    parse_regression(fields.raw("regression"), what + ": regression", metadata);
  head.feature_names = fields.texts("feature_names");
  head.component_names = fields.texts("component_names");
  if (document.contains("diagnostics")) head.diagnostics = parse_diagnostics(fields.list("diagnostics"), fields);
  if (document.contains("text")) metadata.index = parse_index(fields.raw("text"), what + ": text");
  if (document.contains("images")) metadata.images = parse_images(fields.raw("images"), what + ": images");
  if (document.contains("ratings")) metadata.ratings = parse_ratings(fields.raw("ratings"), what + ": ratings");
  if (format == 1 && document.contains("data_hash")) metadata.data_hash = fields.text("data_hash");
  fields.done();
  return metadata;
}

nlohmann::ordered_json options_json(const OptionMap& options) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : options) {
    const auto* real = std::get_if<double>(&value);
    if (real && !std::isfinite(*real))
      object[name] = option_text(value);
    else
      std::visit([&](const auto& held) { object[name] = held; }, value);
  }
  return object;
}

}  // namespace fewdim
