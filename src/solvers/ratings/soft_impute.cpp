#include "solvers/ratings/soft_impute.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/conventions.hpp"
#include "base/parallel.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/routes/decompose.hpp"

namespace fewdim {

namespace {

/// S V for the sparse residuals S = x − U D Vᵀ at the entries: one row a task's turn. Adds ½ Σ S².
struct Residuals {
  Matrix<double> product;  ///< k×rows: column i is row i of S V
  double half_squares = 0.0;
};

Residuals residual_product(const Csr<double>& entries, const std::vector<Index>& starts, const Matrix<double>& left,
                           const Vector<double>& values, const Matrix<double>& right, const Execution& exec) {
  const Index k = values.size(), tasks = std::ssize(starts) - 1;
  const Matrix<double> rows = (left * values.asDiagonal()).transpose(), columns = right.transpose();
  Residuals out{.product = Matrix<double>::Zero(k, entries.rows)};
  std::vector<double> squares(static_cast<std::size_t>(tasks), 0.0);
  parallel_for(exec, tasks, [&](Index task) {
    for (Index i = starts[static_cast<std::size_t>(task)]; i < starts[static_cast<std::size_t>(task) + 1]; ++i) {
      const double* a = rows.data() + i * k;
      double* sum = out.product.data() + i * k;
      for (std::int64_t e = entries.offsets[static_cast<std::size_t>(i)];
           e < entries.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
        const double* b = columns.data() + entries.columns[static_cast<std::size_t>(e)] * k;
        double rest = entries.values[static_cast<std::size_t>(e)];
        for (Index c = 0; c < k; ++c) rest -= a[c] * b[c];
        for (Index c = 0; c < k; ++c) sum[c] += rest * b[c];
        squares[static_cast<std::size_t>(task)] += 0.5 * rest * rest;
      }
    }
  });
  for (const double part : squares) out.half_squares += part;
  return out;
}

/// `tall` = own diag(values) Rᵀ, and `other` turned by R.
void refactor(Matrix<double> tall, Matrix<double>& own, Vector<double>& values, Matrix<double>& other) {
  ThinSvd svd = svd_dense(tall, true);
  own = std::move(svd.u);
  other = (other * svd.v).eval();
  values = svd.values;
}

double objective_of(double half_squares, double lambda, const Vector<double>& values) {
  double sum = 0.0;
  for (Index c = 0; c < values.size(); ++c) sum += values[c];
  return half_squares + lambda * sum;
}

/// Half the gradient in B = V D^½ is λ B − SᵀA, with SᵀU given; by column, over the length of the right side X*ᵀA.
Vector<double> gradient_of(const Matrix<double>& product, const Matrix<double>& v, const Vector<double>& values,
                           double lambda) {
  Vector<double> out = Vector<double>::Zero(values.size());
  double whole = 0.0;
  for (Index c = 0; c < values.size(); ++c)
    for (Index j = 0; j < v.rows(); ++j) {
      const double step = lambda * v(j, c) - product(j, c), right = product(j, c) + values[c] * v(j, c);
      out[c] += values[c] * step * step;
      whole += values[c] * right * right;
    }
  return (out / (whole > 0.0 ? whole : 1.0)).cwiseSqrt();
}

}  // namespace

SoftImputeFactors soft_impute_start(const RatingsTable& table, Index rank, Seed seed, const Execution& exec) {
  SpectralProblem problem;
  problem.who = "complete";
  problem.center = false;
  problem.normalize = false;
  problem.components = rank;
  problem.tolerance = 1e-9;
  problem.seed = seed;
  const Decomposition d = decompose(Dataset(table.rows.view()), problem, exec);
  SoftImputeFactors f;
  f.v = d.vectors;
  f.values = d.values.cwiseMax(0.0).cwiseSqrt();
  f.lambda = f.values[0];
  const Residuals xv =
      residual_product(table.rows, cut_by_entries(table.rows), Matrix<double>::Zero(table.rows.rows, rank),
                       Vector<double>::Zero(rank), f.v, exec);
  Matrix<double> scores = xv.product.transpose();
  refactor(std::move(scores), f.u, f.values, f.v);
  return f;
}

/// Their algorithm 3.1, with A = U D^½ and B = V D^½ where D holds the singular values of the fit.
SoftImputeFactors soft_impute(const RatingsTable& table, SoftImputeFactors f, const SoftImputeOptions& o,
                              const Execution& exec) {
  const std::vector<Index> by_user = cut_by_entries(table.rows), by_item = cut_by_entries(table.columns);
  f.objectives.clear();
  f.converged = false;
  bool rows_rest = false;  // the gradient in A was small before its last step
  // A factor of 0 would stay there: the start has them all, as far as the table's own rank goes.
  f.values = f.values.cwiseMax(1e-12 * f.values[0]);
  for (f.iterations = 0;; ++f.iterations) {
    report_progress(exec, "soft-impute", f.iterations, o.iterations, "iterations");
    {  // B̃ᵀ = (D + λ)⁻¹ D^½ Uᵀ (S + U D Vᵀ)
      const Residuals s = residual_product(table.columns, by_item, f.v, f.values, f.u, exec);
      f.objectives.push_back(objective_of(s.half_squares, o.lambda, f.values));
      Matrix<double> moved = s.product.transpose();
      f.gradient = gradient_of(moved, f.v, f.values, o.lambda);
      f.converged = rows_rest && f.gradient.norm() <= o.tolerance;
      if (f.converged || f.iterations >= o.iterations) break;
      moved += f.v * f.values.asDiagonal();
      moved = (moved * (f.values.array() / (f.values.array() + o.lambda)).matrix().asDiagonal()).eval();
      refactor(std::move(moved), f.v, f.values, f.u);
    }
    const Residuals s = residual_product(table.rows, by_user, f.u, f.values, f.v, exec);
    f.objectives.push_back(objective_of(s.half_squares, o.lambda, f.values));
    Matrix<double> moved = s.product.transpose();
    rows_rest = gradient_of(moved, f.u, f.values, o.lambda).norm() <= o.tolerance;
    moved += f.u * f.values.asDiagonal();
    moved = (moved * (f.values.array() / (f.values.array() + o.lambda)).matrix().asDiagonal()).eval();
    refactor(std::move(moved), f.u, f.values, f.v);
  }
  // The last step of theirs: singular values of the filled table in the space of V, thresholded.
  const Residuals s = residual_product(table.rows, by_user, f.u, f.values, f.v, exec);
  Matrix<double> filled = s.product.transpose();
  filled += f.u * f.values.asDiagonal();
  refactor(std::move(filled), f.u, f.values, f.v);
  f.values = (f.values.array() - o.lambda).max(0.0);
  f.lambda = o.lambda;
  return f;
}

std::uint64_t soft_impute_bytes(Index rows, Index cols, Index rank) {
  return 8 * 6 * static_cast<std::uint64_t>(rank) * static_cast<std::uint64_t>(rows + cols);
}

}  // namespace fewdim
