#include "models/file/checks.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/nonnegative_rows.hpp"

namespace fewdim {

void require_shapes(const Model::Head& head, const LinearModel& model, const std::string& who) {
  const RandomMap& random = model.random;
  const bool drawn = random.features != 0 || random.components != 0;
  if (drawn && model.map.size() + model.inverse_map.size() > 0)
    throw DataError(fmt::format("{}: a map that is drawn from its seed, and one that is kept", who));
  if (drawn && (random.components > random.features || random.features > INT32_MAX || !(random.density > 0.0) ||
                random.density > 1.0))
    throw DataError(fmt::format("{}: a random map of {} features to {} components with density {} is none", who,
                                random.features, random.components, random.density));
  const Index features = drawn ? random.features : model.map.rows();
  const Index components = drawn ? random.components : model.map.cols();
  if (features < 1 || components < 1)
    throw DataError(fmt::format("{}: a map of {} features to {} components is no model", who, features, components));
  if (model.inverse_map.size() > 0 && (model.inverse_map.rows() != features || model.inverse_map.cols() != components))
    throw DataError(fmt::format("{}: 'inverse_components' is {}×{}, the model needs {}×{}", who,
                                model.inverse_map.cols(), model.inverse_map.rows(), components, features));
  require_size(model.mean.size(), features, "mean", who);
  require_size(model.scale.size(), features, "scale", who);
  require_size(model.noise.size(), features, "noise", who);
  const bool noisy = model.noise.size() > 0;
  if ((model.loadings.size() > 0) != noisy || (model.factor_correlation.size() > 0 && !noisy) ||
      (noisy &&
       (model.loadings.rows() != features || model.loadings.cols() != components || model.mean.size() != features)) ||
      (model.factor_correlation.size() > 0 &&
       (model.factor_correlation.rows() != components || model.factor_correlation.cols() != components)))
    throw DataError(
        fmt::format("{}: a noise, loadings, factor correlations and a mean that do not fit each other", who));
  require_size(model.column_variance.size(), features, "column_variance", who);
  require_size(model.regression.ridge.size(), components, "ridge", who);
  if (model.row_fit != RowFit::product && (drawn || noisy || model.output_scale.size() + model.inverse_map.size() > 0))
    throw DataError(fmt::format("{}: rows are placed by least squares with the map, and by nothing beside it", who));
  require_size(std::ssize(head.feature_names), features, "feature_names", who);
  require_size(model.output_scale.size(), components, "output_scale", who);
  require_size(model.singular_values.size(), components, "singular_values", who);
  require_components(head, model, components, who);
}

void require_sound(const Model::Head& head, const LinearModel& model, const Matrix<double>& embedding,
                   const std::string& who) {
  require_shapes(head, model, who);
  const auto finite = [](double value) { return std::isfinite(value); };
  require_all(model.map, "components", "finite", who, finite);
  require_all(model.inverse_map, "inverse_components", "finite", who, finite);
  require_all(model.mean, "mean", "finite", who, finite);
  require_all(model.loadings, "loadings", "finite", who, finite);
  require_all(model.factor_correlation, "factor_correlation", "finite", who, finite);
  require_all(model.noise, "noise", "finite and positive", who, [](double v) { return std::isfinite(v) && v > 0; });
  require_all(model.scale, "scale", "finite and positive", who, [](double v) { return std::isfinite(v) && v > 0; });
  require_all(model.output_scale, "output_scale", "finite", who, finite);
  require_all(model.singular_values, "singular_values", "finite", who, finite);
  require_all(model.explained_variance, "explained_variance", "finite", who, finite);
  require_all(model.explained_variance_ratio, "explained_variance_ratio", "finite", who, finite);
  require_all(model.column_variance, "column_variance", "finite", who, finite);
  require_all(embedding, "embedding", "finite", who, finite);
  if (model.row_fit == RowFit::nonnegative) require_nonnegative(model, who);
  const auto sound = [](double v) { return std::isfinite(v) && v >= 0.0; };
  require_all(model.regression.ridge, "ridge", "finite and at least 0", who, sound);
  if (!sound(model.regression.lasso) || !sound(model.regression.confidence))
    throw DataError(fmt::format("{}: a lasso of {} and a confidence of {} are none", who, model.regression.lasso,
                                model.regression.confidence));
  if (!std::isfinite(model.total_variance)) throw DataError(fmt::format("{}: the total variance is not finite", who));
  if (embedding.size() > 0) require_size(embedding.cols(), components_of(model), "embedding", who);
}

}  // namespace fewdim
