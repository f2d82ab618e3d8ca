#include "operators/column_moments.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "data/table/checks.hpp"
#include "operators/tile_kernels.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

namespace {

template <class S>
ColumnMoments sparse_column_moments(const CsrView<S>& view, const ScatterOptions& options, const Execution& exec) {
  // Two passes, each over a fixed number of row chunks: the sums, then the squares about the mean; the entries
  // that are not stored add w·μ² each.
  const Index cols = view.cols;
  const Index chunks = std::clamp<Index>(view.nonzeros() / 1'000'000, 1, 16);
  const double* weights = options.weights && options.weights->size() > 0 ? options.weights->data() : nullptr;
  ColumnMoments out;
  out.rows = view.rows;
  out.mean = Vector<double>::Zero(cols);
  out.scatter = Vector<double>::Zero(cols);
  for (Index i = 0; i < view.rows; ++i) out.weight += weights ? weights[i] : 1.0;

  std::vector<Vector<double>> sums(static_cast<std::size_t>(chunks)), stored(static_cast<std::size_t>(chunks));
  const auto over_chunks = [&](const auto& add) {
    parallel_for(exec, chunks, [&](Index chunk) {
      auto& sum = sums[static_cast<std::size_t>(chunk)];
      auto& seen = stored[static_cast<std::size_t>(chunk)];
      sum = Vector<double>::Zero(cols);
      seen = Vector<double>::Zero(cols);
      for (Index i = view.rows * chunk / chunks; i < view.rows * (chunk + 1) / chunks; ++i)
        for (std::int64_t e = view.offsets[i]; e < view.offsets[i + 1]; ++e)
          add(weights ? weights[i] : 1.0, view.columns[e], static_cast<double>(view.values[e]), sum, seen);
    });
    for (std::size_t chunk = 1; chunk < sums.size(); ++chunk) {
      sums[0] += sums[chunk];
      stored[0] += stored[chunk];
    }
  };
  over_chunks([](double w, Index j, double x, Vector<double>& sum, Vector<double>&) { sum[j] += w * x; });
  for (Index j = 0; j < cols; ++j)
    if (!std::isfinite(sums[0][j])) {
      require_finite(Dataset(view), options.who, exec);
    }
  if (options.center) out.mean = sums[0] / out.weight;
  over_chunks([&](double w, Index j, double x, Vector<double>& sum, Vector<double>& seen) {
    const double d = x - out.mean[j];
    sum[j] += w * d * d;
    seen[j] += w;
  });
  for (Index j = 0; j < cols; ++j)
    out.scatter[j] = sums[0][j] + std::max(0.0, out.weight - stored[0][j]) * out.mean[j] * out.mean[j];
  return out;
}

ColumnMoments tiled_column_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec) {
  const Index cols = data.cols();
  constexpr Index kLanes = 16;
  static const Standardization as_is;
  const RowTiles<double> tiles(data, as_is, kLanes, tile_rows_for(cols, sizeof(double)));
  std::vector<ColumnMoments> parts(kLanes);
  const auto merge = [&](ColumnMoments& a, double weight, const double* mean, const double* scatter) {
    if (a.mean.size() == 0) {
      a.mean = Vector<double>::Zero(cols);
      a.scatter = Vector<double>::Zero(cols);
    }
    const double both = a.weight + weight;
    if (both <= 0.0) return;
    for (Index j = 0; j < cols; ++j) {
      const double delta = mean[j] - a.mean[j];
      a.scatter[j] += scatter[j] + (options.center ? delta * delta * (a.weight * (weight / both)) : 0.0);
      a.mean[j] += delta * (weight / both);
    }
    a.weight = both;
  };
  tiles.scan(exec, "mean", [&](Index lane, Index first, Index rows, double* tile) {
    const double* weights = weights_at(options, first, rows);
    Vector<double> mean(cols), scatter = Vector<double>::Zero(cols);
    const double weight = tile_mean(tile, rows, cols, weights, mean.data());
    require_finite_tile(mean, tile, first, rows, data, options.who, exec);
    add_tile_squares(tile, rows, cols, options.center ? mean.data() : nullptr, weights, scatter.data());
    merge(parts[static_cast<std::size_t>(lane)], weight, mean.data(), scatter.data());
    parts[static_cast<std::size_t>(lane)].rows += rows;
  });
  ColumnMoments total = std::move(parts.front());
  for (Index lane = 1; lane < kLanes; ++lane) {
    const ColumnMoments& part = parts[static_cast<std::size_t>(lane)];
    if (part.rows == 0) continue;
    merge(total, part.weight, part.mean.data(), part.scatter.data());
    total.rows += part.rows;
  }
  require_all_weights_used(options, total.rows);
  if (!options.center) total.mean = Vector<double>::Zero(cols);
  return total;
}

}  // namespace

ColumnMoments column_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec) {
  if (const auto* v = data.sparse<double>()) return sparse_column_moments(*v, options, exec);
  if (const auto* v = data.sparse<float>()) return sparse_column_moments(*v, options, exec);
  return tiled_column_moments(data, options, exec);
}

}  // namespace fewdim
