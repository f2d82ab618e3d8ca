#include "features/metric.hpp"
#include "models/file/checks.hpp"
#include "models/names.hpp"
#include "models/shapes/stress.hpp"

namespace fewdim {

void describe(StressModel& m, ModelFields& f) {
  const Index objects = m.configuration.rows();
  f.choice("type", m.type);
  f.choice("metric", m.metric);
  f.value("shift", m.shift);
  f.value("factor", m.factor);
  f.array("objects", m.objects, {.single = true});
  f.array("configuration", m.configuration);
  f.array("knots", m.knots);
  f.array("knot_heights", m.knot_heights);
  f.array("point_stress", m.point_stress, {.rows = objects, .must = Numbers::share});
}

void require_fit(const Model::Head& head, const StressModel& model, const std::string& who) {
  const Index objects = model.configuration.rows(), components = model.configuration.cols();
  if (objects < 2 || components < 1)
    throw DataError(fmt::format("{}: {} objects and {} components are no map", who, objects, components));
  require_size(model.objects.rows(), objects, "objects", who);
  if (compares_rows(model.metric) != (model.objects.size() > 0))
    throw DataError(fmt::format("{}: the metric is '{}', and {} objects are there to be compared", who,
                                enum_text(model.metric), model.objects.rows()));
  if (model.knots.size() != model.knot_heights.size() || (model.knots.size() > 0) != (model.type == Disparity::ordinal))
    throw DataError(fmt::format("{}: {} knots of {} heights are no disparities of the type asked for", who,
                                model.knots.size(), model.knot_heights.size()));
  require_size(std::ssize(head.feature_names), features_of(model), "feature_names", who);
}

void require_values(const StressModel& model, const std::string& who) {
  if (model.factor < 0.0) throw DataError(fmt::format("{}: disparities that fall by {} are none", who, model.factor));
  for (Index i = 1; i < model.knots.size(); ++i)
    if (!(model.knots[i] > model.knots[i - 1]) || !(model.knot_heights[i] >= model.knot_heights[i - 1]))
      throw DataError(fmt::format("{}: knot {} of the disparities is out of order", who, i + 1));
}

Index features_of(const StressModel& model) {
  return model.objects.size() > 0 ? model.objects.cols() : model.configuration.rows();
}

}  // namespace fewdim
