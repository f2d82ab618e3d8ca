#include <algorithm>
#include <cmath>

#include "operators/gram_matrix.hpp"
#include "operators/tile_products.hpp"
#include "solvers/blocks.hpp"
#include "solvers/certify.hpp"
#include "solvers/formed.hpp"
#include "solvers/routes.hpp"

namespace fewdim {

/// N×N: if Kα = λα with ‖α‖ = 1, then β = Aᵀα/√λ is a unit eigenvector of AᵀA with the same λ.
void solve_gram(Decomposition& out, const Dataset& data, const SpectralProblem& problem, const Execution& exec,
                Stopwatch& watch) {
  const Index rows = data.rows(), cols = data.cols();
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
  if (problem.center) out.mean = std::move(gram.mean);
  if (problem.scale) out.scale = scales_of(problem, &data, out.column_variance, out.mean);
  gram.gram *= factor;
  out.total = gram.gram.trace();
  require_variance(problem, out.total);
  symmetrize(gram.gram);
  watch.lap("gram");

  const Index limit = component_limit(problem, rows, cols);
  FormedEigen eigen = eigen_formed(gram.gram, wanted_of(problem, limit, out.total), guess_of(problem, limit),
                                   problem.tolerance, problem.seed, exec);
  out.values = eigen.values.head(eigen.vectors.cols());
  take_tail(out, squares_of(gram.gram));
  gram.gram.resize(0, 0);
  watch.lap("eigen");

  // β = Aᵀα/√(λ·divisor), by column tiles: each writes its own rows of β.
  const Index count = out.values.size();
  const double largest = out.values[0];
  Standardization s{out.mean, {}, {}};
  if (problem.scale) s.inverse_scale = out.scale.cwiseInverse();
  if (problem.weights.size() > 0) s.root_weights = (problem.weights * (static_cast<double>(rows) / weight)).cwiseSqrt();
  out.vectors.resize(cols, count);
  back_project(data, s, problem.float64_products, eigen.vectors, out.vectors, exec);
  Index good = 0;
  while (good < count && out.values[good] > 1e-13 * largest) {
    out.vectors.col(good) /= std::sqrt(out.values[good] * out.divisor);
    ++good;
  }
  const double defect = orthogonality_defect(out.vectors.leftCols(good), exec);
  out.certificate.residuals = eigen.residuals;
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
  out.certificate.forming_error = forming_error(cols, 4096, problem.float64_products) * out.total / largest;
  finish(out, problem, eigen.values, exec);
  watch.lap("directions");
}

}  // namespace fewdim
