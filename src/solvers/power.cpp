#include "solvers/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "solvers/blocks.hpp"

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
  // Close eigenvalues may come out of order by their rounding: sort.
  std::vector<Index> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    return values[static_cast<std::size_t>(i)] > values[static_cast<std::size_t>(j)];
  });
  result.values.resize(kept);
  result.vectors.resize(n, kept);
  for (std::size_t i = 0; i < static_cast<std::size_t>(kept); ++i) {
    result.values[static_cast<Index>(i)] = values[static_cast<std::size_t>(order[i])];
    result.vectors.col(static_cast<Index>(i)) = found.col(order[i]);
  }
  result.converged = true;
  return result;
}

}  // namespace fewdim
