#include <algorithm>

#include "fewdim/model.hpp"
#include "models/shapes/linear.hpp"

namespace fewdim {

namespace {

/// Kernel PCA keeps λ/(N−1), but for a kernel that is not centered. A model of features is centered by its shift.
double kernel_divisor(const Model& model) {
  const KernelModel& shape = model.kernel();
  const bool centered = shape.means.size() > 0 || shape.shift.size() > 0;
  return centered ? static_cast<double>(std::max<Index>(model.head().provenance.rows - 1, 1)) : 1.0;
}

bool keeps_variances(const KernelModel& shape) {
  return shape.similarity == Similarity::kernel || shape.similarity == Similarity::fourier;
}

/// N − 1 of the objects whose eigenvalues a model has, where it has no variances.
double objects_less_one(Index objects) { return static_cast<double>(std::max<Index>(objects - 1, 1)); }

/// What the model's own spectrum is to be divided by to be variances; 0: they are none.
double variance_divisor(const Model& model) {
  if (model.is_kernel())
    return keeps_variances(model.kernel()) ? 1.0 : objects_less_one(model.kernel().coefficients.rows());
  if (!model.is_neighbor()) return 1.0;
  const NeighborModel& shape = model.neighbor();  // of MVU the scale is that of the data, of all others it is a unit
  return shape.explained_variance_ratio.size() > 0 ? objects_less_one(shape.configuration.rows()) : 0.0;
}

}  // namespace

Vector<double> Model::eigenvalues() const {
  if (is_stress() || (is_linear() && !is_orthonormal(linear()))) return {};
  if (is_kernel() && keeps_variances(kernel())) return kernel().explained_variance * kernel_divisor(*this);
  return spectrum().explained_variance;
}

Vector<double> Model::variances() const {
  const double divisor = variance_divisor(*this);
  return divisor > 0.0 ? Vector<double>(spectrum().explained_variance / divisor) : Vector<double>();
}

double Model::total_of_variances() const {
  const double divisor = variance_divisor(*this);
  return divisor > 0.0 ? spectrum().total_variance / divisor : 0.0;
}

}  // namespace fewdim
