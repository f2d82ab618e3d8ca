#include "solvers/routes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/conventions.hpp"
#include "operators/column_moments.hpp"
#include "solvers/certify.hpp"

namespace fewdim {

void finish(Decomposition& out, const SpectralProblem& problem, const Vector<double>& values_and_guard,
            const Execution& exec) {
  for (Index i = 0; i < out.values.size(); ++i) out.values[i] = std::max(out.values[i], 0.0);
  fix_signs(out.vectors);
  Certificate& c = out.certificate;
  c.tolerance = problem.tolerance;
  complete_certificate(c, values_and_guard, out.vectors, exec);
  const double worst = c.residuals.size() > 0 ? c.residuals.maxCoeff() : 0.0;
  c.converged = worst <= problem.tolerance;
  if (!c.converged) {
    Index at = 0;
    c.residuals.maxCoeff(&at);
    throw NotConverged(
        fmt::format("{}: component {} has residual {:.1e}, the tolerance is {:.1e}; raise --tolerance, or use --route "
                    "svd or covariance",
                    problem.who, at + 1, worst, problem.tolerance));
  }
  Index zero = 0;
  while (zero < out.values.size() && out.values[zero] > 1e-14 * out.values[0]) ++zero;
  if (zero < out.values.size())
    c.warnings.push_back(
        fmt::format("component{} {} and after carry no variance: their axes are arbitrary", "", zero + 1));
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

SymmetricOperator normal_operator(const Standardized& a, double divisor) {
  return SymmetricOperator(a.cols(), [&a, divisor](ConstBlock<double> x, Block<double> y) {
    a.apply_normal(x, y);
    y /= divisor;
  });
}

}  // namespace fewdim
