#include "solvers/eigen/smallest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "base/conventions.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/certify.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/lowest_count.hpp"
#include "solvers/eigen/smallest_block.hpp"
#include "solvers/routes/rates.hpp"
#include "solvers/sparse/sparse_cholesky.hpp"

namespace fewdim {

namespace {

constexpr Index kDense = 150;                                            // rows up to which LAPACK is as fast
constexpr double kZero = 64.0 * std::numeric_limits<double>::epsilon();  // an eigenvalue this small beside ‖A‖ is 0

std::uint64_t bytes_of(double numbers) { return static_cast<std::uint64_t>(numbers * sizeof(double)); }

bool by_lapack(Index size, Index count) { return size <= kDense || 4 * count > size; }

SmallestCost dense_cost(Index size) {
  const auto n = static_cast<double>(size);
  return {SmallestRoute::dense, bytes_of(3 * n * n), 3 * n * n * n, 0.0, {Reason(ReasonKind::few_rows, size)}};
}

SmallestCost filter_cost(Index size, double entries, Index count) {
  const auto n = static_cast<double>(size), block = static_cast<double>(filter_block(count));
  return {SmallestRoute::filter,
          bytes_of(3.0 * n * static_cast<double>(basis_columns(count))),
          entries * block * 4000.0,
          0.0,
          {Reason(ReasonKind::products_alone)}};
}

SmallestCost with_fill(SmallestCost factor) {
  factor.why = {Reason(ReasonKind::factor_fill, factor.fill, factor.flops, factor.bytes)};
  return factor;
}

/// By the symbolic analysis.
SmallestCost factor_cost(const Elimination& e, const SparseSymmetric& a, Index count) {
  const auto n = static_cast<double>(a.size());
  const double basis = 3.0 * n * static_cast<double>(basis_columns(count));
  return with_fill({SmallestRoute::factor,
                    e.peak_bytes + bytes_of(basis + 8.0 * static_cast<double>(e.rows.size())),
                    e.flops + 40.0 * static_cast<double>(e.nonzeros * smallest_block(count)),
                    static_cast<double>(e.nonzeros) / n,
                    {}});
}

/// Chooses between a factor and a filter by their cost.
SmallestCost cheaper(const SmallestCost& factor, const SmallestCost& filter, std::uint64_t limit) {
  SmallestCost products = filter;
  if (factor.bytes > limit) {
    products.why = {Reason(ReasonKind::factor_over_limit, factor.fill, factor.flops, factor.bytes, limit)};
    return products;
  }
  if (seconds_for(Work::factor, factor.flops) > seconds_for(Work::filter, filter.flops)) {
    products.why = {Reason(ReasonKind::factor_slower, factor.fill, factor.flops, factor.bytes)};
    return products;
  }
  return factor;
}

void require_problem(const SparseSymmetric& a, const SmallestProblem& p) {
  const Index n = a.size(), most = n - p.null_space.cols();
  if (p.null_space.cols() > 0 && p.null_space.rows() != n)
    throw Error(ErrorKind::internal,
                fmt::format("{}: the null space has {} rows, the matrix {}", p.who, p.null_space.rows(), n));
  if (p.count < 1 || p.count > most)
    throw InvalidOption(p.who, "components", std::to_string(p.count), fmt::format("must be between 1 and {}", most),
                        fmt::format("use {}", set_option("components", std::max<Index>(1, most))),
                        p.count < 1 ? ErrorKind::usage : ErrorKind::data);
}

/// A with the null space moved above the rest, whole: dense and small.
FoundPairs by_dense(const SparseSymmetric& a, const SmallestProblem& p, double norm) {
  const Index n = a.size(), c = p.null_space.cols();
  Matrix<double> dense = a.dense();
  if (c > 0) {  // P A P + 2‖A‖ Z Zᵀ
    const Matrix<double>& z = p.null_space;
    const Matrix<double> az = dense * z, zaz = z.transpose() * az;
    dense -= z * az.transpose() + az * z.transpose();
    dense += z * (zaz + 2.0 * norm * Matrix<double>::Identity(c, c)) * z.transpose();
  }
  const Index take = std::min(n - c, p.count + 1);
  dense = -dense;
  SymmetricEigen eigen = eigen_symmetric(dense, take);
  return {.values = -eigen.values, .vectors = eigen.vectors.leftCols(p.count), .angles = {}};
}

/// Vectors of eigenvalues that are 0 to rounding are one group, whose space is all that is known; and not even that
/// where the next eigenvalue is 0, too.
void group_zeros(Certificate& c, Index zeros, bool more) {
  for (Index i = 0; i < zeros; ++i) {
    if (zeros > 1) c.groups[static_cast<std::size_t>(i)] = c.groups[0];
    if (more) c.angle_bounds[i] = std::numbers::pi / 2;
  }
}

/// That no lower eigenvector was missed: LAPACK has all of them, a factor counts them, and products alone can't tell.
OutsideBound outside_of(const SparseSymmetric& a, const SmallestProblem& p, const Elimination& elimination,
                        SmallestPairs& out, const Execution& exec) {
  Certificate& c = out.certificate;
  const double scale = out.norm > 0.0 ? out.norm : 1.0;
  if (c.route == Route::dense) {
    if (std::isnan(out.next)) return {-std::numeric_limits<double>::infinity(), 0.0};
    return {out.next / -scale, 0.0};
  }
  if (c.route == Route::filter) return {};
  constexpr double kSame = 1e-6;  // eigenvalues this near to each other, relative, are taken for one
  const double margin =
      4.0 * kZero * out.norm + 2.0 * c.residuals.maxCoeff() * scale + kSame * std::abs(out.values.maxCoeff());
  std::vector<std::string> warnings;
  const LowestCount count =
      count_missing(a, elimination, out.values, p.null_space.cols(), margin, out.next, warnings, exec);
  if (count.missing > 0)
    throw NotConverged(fmt::format("{}: {} eigenvector{} below the last one found {} missed; use another {}", p.who,
                                   count.missing, count.missing == 1 ? "" : "s", count.missing == 1 ? "was" : "were",
                                   set_option("seed")));
  return count.outside(scale);
}

}  // namespace

Route route_of(SmallestRoute route) {
  switch (route) {
    case SmallestRoute::automatic:
      return Route::automatic;
    case SmallestRoute::dense:
      return Route::dense;
    case SmallestRoute::factor:
      return Route::factor;
    case SmallestRoute::filter:
      return Route::filter;
  }
  return Route::automatic;
}

SmallestCost smallest_cost(Index size, Index row_entries, Index count, Index dimension, std::uint64_t limit,
                           SmallestRoute asked) {
  if (asked == SmallestRoute::dense || (asked == SmallestRoute::automatic && by_lapack(size, count)))
    return dense_cost(size);
  // A separator of n vertices in d dimensions has n^(1−1/d) · reach, where a ball of that reach has row_entries.
  const auto n = static_cast<double>(size), d = static_cast<double>(std::max<Index>(dimension, 2));
  const double separator =
      std::min(n, std::pow(n, 1.0 - 1.0 / d) * 0.6 * std::pow(static_cast<double>(row_entries), 1.0 / d));
  const double nonzeros = std::min(n * n / 2, d > 2 ? 3.0 * separator * separator + n * static_cast<double>(row_entries)
                                                    : n * std::log2(n) * static_cast<double>(row_entries) * 0.3);
  const double flops = std::min(n * n * n / 3, 6.0 * separator * separator * separator + nonzeros * 50.0);
  const double basis = 3.0 * n * static_cast<double>(basis_columns(count));
  const SmallestCost factor =
      with_fill({SmallestRoute::factor, bytes_of(1.5 * nonzeros + basis), flops, nonzeros / n, {}});
  const SmallestCost filter = filter_cost(size, n * static_cast<double>(row_entries), count);
  if (asked == SmallestRoute::factor) return factor;
  return asked == SmallestRoute::filter ? filter : cheaper(factor, filter, limit);
}

SmallestPairs smallest_pairs(const SparseSymmetric& a, const SmallestProblem& p, const Execution& exec) {
  require_problem(a, p);
  SmallestPairs out;
  out.norm = a.norm_bound();
  if (!std::isfinite(out.norm)) throw DataError(fmt::format("{}: the matrix has an entry that is not finite", p.who));
  Certificate& c = out.certificate;
  c.tolerance = p.tolerance;
  FoundPairs found;
  Elimination elimination;
  if (p.route == SmallestRoute::dense || (p.route == SmallestRoute::automatic && by_lapack(a.size(), p.count)) ||
      out.norm == 0.0) {
    const SmallestCost cost = dense_cost(a.size());
    require_memory(exec, cost.bytes, fmt::format("{}: a dense matrix", p.who), "use another route");
    out.cost = cost;
    found = by_dense(a, p, out.norm);
  } else {
    SmallestCost cost = filter_cost(a.size(), static_cast<double>(a.nonzeros()), p.count);
    if (p.route != SmallestRoute::filter) {
      elimination = plan_elimination(a, exec);
      const SmallestCost factor = factor_cost(elimination, a, p.count);
      cost = p.route == SmallestRoute::factor ? factor : cheaper(factor, cost, memory_limit(exec));
    }
    require_memory(exec, cost.bytes, p.who, "use fewer rows or fewer neighbors, or " + raise_option("memory_limit"));
    out.cost = cost;
    const BlockProblem block{.who = p.who,
                             .count = p.count,
                             .null_space = p.null_space,
                             .norm = out.norm,
                             .tolerance = p.tolerance,
                             .seed = p.seed};
    if (cost.route == SmallestRoute::filter) {
      found = by_filter(a, block, exec);
    } else {
      found = by_factor(a, elimination, block, exec);
      out.cost.why.emplace_back(ReasonKind::factor_shift, found.shift);
    }
  }
  c.route = route_of(out.cost.route);
  c.why = out.cost.why;
  c.iterations = found.iterations, c.products = found.products;
  out.vectors = std::move(found.vectors);
  fix_signs(out.vectors);
  out.values = found.values.head(p.count);
  out.next = found.values.size() > p.count ? found.values[p.count] : std::numeric_limits<double>::quiet_NaN();

  // Everything below is computed anew from the vectors.
  const double scale = out.norm > 0.0 ? out.norm : 1.0;
  Matrix<double> products(a.size(), p.count);
  a.apply(out.vectors, products, exec);
  for (Index i = 0; i < p.count; ++i) products.col(i) -= out.values[i] * out.vectors.col(i);
  c.residuals = column_norms(products) / scale;
  const Vector<double> turned = found.values.head(p.count) / -scale;  // descending, as the certificate has it
  complete_certificate(c, turned, out.vectors, outside_of(a, p, elimination, out, exec), exec, 1.0);
  // Sharper by a factor, to first order in the angles; it rests on the count that nothing lower was missed.
  constexpr double kSecondOrder = 1.25, kSmall = 0.01;
  for (Index i = 0; i < found.angles.size(); ++i)
    if (found.angles[i] < kSmall && c.angle_bounds[i] < std::numbers::pi / 2 && c.outside_probability == 0.0)
      c.angle_bounds[i] = std::min(c.angle_bounds[i], std::asin(kSecondOrder * found.angles[i] + kZero));
  if (p.null_space.cols() > 0) {
    Matrix<double> images(a.size(), p.null_space.cols());
    a.apply(p.null_space, images, exec);
    out.null_residual = column_norms(images).maxCoeff();
  }
  while (out.zeros < p.count && out.values[out.zeros] <= kZero * out.norm) ++out.zeros;
  group_zeros(c, out.zeros, out.zeros == p.count && out.next <= kZero * out.norm);
  c.converged = true;
  return out;
}

}  // namespace fewdim
