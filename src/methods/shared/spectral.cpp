#include "methods/shared/spectral.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/remedy.hpp"
#include "models/file/provenance.hpp"

namespace fewdim {

double inverse_root(double eigenvalue) { return 1.0 / std::sqrt(eigenvalue); }
double inverse_fourth_root(double eigenvalue) { return 1.0 / std::sqrt(std::sqrt(eigenvalue)); }

void scale_scores(LinearModel& shape, Precision precision, double (*factor)(double), std::string_view who,
                  std::string_view option, std::string_view value) {
  const Vector<double>& values = shape.explained_variance;
  shape.output_scale.resize(values.size());
  for (Index i = 0; i < values.size(); ++i) {
    if (!(values[i] > 1e-14 * values[0]))
      throw InvalidOption(who, option, value, fmt::format("can't scale component {}: its eigenvalue is zero", i + 1),
                          fmt::format("use {} or less", set_option("components", i)));
    shape.output_scale[i] = factor(values[i]);
  }
  round_to(precision, shape.output_scale);
}

LinearModel shape_from(const Decomposition& d, Precision precision) {
  LinearModel shape;
  shape.mean = d.mean;
  shape.scale = d.scale;
  shape.map = d.vectors;
  round_to(precision, shape.mean);
  round_to(precision, shape.scale);
  round_to(precision, shape.map);
  shape.singular_values = (d.values * d.divisor).cwiseSqrt();
  shape.explained_variance = d.values;
  shape.explained_variance_ratio = d.values / d.total;
  shape.total_variance = d.total;
  shape.column_variance = d.column_variance;
  return shape;
}

Model::Head head_from(std::string method, const Dataset& data, Decomposition d, OptionMap options, Seed seed,
                      const std::string& component_prefix) {
  Model::Head head;
  head.method = std::move(method);
  head.precision = data.precision();
  head.options = std::move(options);
  head.provenance = provenance_of(data, d.rows, seed);
  head.certificate = std::move(d.certificate);
  head.plan = std::move(d.plan);
  head.seconds = std::move(d.seconds);
  head.feature_names = data.column_names;
  for (Index i = 1; i <= d.vectors.cols(); ++i)
    head.component_names.push_back(fmt::format("{}{}", component_prefix, i));
  return head;
}

Components resolve_components(const Dataset& data, const Components& components, ChooseOptions choose,
                              std::string_view who, const Execution& exec) {
  if (components.kind != Components::Kind::criterion) return components;
  const auto& known = k_criteria();
  const std::string name = components.criterion == "auto" ? default_k_criterion() : components.criterion;
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw InvalidOption(who, "components", components.text(), "names no criterion",
                        fmt::format("use auto, or auto: and one of {}", fmt::join(known, ", ")));
  if (data.is_stream())
    throw InvalidOption(who, "components", components.text(), "needs the data in memory",
                        "use a number or a share of variance");
  choose.criteria = {name};
  const KAdvice advice = choose_components(data, choose, exec).at(0);
  if (advice.k < 1)
    throw InvalidOption(who, "components", components.text(),
                        fmt::format("finds no component to keep ({})", advice.sentence),
                        "use a number, or another criterion");
  return Components(advice.k);
}

void keep_scores(Model& model, const Dataset& data, const Execution& exec) {
  if (data.is_stream() && !data.stream()->rewindable())
    throw Unsupported(
        fmt::format("{}: {} needs a second pass over the rows, and a pipe has one; use transform on a file",
                    model.method(), option_is("embedding", "true")));
  if (data.is_stream()) data.stream()->rewind();
  model.keep_embedding(model.transform(data, exec).matrix<double>());
}

}  // namespace fewdim
