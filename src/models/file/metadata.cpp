#include "models/file/metadata.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "fewdim/error.hpp"
#include "models/beside/beside.hpp"
#include "models/file/metadata_fields.hpp"
#include "models/file/strict_json.hpp"
#include "models/shapes/shapes.hpp"

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
  ordered_json out{{"version", p.version},       {"date", p.date}, {"seed", p.seed}, {"input", p.input},
                   {"input_hash", p.input_hash}, {"rows", p.rows}};
  if (!p.weights_hash.empty()) out["weights_hash"] = p.weights_hash;
  return out;
}

Provenance parse_provenance(const json& object, const std::string& what) {
  JsonFields fields(object, what);
  Provenance p{.version = fields.text("version"),
               .date = fields.text("date"),
               .seed = fields.natural("seed"),
               .input = fields.text("input"),
               .input_hash = fields.text("input_hash"),
               .rows = fields.index("rows")};
  if (object.contains("weights_hash")) p.weights_hash = fields.text("weights_hash");
  fields.done();
  return p;
}

ordered_json certificate_json(const Certificate& c) {
  ordered_json out{{"route", word_of(c.route)}, {"why", words_of(c.why)},           {"iterations", c.iterations},
                   {"products", c.products},    {"tolerance", c.tolerance},         {"converged", c.converged},
                   {"groups", c.groups},        {"orthogonality", c.orthogonality}, {"forming_error", c.forming_error},
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
  const std::string word = fields.text("route"), why = fields.text("why");
  const std::optional<Route> route = route_named(word);
  if (!route) fields.refuse(fmt::format("has route '{}', which this fewdim does not know", word));
  c.route = *route;
  if (!why.empty()) c.why.emplace_back(ReasonKind::told).text = why;
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

/// Pairs, as their order counts.
ordered_json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  ordered_json out = ordered_json::array();
  for (const Diagnostic& d : diagnostics) out.push_back(ordered_json::array({d.name, d.value}));
  return out;
}

std::vector<Diagnostic> parse_diagnostics(const json& list, JsonFields& fields) {
  std::vector<Diagnostic> out;
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

/// The values of a shape stand under its name; those of the linear one, the first there was, in the document itself.
template <class S>
void describe_values(S& shape, ModelFields& fields) {
  if constexpr (std::is_same_v<S, LinearModel>)
    describe(shape, fields);
  else
    fields.group(shape_name(shape), true, [&] { describe(shape, fields); });
}

template <std::size_t I = 0>
AnyShape empty_shape(const std::string& name, const JsonFields& fields) {
  if constexpr (I == std::variant_size_v<AnyShape>) {
    fields.refuse(fmt::format("has a model of shape '{}', which this fewdim does not know", name));
  } else {
    std::variant_alternative_t<I, AnyShape> shape;
    return name == shape_name(shape) ? AnyShape(shape) : empty_shape<I + 1>(name, fields);
  }
}

}  // namespace

std::string metadata_text(const Model& model) {
  const Model::Head& head = model.head();
  AnyShape& shape = const_cast<AnyShape&>(model.shape());  // a description serves reading and writing
  ordered_json document{{"format", model_format},
                        {"method", head.method},
                        {"shape", std::visit([](const auto& s) { return shape_name(s); }, shape)},
                        {"precision", enum_text(head.precision)},
                        {"extension", enum_text(head.extension)},
                        {"options", options_json(head.options)},
                        {"provenance", provenance_json(head.provenance)},
                        {"certificate", certificate_json(head.certificate)},
                        {"total_variance", model.spectrum().total_variance},
                        {"feature_names", head.feature_names},
                        {"component_names", head.component_names}};
  if (!head.diagnostics.empty()) document["diagnostics"] = diagnostics_json(head.diagnostics);
  MetadataWriter writer(document);
  std::visit([&](auto& s) { describe_values(s, writer); }, shape);
  for_each_attachment([&](auto* kind, const char* name) {
    if (const auto* held = model.beside(kind)) writer.group(name, true, [&] { describe_to(*held, writer); });
  });
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

Metadata parse_metadata(std::string_view text, const std::string& path, std::size_t most_names) {
  const std::string what = path + ": not a model file: its metadata";
  const json document = parse_strict(text, what, {.depth = 4, .values = 100'000 + most_names});
  JsonFields fields(document, what);
  const int format = known_format(fields, path);
  Metadata metadata{.head = {}, .shape = empty_shape(fields.text("shape"), fields), .beside = {}, .format = format};
  Model::Head& head = metadata.head;
  head.method = fields.text("method");
  head.precision = choice<Precision>(fields, "precision");
  head.extension = choice<Extension>(fields, "extension");
  head.options = parse_options(fields.raw("options"), what + ": options");
  head.provenance = parse_provenance(fields.raw("provenance"), what + ": provenance");
  head.certificate = parse_certificate(fields.raw("certificate"), what + ": certificate");
  const double total = fields.number("total_variance");
  MetadataReader reader(document, fields, what);
  std::visit(
      [&](auto& shape) {
        describe_values(shape, reader);
        shape.total_variance = total;
      },
      metadata.shape);
  head.feature_names = fields.texts("feature_names");
  head.component_names = fields.texts("component_names");
  if (document.contains("diagnostics")) head.diagnostics = parse_diagnostics(fields.list("diagnostics"), fields);
  for_each_attachment([&](auto* kind, const char* name) {
    if (!document.contains(name)) return;
    std::remove_pointer_t<decltype(kind)> held;
    reader.group(name, true, [&] { describe(held, reader); });
    if (metadata.beside) fields.refuse("has more than one thing beside its model");
    metadata.beside = Attachment(std::move(held));
  });
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
