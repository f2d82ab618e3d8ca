#include "operators/row_moments.hpp"

#include <cmath>

#include "operators/tile_kernels.hpp"
#include "operators/tile_products.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

namespace {

template <class C>
Moments form_row_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec) {
  const Index cols = data.cols();
  const Index lanes = product_lanes(cols);
  const bool shared = products_shared(cols);
  static const Standardization as_is;
  const RowTiles<C> tiles(data, as_is, lanes, product_tile_length(cols, sizeof(C)), 1);

  std::vector<Moments> parts(static_cast<std::size_t>(lanes));
  std::vector<std::vector<C>> scratch(static_cast<std::size_t>(lanes));
  tiles.scan(exec, "covariance", [&](Index lane, Index first, Index rows, C* tile) {
    Moments& part = parts[static_cast<std::size_t>(lane)];
    if (part.scatter.size() == 0) {
      part.scatter = Matrix<double>::Zero(cols, cols);
      part.mean = Vector<double>::Zero(cols);
    }
    const double* weights = weights_at(options, first, rows);
    Vector<double> mean(cols);
    const double weight = tile_mean(tile, rows, cols, weights, mean.data());
    require_finite_tile(mean, tile, first, rows, data, options.who, exec);
    Index count = rows;
    std::vector<double> roots(weights ? static_cast<std::size_t>(rows) : 0);
    for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = std::sqrt(weights[i]);
    standardize_tile(tile, rows, cols, options.center ? mean.data() : nullptr, nullptr,
                     weights ? roots.data() : nullptr);
    if (options.center && weight > 0.0) {
      // Merging two means adds δδᵀ·w₁w₂/(w₁+w₂): one more row of the tile.
      const double both = part.weight + weight;
      const double root = std::sqrt(part.weight * (weight / both));
      C* extra = tile + rows * cols;
      for (Index j = 0; j < cols; ++j) {
        const double delta = mean[j] - part.mean[j];
        extra[j] = static_cast<C>(root * delta);
        part.mean[j] += delta * (weight / both);
      }
      if (part.weight > 0.0) ++count;
    }
    if (shared)
      add_products_shared(cols, count, tile, true, part.scatter, exec);
    else
      add_products(cols, count, tile, true, part.scatter, scratch[static_cast<std::size_t>(lane)]);
    part.weight += weight;
    part.rows += rows;
  });

  Moments& total = parts.front();
  if (total.scatter.size() == 0) {
    total.scatter = Matrix<double>::Zero(cols, cols);
    total.mean = Vector<double>::Zero(cols);
  }
  for (std::size_t lane = 1; lane < parts.size(); ++lane) {
    total.merge(parts[lane], options.center);
    parts[lane] = {};
  }
  require_all_weights_used(options, total.rows);
  return std::move(total);
}

}  // namespace

void Moments::merge(const Moments& other, bool center) {
  if (other.rows == 0) return;
  if (rows == 0) {
    *this = other;
    return;
  }
  const double both = weight + other.weight;
  scatter += other.scatter;
  if (center && both > 0.0) {
    const Vector<double> delta = other.mean - mean;
    const double factor = weight * (other.weight / both);
    for (Index j = 0; j < delta.size(); ++j)
      for (Index i = j; i < delta.size(); ++i) scatter(i, j) += factor * delta[i] * delta[j];
    mean += delta * (other.weight / both);
  }
  weight = both;
  rows += other.rows;
}

Moments row_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec) {
  if (data.precision() == Precision::float32 && !options.float64_products)
    return form_row_moments<float>(data, options, exec);
  return form_row_moments<double>(data, options, exec);
}

std::uint64_t row_moments_bytes(Index cols, bool stream, std::size_t scalar_bytes) {
  const auto tile = static_cast<std::uint64_t>((product_tile_length(cols, scalar_bytes) + 1) * cols) * scalar_bytes;
  return product_bytes(cols, scalar_bytes) + static_cast<std::uint64_t>(product_lanes(cols)) * tile * (stream ? 2 : 1);
}

}  // namespace fewdim
