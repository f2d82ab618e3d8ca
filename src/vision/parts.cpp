#include "vision/parts.hpp"

#include <cmath>

#include "fewdim/ica.hpp"
#include "fewdim/nmf.hpp"
#include "models/shapes/linear.hpp"

namespace fewdim {

Model fit_parts(const Dataset& rows, const Components& components, const FaceOptions& options, const Execution& exec) {
  if (options.parts == FaceParts::independent)
    return fit_ica(
        rows,
        {.components = components, .tolerance = options.pca.tolerance, .seed = options.pca.seed, .embedding = true},
        exec);
  if (options.parts == FaceParts::nonnegative) {
    NmfOptions nmf{.components = components, .seed = options.pca.seed, .embedding = true};
    if (options.pca.tolerance > 0.0) nmf.tolerance = options.pca.tolerance;
    return fit_nmf(rows, nmf, exec);
  }
  PcaOptions pca = options.pca;
  pca.components = components;
  pca.embedding = true;
  return fit_pca(rows, pca, exec);
}

Vector<double> distances_to_space(const Model& model, const Dataset& rows, const Execution& exec) {
  if (is_orthonormal(model.linear())) return row_statistics(model, rows, exec).spe.cwiseSqrt();
  const Matrix<double> back = model.inverse_transform(model.transform(rows, exec), exec).matrix<double>();
  return (back - rows.matrix<double>()).rowwise().norm();
}

}  // namespace fewdim
