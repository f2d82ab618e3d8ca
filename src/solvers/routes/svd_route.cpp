#include <algorithm>

#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/routes/routes.hpp"

namespace fewdim {

namespace {

constexpr double kFloor = 1e-13;  // rounding of the largest eigenvalue

}  // namespace

void solve_svd(Decomposition& out, const Dataset& data, const SpectralProblem& problem, const Execution& exec,
               Stopwatch& watch) {
  const Standardization s = standardize_columns(out, data, problem, exec);
  Matrix<double> copy(out.rows, data.cols());
  const RowTiles<double> tiles(data, s, 16, tile_rows_for(data.cols(), sizeof(double)));
  tiles.scan(exec, "copy", [&](Index, Index first, Index rows, double* tile) {
    copy.middleRows(first, rows) = Eigen::Map<RowMatrix<double>>(tile, rows, data.cols());
  });
  watch.lap("copy");
  ThinSvd svd = svd_dense(copy, false);
  copy.resize(0, 0);
  const Vector<double> values = svd.values.cwiseAbs2() / out.divisor;
  const Index limit = component_limit(problem, out.rows, data.cols());
  const Index take = std::min(wanted_of(problem, limit, out.total)(values), limit);
  out.values = values.head(take);
  out.vectors = svd.v.leftCols(take);
  take_tail(out, values.squaredNorm());
  watch.lap("svd");
  const Standardized a(data, s, true, exec);
  out.certificate.residuals = relative_residuals(normal_operator(a, out.divisor), out.values, out.vectors);
  out.certificate.products = take;
  out.certificate.forming_error = product_error(out, data, true);
  // Singular values beyond the smaller side are 0.
  OutsideBound outside = known_outside(values, take);
  if (values.size() < data.cols()) outside.upper = std::max(outside.upper, 0.0);
  finish(out, problem, outside,
         allowed_residuals(out.values, take, problem.tolerance, std::max(kFloor, out.certificate.forming_error)), exec);
  watch.lap("certify");
}

}  // namespace fewdim
