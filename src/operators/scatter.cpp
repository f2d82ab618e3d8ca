#include "operators/scatter.hpp"

#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "data/checks.hpp"
#include "operators/tiles.hpp"

namespace fewdim {

namespace {

/// Up to this size each lane keeps a matrix of its own; above, all threads share one and split its blocks.
constexpr Index kLaneMatrix = 1024;
constexpr Index kBlock = 384;

Index lanes_for(Index n) { return n <= 512 ? 16 : n <= kLaneMatrix ? 8 : 1; }

/// Rows (or columns) of a tile that is added to an n×n sum: long enough that a product costs more than touching the
/// sum.
Index tile_length(Index n, std::size_t scalar_bytes) { return std::max<Index>(tile_rows_for(n, scalar_bytes), 256); }

/// sum += tile · tileᵀ, lower triangle, on this thread. The tile is n×count column-major (`wide`: n contiguous)
/// or count×n column-major.
template <class C>
void add_products(Index n, Index count, const C* tile, bool wide, Matrix<double>& sum, std::vector<C>& scratch) {
  if constexpr (std::is_same_v<C, double>) {
    (void)scratch;
    blas::syrk(!wide, n, count, 1.0, tile, wide ? n : count, 1.0, sum.data(), n);
  } else {
    scratch.resize(static_cast<std::size_t>(n * n));
    blas::syrk(!wide, n, count, C(1), tile, wide ? n : count, C(0), scratch.data(), n);
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) sum(i, j) += static_cast<double>(scratch[static_cast<std::size_t>(j * n + i)]);
  }
}

/// The same with the blocks of the sum dealt out to all threads.
template <class C>
void add_products_shared(Index n, Index count, const C* tile, bool wide, Matrix<double>& sum, const Execution& exec) {
  const Index blocks = (n + kBlock - 1) / kBlock;
  parallel_for(exec, blocks * (blocks + 1) / 2, [&](Index task) {
    Index row_block = 0;
    while ((row_block + 1) * (row_block + 2) / 2 <= task) ++row_block;
    const Index col_block = task - row_block * (row_block + 1) / 2;
    const Index i = row_block * kBlock, j = col_block * kBlock;
    const Index height = std::min(kBlock, n - i), width = std::min(kBlock, n - j);
    const Index stride = wide ? n : count;
    const C* a = tile + (wide ? i : i * count);
    const C* b = tile + (wide ? j : j * count);
    if constexpr (std::is_same_v<C, double>) {
      blas::gemm(!wide, wide, height, width, count, 1.0, a, stride, b, stride, 1.0, &sum(i, j), n);
    } else {
      std::vector<C> product(static_cast<std::size_t>(height * width));
      blas::gemm(!wide, wide, height, width, count, C(1), a, stride, b, stride, C(0), product.data(), height);
      for (Index c = 0; c < width; ++c)
        for (Index r = 0; r < height; ++r)
          sum(i + r, j + c) += static_cast<double>(product[static_cast<std::size_t>(c * height + r)]);
    }
  });
}

/// The weights of a tile's rows, or null where all are ones. A stream may turn out longer than its weights.
const double* weights_at(const ScatterOptions& options, Index first, Index rows) {
  if (!options.weights || options.weights->size() == 0) return nullptr;
  if (first + rows > options.weights->size())
    throw DataError(fmt::format("{}: {} weights for at least {} rows; give one per row", options.who,
                                options.weights->size(), first + rows));
  return options.weights->data() + first;
}

void require_all_weights_used(const ScatterOptions& options, Index rows) {
  if (options.weights && options.weights->size() > 0 && options.weights->size() != rows)
    throw DataError(
        fmt::format("{}: {} weights for {} rows; give one per row", options.who, options.weights->size(), rows));
}

/// Weighted mean of a row-major tile's columns; returns the sum of weights.
template <class C>
double tile_mean(const C* tile, Index rows, Index cols, const double* weights, double* mean) {
  std::fill_n(mean, cols, 0.0);
  double total = 0.0;
  for (Index i = 0; i < rows; ++i) {
    const C* row = tile + i * cols;
    const double w = weights ? weights[i] : 1.0;
    total += w;
    if (weights)
      for (Index j = 0; j < cols; ++j) mean[j] += w * static_cast<double>(row[j]);
    else
      for (Index j = 0; j < cols; ++j) mean[j] += static_cast<double>(row[j]);
  }
  if (total > 0.0)
    for (Index j = 0; j < cols; ++j) mean[j] /= total;
  return total;
}

/// A mean that is not finite betrays a value that is not: say how many there are and where the first is.
template <class C>
void require_finite_tile(const Vector<double>& mean, const C* tile, Index first, Index rows, const Dataset& data,
                         std::string_view who, const Execution& exec) {
  const Index cols = mean.size();
  Index bad = 0;
  while (bad < cols && std::isfinite(mean[bad])) ++bad;
  if (bad == cols) return;
  if (!data.is_stream()) {
    require_finite(data, who, exec);
  } else {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        if (const auto x = static_cast<double>(tile[i * cols + j]); !std::isfinite(x))
          throw DataError(fmt::format(
              "{}: a value that is not a number ({}) at row {}, column {} of a stream; fill or drop such rows first",
              who, x, first + i + 1, j + 1));
  }
  throw DataError(fmt::format("{}: the values of column {} are too large to be summed; rescale them", who, bad + 1));
}

/// row ← (row − mean) · √weight, in place.
template <class C>
void center_rows(C* tile, Index rows, Index cols, const double* mean, const double* weights) {
  for (Index i = 0; i < rows; ++i) {
    C* row = tile + i * cols;
    if (mean)
      for (Index j = 0; j < cols; ++j) row[j] = static_cast<C>(static_cast<double>(row[j]) - mean[j]);
    if (weights) {
      const double root = std::sqrt(weights[i]);
      for (Index j = 0; j < cols; ++j) row[j] = static_cast<C>(static_cast<double>(row[j]) * root);
    }
  }
}

template <class C>
Moments form_row_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec) {
  const Index cols = data.cols();
  const Index lanes = lanes_for(cols);
  const bool shared = cols > kLaneMatrix;
  static const Standardization as_is;
  const RowTiles<C> tiles(data, as_is, lanes, tile_length(cols, sizeof(C)), 1);

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
    center_rows(tile, rows, cols, options.center ? mean.data() : nullptr, weights);
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

template <class C>
GramMatrix form_gram(const Dataset& data, const ScatterOptions& options, bool scale, double divisor,
                     const Execution& exec) {
  const Index rows = data.rows(), cols = data.cols();
  const Index lanes = lanes_for(rows);
  const bool shared = rows > kLaneMatrix;
  const Index width = tile_length(rows, sizeof(C));
  const Index tiles = (cols + width - 1) / width;
  const double* weights = options.weights && options.weights->size() > 0 ? options.weights->data() : nullptr;

  GramMatrix out;
  out.mean = Vector<double>::Zero(cols);
  out.column_scatter = Vector<double>::Zero(cols);
  for (Index i = 0; i < rows; ++i) out.weight += weights ? weights[i] : 1.0;

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
    if (options.center) {
      tile_mean(buffer.data(), rows, count, weights, mean);
      center_rows(buffer.data(), rows, count, mean, weights);
    } else {
      center_rows(buffer.data(), rows, count, nullptr, weights);
    }
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < count; ++j) {
        const auto x = static_cast<double>(buffer[static_cast<std::size_t>(i * count + j)]);
        scatter[j] += x * x;
      }
    if (scale) {
      Vector<double> factor(count);
      for (Index j = 0; j < count; ++j) factor[j] = scatter[j] > 0.0 ? 1.0 / std::sqrt(scatter[j] / divisor) : 0.0;
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < count; ++j) {
          C& x = buffer[static_cast<std::size_t>(i * count + j)];
          x = static_cast<C>(static_cast<double>(x) * factor[j]);
        }
    }
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
  const Index width = tile_rows_for(rows, sizeof(C));
  parallel_for(exec, (cols + width - 1) / width, [&](Index task) {
    const Index first = task * width, wide = std::min(width, cols - first);
    std::vector<C> tile(static_cast<std::size_t>(rows * wide));
    load_columns(data, first, wide, tile.data());
    for (Index i = 0; i < rows; ++i) {
      C* row = tile.data() + i * wide;
      const double w = s.root_weights.size() > 0 ? s.root_weights[i] : 1.0;
      for (Index j = 0; j < wide; ++j) {
        double x = static_cast<double>(row[j]);
        if (s.mean.size() > 0) x -= s.mean[first + j];
        if (s.inverse_scale.size() > 0) x *= s.inverse_scale[first + j];
        row[j] = static_cast<C>(x * w);
      }
    }
    Matrix<C> product(wide, count);
    blas::gemm(false, false, wide, count, rows, C(1), tile.data(), wide, uc.data(), rows, C(0), product.data(), wide);
    out.middleRows(first, wide) = product.template cast<double>();
  });
}

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
    for (Index i = 0; i < rows; ++i) {
      const double w = weights ? weights[i] : 1.0;
      for (Index j = 0; j < cols; ++j) {
        const double d = tile[i * cols + j] - (options.center ? mean[j] : 0.0);
        scatter[j] += w * d * d;
      }
    }
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
  const auto n = static_cast<std::uint64_t>(cols), lanes = static_cast<std::uint64_t>(lanes_for(cols));
  const auto tile = static_cast<std::uint64_t>(tile_length(cols, scalar_bytes) + 1) * n * scalar_bytes;
  return lanes * (n * n * (scalar_bytes == 4 ? 12 : 8) + tile * (stream ? 2 : 1));
}

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
  const auto n = static_cast<std::uint64_t>(rows), lanes = static_cast<std::uint64_t>(lanes_for(rows));
  return lanes * (n * n * (scalar_bytes == 4 ? 12 : 8) +
                  static_cast<std::uint64_t>(tile_length(rows, scalar_bytes)) * n * scalar_bytes);
}

