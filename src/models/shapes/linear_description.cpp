#include "models/file/checks.hpp"
#include "models/names.hpp"
#include "models/shapes/gaussian.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/nonnegative_rows.hpp"

namespace fewdim {

void describe(LinearModel& m, ModelFields& f) {
  const Index features = features_of(m), components = components_of(m);
  const ArrayInfo map{.rows = features, .cols = components, .single = true, .transposed = true};
  f.list(
      "limits", std::ssize(m.limits), [&](Index size) { m.limits.resize(at(size)); },
      [&](Index i) {
        DistanceLimits& limit = m.limits[at(i)];
        f.value("confidence", limit.confidence, Numbers::any);
        f.value("t2", limit.t2, Numbers::any);
        f.value("spe", limit.spe, Numbers::any);
      });
  f.group("random", m.random.features > 0, [&] {
    f.choice("kind", m.random.kind);
    f.value("features", m.random.features);
    f.value("components", m.random.components);
    f.value("density", m.random.density);
    f.value("seed", m.random.seed);
  });
  f.group("regression", m.row_fit != RowFit::product, [&] {
    f.choice("fit", m.row_fit);
    f.value("ridge_by_count", m.regression.ridge_by_count);
    f.value("lasso", m.regression.lasso, Numbers::nonnegative);
    f.value("confidence", m.regression.confidence, Numbers::nonnegative);
  });
  f.array("components", m.map, map);
  f.array("inverse_components", m.inverse_map, map);
  f.array("mean", m.mean, {.rows = features, .single = true});
  f.array("scale", m.scale, {.rows = features, .must = Numbers::positive, .single = true});
  f.array("output_scale", m.output_scale, {.rows = components, .single = true});
  f.array("singular_values", m.singular_values, {.rows = components});
  f.array("column_variance", m.column_variance, {.rows = features});
  f.array("loadings", m.loadings, map);
  f.array("noise", m.noise, {.rows = features, .must = Numbers::positive, .single = true});
  f.array("factor_correlation", m.factor_correlation, {.rows = components, .cols = components, .single = true});
  if (m.row_fit != RowFit::product)
    f.array("ridge", m.regression.ridge, {.rows = components, .must = Numbers::nonnegative});
}

void require_fit(const Model::Head& head, const LinearModel& model, const std::string& who) {
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
  const bool noisy = model.noise.size() > 0;
  if ((model.loadings.size() > 0) != noisy || (model.factor_correlation.size() > 0 && !noisy) ||
      (noisy && model.mean.size() != features))
    throw DataError(
        fmt::format("{}: a noise, loadings, factor correlations and a mean that do not fit each other", who));
  if (model.row_fit != RowFit::product && (drawn || noisy || model.output_scale.size() + model.inverse_map.size() > 0))
    throw DataError(fmt::format("{}: rows are placed by least squares with the map, and by nothing beside it", who));
  require_size(std::ssize(head.feature_names), features, "feature_names", who);
}

void require_values(const LinearModel& model, const std::string& who) {
  require_all_finite(model.explained_variance_ratio, "explained_variance_ratio", who);
  if (model.row_fit == RowFit::nonnegative) require_nonnegative(model, who);
}

Vector<double> eigenvalues_of(const LinearModel& model, const Model::Head&) {
  return is_orthonormal(model) ? model.explained_variance : Vector<double>();
}

}  // namespace fewdim
