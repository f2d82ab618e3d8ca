#include "models/checks.hpp"
#include "models/kernel.hpp"

namespace fewdim {

void require_shapes(const Model::Head& head, const KernelModel& model, const std::string& who) {
  const Index objects = model.coefficients.rows(), components = model.coefficients.cols();
  if (objects < 1 || components < 1)
    throw DataError(fmt::format("{}: {} objects and {} components are no model", who, objects, components));
  require_size(model.objects.rows(), objects, "objects", who);
  require_size(model.means.size(), objects, "means", who);
  require_size(model.weights.size(), objects, "weights", who);
  require_size(std::ssize(head.feature_names), model.objects.size() > 0 ? model.objects.cols() : objects,
               "feature_names", who);
  require_size(model.explained_variance.size(), components, "explained_variance", who);
  require_size(model.explained_variance_ratio.size(), components, "explained_variance_ratio", who);
  require_size(std::ssize(head.component_names), components, "component_names", who);
  require_size(head.certificate.residuals.size(), components, "residuals", who);
  require_size(head.certificate.value_bounds.size(), components, "value_bounds", who);
  require_size(head.certificate.angle_bounds.size(), components, "angle_bounds", who);
  require_size(std::ssize(head.certificate.groups), components, "groups", who);
}

void require_sound(const Model::Head& head, const KernelModel& model, const Matrix<double>& embedding,
                   const std::string& who) {
  require_shapes(head, model, who);
  require_all_finite(model.objects, "objects", who);
  require_all_finite(model.coefficients, "coefficients", who);
  require_all_finite(model.means, "means", who);
  require_all(model.weights, "weights", "from 0 to 1", who, [](double w) { return w >= 0.0 && w <= 1.0; });
  require_all_finite(model.explained_variance, "explained_variance", who);
  require_all_finite(embedding, "embedding", who);
  if (embedding.size() > 0) require_size(embedding.cols(), model.coefficients.cols(), "embedding", who);
  for (const double number :
       {model.total_variance, model.gamma, model.offset, model.distance_shift, model.square_shift, model.mean})
    if (!std::isfinite(number)) throw DataError(fmt::format("{}: holds {}, which is not finite", who, number));
  if (model.degree < 1 || model.degree > 100)
    throw DataError(fmt::format("{}: a kernel of degree {} is none", who, model.degree));
}

}  // namespace fewdim
