#include "operators/tile_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"

namespace fewdim {

namespace {

#define FEWDIM_INLINE __attribute__((always_inline)) inline

template <class C>
FEWDIM_INLINE double mean_of(const C* __restrict tile, Index rows, Index cols, const double* __restrict weights,
                             double* __restrict mean) {
  std::fill_n(mean, cols, 0.0);
  double total = 0.0;
  Index i = 0;
  if (!weights) {
    total = static_cast<double>(rows);
    for (; i + 4 <= rows; i += 4) {  // four rows a turn: the sums are read and written a quarter as often
      const C* row = tile + i * cols;
      for (Index j = 0; j < cols; ++j) {
        double sum = mean[j] + static_cast<double>(row[j]);
        sum += static_cast<double>(row[cols + j]);
        sum += static_cast<double>(row[2 * cols + j]);
        mean[j] = sum + static_cast<double>(row[3 * cols + j]);
      }
    }
  }
  for (; i < rows; ++i) {
    const C* row = tile + i * cols;
    const double w = weights ? weights[i] : 1.0;
    if (weights) total += w;
    for (Index j = 0; j < cols; ++j) mean[j] += w * static_cast<double>(row[j]);
  }
  if (!(total > 0.0)) return total;
  for (Index j = 0; j < cols; ++j) mean[j] /= total;
  // A plain sum of numbers that are nearly equal errs by their number times their size: where means are large beside
  // what the rows differ by, the mean of the differences is added.
  bool large = false;
  for (Index j = 0; j < cols && !large; ++j) {
    double spread = 0.0;
    for (Index r = 0; r < std::min<Index>(rows, 8); ++r)
      spread = std::max(spread, std::abs(static_cast<double>(tile[r * cols + j]) - mean[j]));
    large = std::abs(mean[j]) > 8.0 * spread;
  }
  if (!large) return total;
  constexpr Index kColumns = 64;
  for (Index first = 0; first < cols; first += kColumns) {
    const Index count = std::min(kColumns, cols - first);
    double sums[kColumns] = {};
    for (Index r = 0; r < rows; ++r) {
      const double w = weights ? weights[r] : 1.0;
      for (Index j = 0; j < count; ++j)
        sums[j] += w * (static_cast<double>(tile[r * cols + first + j]) - mean[first + j]);
    }
    for (Index j = 0; j < count; ++j) mean[first + j] += sums[j] / total;
  }
  return total;
}

template <bool centers, bool scales, class C>
FEWDIM_INLINE void standardize_rows(C* __restrict tile, Index rows, Index cols, const double* __restrict mean,
                                    const double* __restrict scale, const double* __restrict roots) {
  for (Index i = 0; i < rows; ++i) {
    C* row = tile + i * cols;
    const double root = roots ? roots[i] : 1.0;
    for (Index j = 0; j < cols; ++j) {
      double x = static_cast<double>(row[j]);
      if constexpr (centers) x -= mean[j];
      if constexpr (scales) x *= scale[j];
      row[j] = static_cast<C>(x * root);
    }
  }
}

template <class C>
FEWDIM_INLINE void standardize(C* tile, Index rows, Index cols, const double* mean, const double* scale,
                               const double* roots) {
  if (mean && scale) return standardize_rows<true, true>(tile, rows, cols, mean, scale, roots);
  if (mean) return standardize_rows<true, false>(tile, rows, cols, mean, scale, roots);
  if (scale) return standardize_rows<false, true>(tile, rows, cols, mean, scale, roots);
  if (roots) return standardize_rows<false, false>(tile, rows, cols, mean, scale, roots);
}

template <class C>
FEWDIM_INLINE void add_squares(const C* __restrict tile, Index rows, Index cols, const double* __restrict mean,
                               const double* __restrict weights, double* __restrict sums) {
  for (Index i = 0; i < rows; ++i) {
    const C* row = tile + i * cols;
    const double w = weights ? weights[i] : 1.0;
    if (mean)
      for (Index j = 0; j < cols; ++j) {
        const double d = static_cast<double>(row[j]) - mean[j];
        sums[j] += w * d * d;
      }
    else
      for (Index j = 0; j < cols; ++j) {
        const auto x = static_cast<double>(row[j]);
        sums[j] += w * x * x;
      }
  }
}

}  // namespace

#define FEWDIM_TILE_KERNELS(C)                                                                                 \
  FEWDIM_CLONES double tile_mean(const C* tile, Index rows, Index cols, const double* weights, double* mean) { \
    return mean_of(tile, rows, cols, weights, mean);                                                           \
  }                                                                                                            \
  FEWDIM_CLONES void standardize_tile(C* tile, Index rows, Index cols, const double* mean,                     \
                                      const double* inverse_scale, const double* root_weights) {               \
    standardize(tile, rows, cols, mean, inverse_scale, root_weights);                                          \
  }                                                                                                            \
  FEWDIM_CLONES void add_tile_squares(const C* tile, Index rows, Index cols, const double* mean,               \
                                      const double* weights, double* sums) {                                   \
    add_squares(tile, rows, cols, mean, weights, sums);                                                        \
  }
FEWDIM_TILE_KERNELS(float)
FEWDIM_TILE_KERNELS(double)
#undef FEWDIM_TILE_KERNELS

FEWDIM_CLONES void add_converted(const float* __restrict x, Index count, double* __restrict sum) {
  for (Index i = 0; i < count; ++i) sum[i] += static_cast<double>(x[i]);
}

}  // namespace fewdim
