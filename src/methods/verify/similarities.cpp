#include <fmt/format.h>

#include <cmath>

#include "base/remedy.hpp"
#include "features/distance_matrix.hpp"
#include "features/given_matrix.hpp"
#include "features/kernel.hpp"
#include "methods/shared/gram_embedding.hpp"
#include "methods/verify/verify.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/outside.hpp"

namespace fewdim {

namespace {

constexpr const char* kVerify = "verify";

/// The whole matrix of similarities must be at hand: a model of some of its columns says nothing of the rest.
void require_all_pairs(const Model& model) {
  const KernelModel& shape = model.kernel();
  if (shape.similarity == Similarity::geodesic)
    throw Unsupported("verify: paths are found anew by a fit only; fit again and compare the eigenvalues");
  if (shape.shift.size() > 0 || shape.similarity == Similarity::fourier ||
      shape.coefficients.rows() != model.head().provenance.rows)
    throw Unsupported("verify: an approximation keeps too little to be checked; its own error is in " +
                      use_command("inspect"));
}

/// Tiles as the fit had them, from the model's parameters.
SymmetricTiles<double>::Fill similarities(const KernelModel& shape, const Dataset& data, const MetricRows<double>& rows,
                                          const Kernel& kernel) {
  return [&shape, &data, &rows, kernel](Index row, Index m, Index col, Index n, double* out) {
    const bool by_kernel = shape.similarity == Similarity::kernel, given = shape.objects.size() == 0;
    if (given)
      copy_given(data, row, m, col, n, out);
    else if (by_kernel)
      return kernel_tile(kernel, rows, row, m, rows, col, n, out);
    else
      distance_tile(rows, row, m, rows, col, n, false, out);
    if (by_kernel) return;
    square_distances(out, m * n, shape.distance_shift, shape.square_shift);
    if (row == col)
      for (Index i = 0; i < m; ++i) out[i * n + i] = 0.0;
  };
}

}  // namespace

Verification verify_similarities(const Model& model, const Dataset& data, const Execution& exec) {
  require_all_pairs(model);
  const KernelModel& shape = model.kernel();
  const bool by_kernel = shape.similarity == Similarity::kernel, given = shape.objects.size() == 0;
  const Dataset objects = given && !by_kernel ? full_distances(data, kVerify, exec) : data;
  const Index n = model.head().provenance.rows, count = model.components();
  if (objects.rows() != n || objects.cols() != model.features())
    throw DataError(
        fmt::format("verify: the model was fitted on {}x{} numbers, the data are {}x{}; give what it was fitted on", n,
                    model.features(), objects.rows(), objects.cols()));
  const Kernel kernel{shape.kernel, shape.gamma, shape.offset, shape.degree};
  MetricRows<double> rows;
  if (given)
    require_symmetric(objects, kVerify, by_kernel ? "kernel" : "distance", exec);
  else if (by_kernel)
    rows = pack_rows<double>(objects, kernel, kernel_center(objects, kernel, exec), kVerify, exec);
  else
    rows = pack_rows<double>(objects, shape.metric, metric_center(objects, shape.metric, exec), kVerify, exec);
  const DataShape seen{.rows = n, .cols = objects.cols()};
  const bool keep = plan_tiles(seen, Components(count), given, kVerify, exec).route == Route::kept;
  const SymmetricTiles<double> tiles(n, similarities(shape, objects, rows, kernel), keep, "similarities", exec);

  // Coefficients are W^½ u/√λ, and eigenvalues of kernel PCA were divided by N − 1.
  const bool centered = shape.means.size() > 0;
  const double factor = by_kernel ? 1.0 : -0.5, divisor = by_kernel && centered ? static_cast<double>(n - 1) : 1.0;
  const Vector<double> values = shape.explained_variance * divisor;
  Matrix<double> vectors = shape.coefficients * values.cwiseSqrt().asDiagonal();
  for (Index i = 0; i < n && shape.weights.size() > 0; ++i) {
    const double mass = std::sqrt(static_cast<double>(n) * shape.weights[i]);
    if (mass > 0.0) vectors.row(i) /= mass;
  }
  const SymmetricOperator plain(n, [&](ConstBlock<double> x, Block<double> y) { tiles.apply(x, y); });
  const SymmetricOperator op = centered ? double_centered(tiles, shape.weights, factor) : plain;
  Verification out;
  out.certificate.residuals = relative_residuals(op, values, vectors);
  const Certificate& claimed = model.certificate();
  out.certificate.tolerance = claimed.tolerance;
  Matrix<double> axes = vectors;
  polish_orthonormal(axes, exec);
  const double last = values[count - 1];
  const Outside rest =
      largest_outside(op, axes, false, last, 1e-13 * values[0], model.head().provenance.seed + 1, exec);
  complete_certificate(out.certificate, values, vectors, {rest.upper, rest.probability}, exec);
  const double rounding = model.head().precision == Precision::float32 ? 1e-5 : 1e-12;
  out.allowed = claimed.outside_probability < 1.0 ? allowed_residuals(values, count, claimed.tolerance, rounding)
                                                  : Vector<double>::Constant(count, claimed.tolerance);
  out.allowed.array() += rounding + claimed.forming_error;
  const double slack = 2.0 * out.allowed[count - 1] * values[0];
  out.missed = rest.found > last + slack ? (rest.found - last) / last : 0.0;
  out.certificate.converged = (out.certificate.residuals.array() <= out.allowed.array()).all();
  if (!centered) return out;
  Matrix<double> weights(n, 1), means(n, 1);
  for (Index i = 0; i < n; ++i)
    weights(i, 0) = shape.weights.size() > 0 ? shape.weights[i] : 1.0 / static_cast<double>(n);
  tiles.apply(weights, means);
  const double size = shape.means.cwiseAbs().maxCoeff();
  out.mean_error = (factor * means.col(0) - shape.means).cwiseAbs().maxCoeff() / (size > 0.0 ? size : 1.0);
  return out;
}

}  // namespace fewdim
