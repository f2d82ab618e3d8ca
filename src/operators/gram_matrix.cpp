#include "operators/gram_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "data/table/checks.hpp"
#include "operators/tile_kernels.hpp"
#include "operators/tile_products.hpp"

namespace fewdim {

namespace {

template <class C>
GramMatrix form_gram(const Dataset& data, const ScatterOptions& options, bool scale, double divisor,
                     const Execution& exec) {
  const Index rows = data.rows(), cols = data.cols();
  const Index lanes = product_lanes(rows);
  const bool shared = products_shared(rows);
  const Index width = product_tile_length(rows, sizeof(C));
  const Index tiles = (cols + width - 1) / width;
  const double* weights = options.weights && options.weights->size() > 0 ? options.weights->data() : nullptr;

  GramMatrix out;
  out.mean = Vector<double>::Zero(cols);
  out.column_scatter = Vector<double>::Zero(cols);
  std::vector<double> roots(weights ? static_cast<std::size_t>(rows) : 0);
  for (Index i = 0; i < rows; ++i) out.weight += weights ? weights[i] : 1.0;
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = std::sqrt(weights[i]);

  std::vector<Matrix<double>> sums(static_cast<std::size_t>(lanes));
  std::vector<std::vector<C>> buffers(static_cast<std::size_t>(lanes)), scratch(static_cast<std::size_t>(lanes));
  const auto add_tile = [&](Index lane, Index tile) {
    Matrix<double>& sum = sums[static_cast<std::size_t>(lane)];
    std::vector<C>& buffer = buffers[static_cast<std::size_t>(lane)];
    if (sum.size() == 0) {
      sum = Matrix<double>::Zero(rows, rows);
      buffer.resize(static_cast<std::size_t>(rows * width));
    }
    const Index first = tile * width, count = std::min(width, cols - first);
    load_columns(data, first, count, buffer.data());
    double* mean = out.mean.data() + first;
    double* scatter = out.column_scatter.data() + first;
    if (options.center) tile_mean(buffer.data(), rows, count, weights, mean);
    add_tile_squares(buffer.data(), rows, count, options.center ? mean : nullptr, weights, scatter);
    Vector<double> factor;
    if (scale) {
      factor.resize(count);
      for (Index j = 0; j < count; ++j) factor[j] = scatter[j] > 0.0 ? 1.0 / std::sqrt(scatter[j] / divisor) : 0.0;
    }
    standardize_tile(buffer.data(), rows, count, options.center ? mean : nullptr, scale ? factor.data() : nullptr,
                     weights ? roots.data() : nullptr);
    if (shared)
      add_products_shared(rows, count, buffer.data(), false, sum, exec);
    else
      add_products(rows, count, buffer.data(), false, sum, scratch[static_cast<std::size_t>(lane)]);
  };
  constexpr Index kTilesPerRound = 4;
  for (Index start = 0; start < tiles; start += lanes * kTilesPerRound) {
    parallel_for(exec, lanes, [&](Index lane) {
      for (Index tile = start + lane; tile < std::min(tiles, start + lanes * kTilesPerRound); tile += lanes)
        add_tile(lane, tile);
    });
    report_progress(exec, "gram", std::min(cols, (start + lanes * kTilesPerRound) * width), cols, "columns");
  }
  for (std::size_t lane = 1; lane < sums.size(); ++lane)
    if (sums[lane].size() > 0) {
      sums.front() += sums[lane];
      sums[lane].resize(0, 0);
    }
  out.gram = std::move(sums.front());
  return out;
}

template <class C>
void back_project_as(const Dataset& data, const Standardization& s, ConstBlock<double> u, Block<double> out,
                     const Execution& exec) {
  const Index rows = data.rows(), cols = data.cols(), count = u.cols();
  const Matrix<C> uc = u.template cast<C>();
  constexpr Index kLanes = 16;
  const Index width = tile_rows_for(rows, sizeof(C));
  const Index tiles = (cols + width - 1) / width;
  parallel_for(exec, std::min(kLanes, tiles), [&](Index lane) {
    const auto tile = std::make_unique_for_overwrite<C[]>(static_cast<std::size_t>(rows * width));
    Matrix<C> product(width, count);
    for (Index t = lane; t < tiles; t += kLanes) {
      const Index first = t * width, wide = std::min(width, cols - first);
      load_columns(data, first, wide, tile.get());
      standardize_tile(tile.get(), rows, wide, s.mean.size() > 0 ? s.mean.data() + first : nullptr,
                       s.inverse_scale.size() > 0 ? s.inverse_scale.data() + first : nullptr,
                       s.root_weights.size() > 0 ? s.root_weights.data() : nullptr);
      blas::gemm(false, false, wide, count, rows, C(1), tile.get(), wide, uc.data(), rows, C(0), product.data(), width);
      out.middleRows(first, wide) = product.topRows(wide).template cast<double>();
    }
  });
}

}  // namespace

GramMatrix gram_matrix(const Dataset& data, const ScatterOptions& options, bool scale, double divisor,
                       const Execution& exec) {
  GramMatrix out = data.precision() == Precision::float32 && !options.float64_products
                       ? form_gram<float>(data, options, scale, divisor, exec)
                       : form_gram<double>(data, options, scale, divisor, exec);
  for (Index j = 0; j < out.column_scatter.size(); ++j)
    if (!std::isfinite(out.column_scatter[j])) require_finite(data, options.who, exec);
  return out;
}

void back_project(const Dataset& data, const Standardization& standardization, bool float64_products,
                  ConstBlock<double> u, Block<double> out, const Execution& exec) {
  if (data.precision() == Precision::float32 && !float64_products)
    return back_project_as<float>(data, standardization, u, out, exec);
  back_project_as<double>(data, standardization, u, out, exec);
}

std::uint64_t gram_matrix_bytes(Index rows, std::size_t scalar_bytes) {
  const auto tile = static_cast<std::uint64_t>(product_tile_length(rows, scalar_bytes) * rows) * scalar_bytes;
  return product_bytes(rows, scalar_bytes) + static_cast<std::uint64_t>(product_lanes(rows)) * tile;
}

}  // namespace fewdim
