#include "solvers/routes/formed.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/power.hpp"

namespace fewdim {

bool takes_krylov_on_formed(Index size, Index count) { return size >= 800 && count <= size / 12; }

SymmetricOperator formed_operator(const Matrix<double>& a, const Execution& exec) {
  return SymmetricOperator(a.rows(), [&a, &exec](ConstBlock<double> x, Block<double> y) {
    constexpr Index kRows = 128;
    const Index n = a.rows();
    parallel_for(exec, (n + kRows - 1) / kRows, [&](Index task) {
      const Index first = task * kRows, count = std::min(kRows, n - first);
      // Row strip first.. equals the transposed column strip: contiguous reads.
      blas::gemm(true, false, count, x.cols(), n, 1.0, a.data() + first * n, n, x.data(), x.outerStride(), 0.0,
                 y.data() + first, y.outerStride());
    });
  });
}

FormedEigen eigen_formed(const Matrix<double>& a, const Wanted& wanted, Index guess, double tolerance, Seed seed,
                         const Execution& exec) {
  const Index n = a.rows();
  FormedEigen out;
  const SymmetricOperator op = formed_operator(a, exec);
  // Steps on a formed matrix are cheap: go on to where LAPACK would be, and leave to it what lies beyond.
  constexpr double kReach = 1e-14;
  if (takes_krylov_on_formed(n, guess) && tolerance > 10 * kReach) {
    const KrylovOptions options{.block = 16,
                                .tolerance = std::max(1e-3 * tolerance, kReach),
                                .seed = seed,
                                .stage = "eigen",
                                .semidefinite = true};
    KrylovResult result = krylov_largest(op, wanted, guess, options, exec);
    out.iterations = result.iterations;
    out.products = result.products;
    if (result.converged && result.outside_probability < 1.0) {
      const Index count = result.vectors.cols();
      out.residuals = relative_residuals(op, result.values, result.vectors);
      if ((out.residuals.array() <= allowed_residuals(result.values, count, tolerance, kFormedFloor).array()).all()) {
        out.values = result.values.head(count);
        out.vectors = std::move(result.vectors);
        out.outside = {result.outside_upper, result.outside_probability};
        out.solver = "block Krylov";
        return out;
      }
    }
  }
  // One more than wanted, for the last gap; a share needs the whole spectrum before it knows its number.
  Matrix<double> copy = a;
  const Index ask = wanted(Vector<double>()) == guess ? std::min(n, guess + 1) : n;
  SymmetricEigen eigen = eigen_symmetric(copy, ask);
  copy.resize(0, 0);
  const Index take = std::clamp<Index>(wanted(eigen.values), 1, eigen.values.size());
  out.values = eigen.values.head(take);
  out.vectors = eigen.vectors.leftCols(take);
  out.outside = eigen.values.size() > take || take == n ? known_outside(eigen.values, take) : OutsideBound{};
  out.residuals = relative_residuals(op, out.values, out.vectors);
  out.solver = "LAPACK";
  return out;
}

namespace {

/// All eigenvalues outside of the span of V: those of P A P.
Vector<double> values_outside(const Matrix<double>& a, const Matrix<double>& v) {
  const Matrix<double> images = a * v, inside = v.transpose() * images;
  Matrix<double> rest = a;
  rest -= v * images.transpose() + images * v.transpose();
  rest += v * inside * v.transpose();
  return eigenvalues_symmetric(rest);
}

}  // namespace

FormedEigen power_formed(const Matrix<double>& a, const Wanted& wanted, double tolerance, Seed seed,
                         const Execution& exec) {
  const SymmetricOperator op = formed_operator(a, exec);
  FormedEigen out;
  out.solver = "power";
  for (const Index more : {0, 2, 8}) {  // power iteration may meet a smaller eigenvalue first: look for more, then
    KrylovResult result = power_largest(op, wanted, more, 0.3 * tolerance, kPowerSteps, seed, exec);
    const Index count = result.vectors.cols();
    out.values = std::move(result.values);
    out.vectors = std::move(result.vectors);
    out.iterations += result.iterations;
    out.products += result.products;
    out.found_outside = count < a.rows() ? values_outside(a, out.vectors)[0] : 0.0;
    if (count == 0 || out.found_outside <= out.values[count - 1] * (1.0 + tolerance)) break;
  }
  out.residuals = relative_residuals(op, out.values, out.vectors);
  out.outside = {out.found_outside, 0.0};
  return out;
}

}  // namespace fewdim
