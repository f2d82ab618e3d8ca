#include "features/metric.hpp"
#include "models/file/checks.hpp"
#include "models/names.hpp"
#include "models/shapes/neighbor.hpp"

namespace fewdim {

void describe(NeighborModel& m, ModelFields& f) {
  const Index objects = m.configuration.rows();
  f.choice("metric", m.metric);
  f.choice("placement", m.placement);
  f.value("neighbors", m.neighbors);
  f.value("radius", m.radius, Numbers::nonnegative);
  f.value("given", m.given);
  f.value("regularization", m.regularization, Numbers::nonnegative);
  f.value("bandwidth", m.bandwidth);
  if (f.has_value("own_link", m.own != OwnLink::ignored)) f.choice("own_link", m.own);
  f.array("objects", m.objects, {.single = true});
  f.array("distances", m.distances, {.must = Numbers::nonnegative, .single = true});
  f.array("configuration", m.configuration);
  f.array("factors", m.factors);
  f.array("scales", m.scales, {.rows = objects, .must = Numbers::positive});
  f.array("reach", m.reach, {.rows = objects, .must = Numbers::nonnegative});
  f.integers("left_out", m.left_out);
}

void require_fit(const Model::Head& head, const NeighborModel& model, const std::string& who) {
  const Index objects = model.configuration.rows(), components = model.configuration.cols();
  if (objects < 2 || components < 1)
    throw DataError(fmt::format("{}: {} objects and {} components are no map", who, objects, components));
  require_size(model.objects.rows(), objects, "objects", who);
  if ((!model.given && compares_rows(model.metric)) != (model.objects.size() > 0))
    throw DataError(fmt::format("{}: the metric is '{}', and {} objects are there to be compared", who,
                                enum_text(model.metric), model.objects.rows()));
  const bool barycentric = model.placement == Placement::barycentric;
  const bool by_distances = barycentric && model.objects.size() == 0;
  if (model.distances.rows() != (by_distances ? objects : 0) || model.distances.rows() != model.distances.cols())
    throw DataError(fmt::format("{}: {}x{} distances don't fit {} objects", who, model.distances.rows(),
                                model.distances.cols(), objects));
  if (model.factors.size() != (barycentric ? 0 : components))
    throw DataError(fmt::format("{}: {} factors don't fit {} components", who, model.factors.size(), components));
  if (model.given == (model.neighbors > 0) && (model.given || model.radius <= 0.0))
    throw DataError(fmt::format("{}: neither a number of neighbors nor a radius says how new objects are linked", who));
  require_size(std::ssize(head.feature_names), features_of(model), "feature_names", who);
}

void require_values(const NeighborModel& model, const std::string& who) {
  const Index objects = model.configuration.rows();
  require_rising(model.left_out, objects + std::ssize(model.left_out), "left_out", who);
  if (model.neighbors < 0 || model.neighbors > objects)
    throw DataError(fmt::format("{}: {} neighbors among {} objects can't be", who, model.neighbors, objects));
  if (model.total_variance < 0.0) throw DataError(fmt::format("{}: a total of {} is none", who, model.total_variance));
  if (model.bandwidth < 0.0 && model.bandwidth != -1.0)
    throw DataError(fmt::format("{}: a bandwidth of {} is none", who, model.bandwidth));
}

Index features_of(const NeighborModel& model) {
  return model.objects.size() > 0 ? model.objects.cols() : model.configuration.rows() + std::ssize(model.left_out);
}

std::string new_object(const NeighborModel& model) {
  return model.objects.size() > 0 ? "" : model.given ? "link" : "distance";
}

std::optional<Metric> metric_of(const NeighborModel& model) {
  return model.given ? std::nullopt : std::optional(model.metric);
}

/// Of MVU the scale is that of the data, of all others it is a unit.
double variance_divisor(const NeighborModel& model) {
  return model.explained_variance_ratio.size() > 0
             ? static_cast<double>(std::max<Index>(model.configuration.rows() - 1, 1))
             : 0.0;
}

}  // namespace fewdim
