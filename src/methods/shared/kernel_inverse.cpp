#include "methods/shared/kernel_inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "features/kernel.hpp"
#include "methods/shared/kernel_features.hpp"
#include "models/preimage/preimage.hpp"
#include "solvers/eigen/cholesky.hpp"

namespace fewdim {

namespace {

constexpr const char* kInverse = "kernel-pca";
constexpr Index kTile = 512;

/// 1/(2σ²), σ the median distance; the root of their mean square where most places are one but for rounding.
double width_of(const MetricRows<double>& places, Seed seed, const Execution& exec) {
  constexpr double kRounding = 1e-8;
  double spread = 0.0;  // the places are packed about their mean: two are 2·spread apart, squared and on average
  for (const double square : places.squares) spread += square / static_cast<double>(places.rows);
  const double median = median_distance(places, seed, exec), root = std::sqrt(2.0 * spread);
  const double width = median > kRounding * root ? median : root;
  return 0.5 / (width * width);
}

/// The lower triangle of K_y, and ridge on its diagonal.
Matrix<double> regularized(const Kernel& kernel, const MetricRows<double>& rows, double ridge, const Execution& exec) {
  const Index n = rows.rows, tiles = (n + kTile - 1) / kTile;
  Matrix<double> out(n, n);
  parallel_for(exec, tiles * tiles, [&](Index task) {
    const Index row = task / tiles * kTile, col = task % tiles * kTile;
    if (row < col) return;
    const Index m = std::min(kTile, n - row), width = std::min(kTile, n - col);
    std::vector<double> tile(static_cast<std::size_t>(m * width));
    kernel_tile(kernel, rows, col, width, rows, row, m, tile.data());
    for (Index j = 0; j < width; ++j) std::copy_n(tile.data() + j * m, m, &out(row, col + j));
  });
  out.diagonal().setConstant(1.0 + ridge);
  return out;
}

}  // namespace

void require_inverse(const KernelPcaOptions& o, Index rows, Index cols, const Execution& exec) {
  if (o.inverse == Preimage::none) return;
  if (!(o.ridge > 0.0) || !std::isfinite(o.ridge))
    throw DataError(fmt::format("{}: {} must be above 0; use {}", kInverse,
                                option_is("ridge", fmt::format("{}", o.ridge)), set_option("ridge", "0.01")));
  const std::string reason = no_way_back(o.inverse, o.kernel, o.degree, o.approximation == KernelApproximation::none,
                                         o.approximation == KernelApproximation::fourier);
  if (!reason.empty()) throw Unsupported(fmt::format("{}: {}", kInverse, reason));
  if (o.inverse != Preimage::ridge || rows < 0) return;
  const Index places = o.approximation == KernelApproximation::none ? rows : feature_count(o, rows);
  require_memory(exec, ridge_bytes(places, cols), fmt::format("{}: the way back from {} coordinates", kInverse, places),
                 o.approximation == KernelApproximation::none
                     ? "use " + set_option("inverse", "fixed-point") + " or " + set_option("inverse", "distances") +
                           ", or " + set_option("approximation", "nystrom")
                     : lower_option("landmarks"));
}

std::uint64_t ridge_bytes(Index rows, Index cols) {
  const auto n = static_cast<std::uint64_t>(rows), d = static_cast<std::uint64_t>(cols);
  return (n * n + 3 * n * d) * sizeof(double);
}

KernelInverse fit_ridge(const Matrix<double>& objects, Matrix<double> places, double ridge, Seed seed, double& error,
                        const Execution& exec) {
  KernelInverse out{.kind = Preimage::ridge};
  const Dataset coordinates(places);
  const MetricRows<double> rows = pack_rows<double>(
      coordinates, Metric::euclidean, metric_center(coordinates, Metric::euclidean, exec), kInverse, exec);
  out.gamma = width_of(rows, seed, exec);
  out.mean = objects.colwise().mean();
  out.weights = objects.rowwise() - out.mean.transpose();
  Matrix<double> matrix = regularized({.kind = KernelKind::gaussian, .gamma = out.gamma}, rows, ridge, exec);
  if (!solve_positive(matrix, out.weights, "inverse", exec) || !out.weights.allFinite())
    throw DataError(
        fmt::format("{}: {} is too little: the kernel between coordinates can't be told from a singular one; "
                    "{}",
                    kInverse, option_is("ridge", fmt::format("{}", ridge)), raise_option("ridge")));
  // X − mean − K_y W = ridge·W.
  error = ridge * std::sqrt(out.weights.squaredNorm() / static_cast<double>(out.weights.size()));
  out.places = std::move(places);
  return out;
}

}  // namespace fewdim
