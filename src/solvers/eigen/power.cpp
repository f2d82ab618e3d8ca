#include "solvers/eigen/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

KrylovResult power_largest(const SymmetricOperator& a, const Wanted& wanted, Index more, double tolerance,
                           Index max_iterations, Seed seed, const Execution& exec) {
  constexpr double kFloor = 1e-14;  // of the largest eigenvalue: rounding
  const Index n = a.size();
  Index kept = 0;
  KrylovResult result;
  Matrix<double> found(n, 0);
  std::vector<double> values;
  const auto deflate = [&](Matrix<double>& x) {
    for (int pass = 0; pass < 2; ++pass) subtract(found, project(found, x, exec), x, exec);
  };
  while (true) {
    const Vector<double> estimates = Eigen::Map<const Vector<double>>(values.data(), std::ssize(values));
    const Index needed = wanted(estimates);
    if ((needed >= 0 && needed + more <= std::ssize(values)) || std::ssize(values) == n) {
      kept = needed >= 0 ? std::min(needed, n) : n;
      break;
    }

    Matrix<double> x(n, 1), y(n, 1);
    fill_normal<double>(seed, static_cast<std::uint32_t>(values.size()), x);
    deflate(x);
    x /= column_norms(x)[0];
    double value = 0.0, residual = 0.0;
    Index iteration = 0;
    for (; iteration < max_iterations; ++iteration) {
      a.apply(x, y);
      deflate(y);
      value = project(x, y, exec)(0, 0);
      const Matrix<double> r = y - value * x;
      residual = column_norms(r)[0];
      const double largest = values.empty() ? std::abs(value) : values.front();
      const double norm = column_norms(y)[0];
      if (norm <= 1e-300 || residual <= std::max(tolerance * std::abs(value), kFloor * largest)) break;
      x = y / norm;
      deflate(x);
      x /= column_norms(x)[0];
      if (iteration % 16 == 0) report_progress(exec, "power", result.products + iteration, 0, "products");
    }
    result.products += iteration + 1;
    result.iterations += iteration + 1;
    if (iteration == max_iterations)
      throw NotConverged(fmt::format(
          "power iteration: component {} still has a residual of {:.1e} of its eigenvalue after {} steps (tolerance "
          "{:.1e}): it is too close to the next one",
          values.size() + 1, residual / std::max(std::abs(value), 1e-300), max_iterations, tolerance));
    found.conservativeResize(n, found.cols() + 1);
    found.rightCols(1) = x;
    values.push_back(std::max(value, 0.0));
  }
  // Each vector is orthogonal to those before it, which are themselves off by their residuals: Rayleigh and Ritz's
  // combination of all of them has residuals outside of their span alone, and the order of its values.
  const Index all = found.cols();
  Matrix<double> images(n, all);
  if (all > 0) a.apply(found, images);
  Matrix<double> projected = project(found, images, exec);
  projected = (0.5 * (projected + projected.transpose())).eval();
  const SymmetricEigen eigen = eigen_symmetric(projected, all);
  result.products += all;
  result.values = eigen.values.head(kept).cwiseMax(0.0);
  result.vectors.resize(n, kept);
  if (kept > 0) combine(found, eigen.vectors.leftCols(kept), result.vectors, exec);
  result.converged = true;
  return result;
}

}  // namespace fewdim
