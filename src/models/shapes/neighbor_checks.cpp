#include "features/metric.hpp"
#include "models/file/checks.hpp"
#include "models/shapes/neighbor.hpp"

namespace fewdim {

void require_shapes(const Model::Head& head, const NeighborModel& model, const std::string& who) {
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
  require_size(model.scales.size(), objects, "scales", who);
  require_size(model.reach.size(), objects, "reach", who);
  if (model.given == (model.neighbors > 0) && (model.given || model.radius <= 0.0))
    throw DataError(fmt::format("{}: neither a number of neighbors nor a radius says how new objects are linked", who));
  require_size(std::ssize(head.feature_names),
               model.objects.size() > 0 ? model.objects.cols() : objects + std::ssize(model.left_out), "feature_names",
               who);
  require_components(head, model, components, who);
}

void require_sound(const Model::Head& head, const NeighborModel& model, const Matrix<double>& embedding,
                   const std::string& who) {
  require_shapes(head, model, who);
  const Index objects = model.configuration.rows();
  require_all_finite(model.objects, "objects", who);
  require_all(model.distances, "distances", "a distance", who, [](double d) { return d >= 0.0 && std::isfinite(d); });
  require_all_finite(model.configuration, "configuration", who);
  require_all_finite(model.factors, "factors", who);
  require_all(model.scales, "scales", "positive", who, [](double a) { return a > 0.0 && std::isfinite(a); });
  require_all(model.reach, "reach", "a distance", who, [](double d) { return d >= 0.0 && std::isfinite(d); });
  require_rising(model.left_out, objects + std::ssize(model.left_out), "left_out", who);
  require_all_finite(model.explained_variance, "explained_variance", who);
  require_all_finite(embedding, "embedding", who);
  if (embedding.size() > 0) require_size(embedding.cols(), model.configuration.cols(), "embedding", who);
  if (model.neighbors < 0 || model.neighbors > objects)
    throw DataError(fmt::format("{}: {} neighbors among {} objects can't be", who, model.neighbors, objects));
  for (const double number : {model.radius, model.regularization, model.total_variance})
    if (!(number >= 0.0) || !std::isfinite(number))
      throw DataError(fmt::format("{}: holds {}, which must be a number of 0 or more", who, number));
  if (!std::isfinite(model.bandwidth) || (model.bandwidth < 0.0 && model.bandwidth != -1.0))
    throw DataError(fmt::format("{}: a bandwidth of {} is none", who, model.bandwidth));
}

}  // namespace fewdim