ColumnMoments column_moments(const Dataset& data, const ScatterOptions& options, const Execution& exec) {
  if (const auto* v = data.sparse<double>()) return sparse_column_moments(*v, options, exec);
  if (const auto* v = data.sparse<float>()) return sparse_column_moments(*v, options, exec);
  return tiled_column_moments(data, options, exec);
}

double forming_error(Index rows, Index tile_rows, bool float64_products) {
  constexpr double kConfidence = 4.0;  // Higham & Mary's λ: fails with probability 2·exp(−λ²/2) = 7e-4
  const double in_tile = kConfidence * std::sqrt(static_cast<double>(std::min(rows, tile_rows)));
  const double over_tiles = kConfidence * std::sqrt(static_cast<double>(rows) / static_cast<double>(tile_rows) + 1.0);
  return in_tile * (float64_products ? 0x1.0p-53 : 0x1.0p-24) + over_tiles * 0x1.0p-53;
}

void symmetrize(Matrix<double>& a) {
  constexpr Index kSquare = 64;
  for (Index j0 = 0; j0 < a.cols(); j0 += kSquare)
    for (Index i0 = j0; i0 < a.rows(); i0 += kSquare)
      for (Index j = j0; j < std::min(a.cols(), j0 + kSquare); ++j)
        for (Index i = std::max(i0, j + 1); i < std::min(a.rows(), i0 + kSquare); ++i) a(j, i) = a(i, j);
}

}  // namespace fewdim
