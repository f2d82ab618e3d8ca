#include "solvers/routes/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/conventions.hpp"
#include "base/remedy.hpp"
#include "operators/column_moments.hpp"
#include "operators/tile_products.hpp"
#include "solvers/eigen/certify.hpp"

namespace fewdim {

void finish(Decomposition& out, const SpectralProblem& problem, const OutsideBound& outside,
            const Vector<double>& allowed, const Execution& exec, double found_outside) {
  for (Index i = 0; i < out.values.size(); ++i) out.values[i] = std::max(out.values[i], 0.0);
  fix_signs(out.vectors);
  Certificate& c = out.certificate;
  c.tolerance = problem.tolerance;
  complete_certificate(c, out.values, out.vectors, outside, exec);
  Index at = 0;
  const double worst = c.residuals.size() > 0 ? (c.residuals.array() / allowed.array()).maxCoeff(&at) : 0.0;
  const Index count = out.values.size();
  const double missed = count > 0 ? found_outside / out.values[0] - out.values[count - 1] / out.values[0] : 0.0;
  const bool complete = !(missed > 2.0 * allowed[std::max<Index>(count - 1, 0)] + c.forming_error);
  c.converged = worst <= 1.0 && complete;
  if (!complete)
    throw NotConverged(
        fmt::format("{}: a direction with eigenvalue {:.6g} was missed, above that of component {}, {:.6g}",
                    problem.who, found_outside, count, out.values[count - 1]));
  if (!c.converged)
    throw NotConverged(
        fmt::format("{}: component {} of {} has a residual of {:.1e} of its eigenvalue, the tolerance is "
                    "{:.1e}",
                    problem.who, at + 1, count, c.residuals[at] * out.values[0] / std::max(out.values[at], 1e-300),
                    problem.tolerance));
  Index rough = -1;
  for (Index i = 0; i < count; ++i)
    if (c.residuals[i] > std::max(problem.tolerance * out.values[i] / out.values[0], 1e-14) &&
        (rough < 0 || c.residuals[i] > c.residuals[rough]))
      rough = i;
  if (rough >= 0)
    c.warnings.push_back(
        fmt::format("rounding leaves residuals above the tolerance: component {} has {:.1e} of the largest eigenvalue, "
                    "and its own is "
                    "{:.1e} of it{}",
                    rough + 1, c.residuals[rough], out.values[rough] / out.values[0],
                    problem.float64_products ? "" : "; " + set_option("accuracy", "high") + " multiplies in float64"));
  Index zero = 0;
  while (zero < out.values.size() && out.values[zero] > 1e-14 * out.values[0]) ++zero;
  if (zero < out.values.size())
    c.warnings.push_back(fmt::format("component {} and after carry no variance: their axes are arbitrary", zero + 1));
}

void take_tail(Decomposition& out, double all_squares) {
  double kept = 0.0;
  for (Index i = 0; i < out.values.size(); ++i) kept += out.values[i] * out.values[i];
  out.tail_squares = std::max(0.0, all_squares - kept);
}

double squares_of(const Matrix<double>& a) {
  double sum = 0.0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * a.data()[i];
  return sum;
}

Standardization standardize_columns(Decomposition& out, const Dataset& data, const SpectralProblem& problem,
                                    const Execution& exec) {
  if (data.is_stream()) data.stream()->rewind();
  const ScatterOptions scatter{problem.center, true, &problem.weights, problem.who};
  ColumnMoments columns = column_moments(data, scatter, exec);
  require_rows(problem, columns.rows, data.cols());
  out.rows = columns.rows;
  out.divisor = divisor_of(problem, out.rows);
  const double factor = static_cast<double>(out.rows) / columns.weight / out.divisor;
  out.column_variance = columns.scatter * factor;
  Standardization s;
  if (problem.center) s.mean = out.mean = columns.mean;
  if (problem.scale) {
    out.scale = scales_of(problem, &data, out.column_variance, out.mean);
    s.inverse_scale = out.scale.cwiseInverse();
  }
  if (problem.weights.size() > 0)
    s.root_weights = (problem.weights * (static_cast<double>(out.rows) / columns.weight)).cwiseSqrt();
  out.total = 0.0;
  for (Index j = 0; j < data.cols(); ++j) out.total += problem.scale ? 1.0 : out.column_variance[j];
  require_variance(problem, out.total);
  return s;
}

double product_noise(const Dataset& data, Index rows, bool float64_products) {
  const bool wide = float64_products || data.is_sparse() || data.precision() == Precision::float64;
  return wide ? 2.0 * forming_error(rows, 4096, true) : 8.0 * 0x1.0p-24;
}

double uncentered_total(const Decomposition& out, const Dataset& data) {
  double total = out.total;
  if (!data.is_sparse()) return total;
  for (Index j = 0; j < out.mean.size(); ++j) {
    const double level = out.mean[j] / (out.scale.size() > 0 ? out.scale[j] : 1.0);
    total += level * level * static_cast<double>(out.rows) / out.divisor;
  }
  return total;
}

double centering_error(const Decomposition& out, bool merged) {
  const double largest = out.values.size() > 0 ? std::max(out.values[0], 1e-300) : 1.0;
  double squares = 0.0;
  for (Index j = 0; j < out.mean.size(); ++j) {
    const double level = out.mean[j] / (out.scale.size() > 0 ? out.scale[j] : 1.0);
    squares += level * level;
  }
  const double size = std::sqrt(squares * static_cast<double>(out.rows) / (out.divisor * largest));
  const double mean = 4.0 * 0x1.0p-53 * size;
  return mean * mean + (merged ? 0.25 * 0x1.0p-52 * size : 0.0);
}

double product_error(const Decomposition& out, const Dataset& data, bool float64_products) {
  const double largest = out.values.size() > 0 ? std::max(out.values[0], 1e-300) : 1.0;
  return product_noise(data, out.rows, float64_products) *
             std::sqrt(std::max(uncentered_total(out, data) / largest, 1.0)) +
         centering_error(out, false);
}

SymmetricOperator normal_operator(const Standardized& a, double divisor) {
  return SymmetricOperator(a.cols(), [&a, divisor](ConstBlock<double> x, Block<double> y) {
    a.apply_normal(x, y);
    y /= divisor;
  });
}

}  // namespace fewdim
