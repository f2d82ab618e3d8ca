#include <algorithm>
#include <cmath>

#include "operators/gram_matrix.hpp"
#include "operators/sparse_gram.hpp"
#include "operators/tile_products.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/routes/formed.hpp"
#include "solvers/routes/routes.hpp"

namespace fewdim {

namespace {

/// K of dense rows, with the columns' means and scatters from the same pass.
Matrix<double> dense_gram(Decomposition& out, Standardization& s, const Dataset& data, const SpectralProblem& problem,
                          const Execution& exec) {
  const Index rows = data.rows();
  out.rows = rows;
  out.divisor = divisor_of(problem, rows);
  const ScatterOptions scatter{problem.center, problem.float64_products, &problem.weights, problem.who};
  double weight = static_cast<double>(rows);
  if (problem.weights.size() > 0) {
    weight = 0.0;
    for (Index i = 0; i < rows; ++i) weight += problem.weights[i];
  }
  const double factor = static_cast<double>(rows) / weight / out.divisor;
  GramMatrix gram = gram_matrix(data, scatter, problem.scale, 1.0 / factor, exec);
  out.column_variance = gram.column_scatter * factor;
  if (problem.center) s.mean = out.mean = std::move(gram.mean);
  if (problem.scale) {
    out.scale = scales_of(problem, &data, out.column_variance, out.mean);
    s.inverse_scale = out.scale.cwiseInverse();
  }
  if (problem.weights.size() > 0) s.root_weights = (problem.weights * (static_cast<double>(rows) / weight)).cwiseSqrt();
  gram.gram *= factor;
  out.total = gram.gram.trace();
  require_variance(problem, out.total);
  symmetrize(gram.gram);
  return std::move(gram.gram);
}

}  // namespace

/// N×N: if Kα = λα with ‖α‖ = 1, then β = Aᵀα/√λ is a unit eigenvector of AᵀA with the same λ.
void solve_gram(Decomposition& out, const Dataset& data, const SpectralProblem& problem, const Execution& exec,
                Stopwatch& watch) {
  const Index rows = data.rows(), cols = data.cols();
  Standardization s;
  Matrix<double> k;
  if (data.is_sparse()) {
    s = standardize_columns(out, data, problem, exec);
    k = sparse_gram(data, s, exec);
    k /= out.divisor;
  } else {
    k = dense_gram(out, s, data, problem, exec);
  }
  watch.lap("gram");

  const Index limit = component_limit(problem, rows, cols);
  FormedEigen eigen = eigen_formed(k, wanted_of(problem, limit, out.total), guess_of(problem, limit), problem.tolerance,
                                   problem.seed, exec);
  out.values = std::move(eigen.values);
  take_tail(out, squares_of(k));
  k.resize(0, 0);
  watch.lap("eigen");

  // β = Aᵀα/√(λ·divisor), by column tiles: each writes its own rows of β.
  const Index count = out.values.size();
  const double largest = out.values[0];
  out.vectors.resize(cols, count);
  if (data.is_sparse())
    Standardized(data, s, true, exec).apply_adjoint(eigen.vectors, out.vectors);
  else
    back_project(data, s, problem.float64_products, eigen.vectors, out.vectors, exec);
  Index good = 0;
  while (good < count && out.values[good] > 1e-13 * largest) {
    out.vectors.col(good) /= std::sqrt(out.values[good] * out.divisor);
    ++good;
  }
  const double defect = orthogonality_defect(out.vectors.leftCols(good), exec);
  out.certificate.residuals = eigen.residuals;
  Vector<double> allowed = allowed_residuals(out.values, count, problem.tolerance, kFormedFloor);
  for (Index c = 0; c < count; ++c)  // what rounding of K leaves of a small eigenvalue's direction
    allowed[c] = std::max(allowed[c], kFormedFloor * std::sqrt(largest / std::max(out.values[c], 1e-13 * largest)));
  for (Index c = 0; c < good; ++c)  // ‖Σβ − λβ‖ = ‖Aᵀr‖/√λ ≤ ‖r‖·√(λ₁/λ)
    out.certificate.residuals[c] *= std::sqrt(largest / out.values[c]);
  if (good == count && defect < 1e-3) {
    if (defect > 1e-12) polish_orthonormal(out.vectors, exec);
  } else {
    // Small eigenvalues have lost digits in K, and zero ones have no direction at all: restore orthonormality in order
    // of importance, so that the leading axes stay as they are, and compute the residuals of what came out.
    for (Index c = good; c < count; ++c) out.vectors.col(c).setZero();
    orthonormalize(Matrix<double>(cols, 0), out.vectors, 1e-8, problem.seed, 3'000'000, exec);
    const Standardized a(data, s, true, exec);
    out.certificate.residuals = relative_residuals(normal_operator(a, out.divisor), out.values, out.vectors);
  }
  out.certificate.iterations = eigen.iterations;
  out.certificate.products = eigen.products;
  const double total = uncentered_total(out, data);
  out.certificate.forming_error =
      forming_error(cols, 4096, problem.float64_products || data.is_sparse()) * total / largest +
      centering_error(out, false);
  if (count < cols) eigen.outside.upper = std::max(eigen.outside.upper, 0.0);  // AᵀA has D − N zeros more
  finish(out, problem, eigen.outside, allowed, exec);
  watch.lap("directions");
}

}  // namespace fewdim
