#include "features/metric.hpp"
#include "models/file/checks.hpp"
#include "models/shapes/stress.hpp"

namespace fewdim {

void require_shapes(const Model::Head& head, const StressModel& model, const std::string& who) {
  const Index objects = model.configuration.rows(), components = model.configuration.cols();
  if (objects < 2 || components < 1)
    throw DataError(fmt::format("{}: {} objects and {} components are no map", who, objects, components));
  require_size(model.objects.rows(), objects, "objects", who);
  if (compares_rows(model.metric) != (model.objects.size() > 0))
    throw DataError(fmt::format("{}: the metric is '{}', and {} objects are there to be compared", who,
                                enum_text(model.metric), model.objects.rows()));
  require_size(model.point_stress.size(), objects, "point_stress", who);
  if (model.knots.size() != model.knot_heights.size() || (model.knots.size() > 0) != (model.type == Disparity::ordinal))
    throw DataError(fmt::format("{}: {} knots of {} heights are no disparities of the type asked for", who,
                                model.knots.size(), model.knot_heights.size()));
  require_size(std::ssize(head.feature_names), model.objects.size() > 0 ? model.objects.cols() : objects,
               "feature_names", who);
  require_components(head, model, components, who);
}

void require_sound(const Model::Head& head, const StressModel& model, const Matrix<double>& embedding,
                   const std::string& who) {
  require_shapes(head, model, who);
  require_all_finite(model.objects, "objects", who);
  require_all_finite(model.configuration, "configuration", who);
  require_all_finite(model.knots, "knots", who);
  require_all_finite(model.knot_heights, "knot_heights", who);
  require_all(model.point_stress, "point_stress", "from 0 to 1", who, [](double s) { return s >= 0.0 && s <= 1.0; });
  for (Index i = 1; i < model.knots.size(); ++i)
    if (!(model.knots[i] > model.knots[i - 1]) || !(model.knot_heights[i] >= model.knot_heights[i - 1]))
      throw DataError(fmt::format("{}: knot {} of the disparities is out of order", who, i + 1));
  require_all_finite(model.explained_variance, "explained_variance", who);
  require_all_finite(embedding, "embedding", who);
  if (embedding.size() > 0) require_size(embedding.cols(), model.configuration.cols(), "embedding", who);
  for (const double number : {model.total_variance, model.shift, model.factor})
    if (!std::isfinite(number)) throw DataError(fmt::format("{}: holds {}, which is not finite", who, number));
  if (model.factor < 0.0) throw DataError(fmt::format("{}: disparities that fall by {} are none", who, model.factor));
}

}  // namespace fewdim
