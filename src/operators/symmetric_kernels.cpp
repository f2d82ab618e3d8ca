#include "operators/symmetric_kernels.hpp"

#include <algorithm>

namespace fewdim {

namespace {

/// A cache line of doubles. Multiplying and adding are rounded lane by lane, so every width of vector gives the same
/// bits.
using Line __attribute__((vector_size(64))) = double;

/// R rows of T, R×n in double and n apart, with W lines a row of x and y.
template <int R, int W>
__attribute__((always_inline)) inline void multiply_rows(const double* t, Index n, bool mirrored, const Line* x_rows,
                                                         const Line* x_cols, Line* y_rows, Line* y_cols) {
  Line x[R][W], y[R][W];
  for (int r = 0; r < R; ++r)
    for (int w = 0; w < W; ++w) x[r][w] = x_rows[r * W + w], y[r][w] = y_rows[r * W + w];
  if (!mirrored) {
    for (Index j = 0; j < n; ++j)
      for (int r = 0; r < R; ++r)
        for (int w = 0; w < W; ++w) y[r][w] += t[r * n + j] * x_cols[j * W + w];
  } else {
    for (Index j = 0; j < n; ++j) {
      Line down[W];
      for (int w = 0; w < W; ++w) down[w] = y_cols[j * W + w];
      for (int r = 0; r < R; ++r)
        for (int w = 0; w < W; ++w) {
          y[r][w] += t[r * n + j] * x_cols[j * W + w];
          down[w] += t[r * n + j] * x[r][w];
        }
      for (int w = 0; w < W; ++w) y_cols[j * W + w] = down[w];
    }
  }
  for (int r = 0; r < R; ++r)
    for (int w = 0; w < W; ++w) y_rows[r * W + w] = y[r][w];
}

template <int W, class S>
__attribute__((always_inline)) inline void multiply_all(const S* tile, Index m, Index n, bool mirrored,
                                                        const double* x_rows, const double* x_cols, double* y_rows,
                                                        double* y_cols) {
  constexpr Index kRows = 4, kMost = 512;
  const auto* xr = reinterpret_cast<const Line*>(x_rows);
  const auto* xc = reinterpret_cast<const Line*>(x_cols);
  auto* yr = reinterpret_cast<Line*>(y_rows);
  auto* yc = reinterpret_cast<Line*>(y_cols);
  double wide[kRows * kMost];
  for (Index i = 0; i < m; i += kRows) {
    const Index rows = std::min(kRows, m - i);
    const double* t;
    if constexpr (sizeof(S) == sizeof(double)) {
      t = tile + i * n;
    } else {
      for (Index e = 0; e < rows * n; ++e) wide[e] = static_cast<double>(tile[i * n + e]);
      t = wide;
    }
    if (rows == kRows) {
      multiply_rows<kRows, W>(t, n, mirrored, xr + i * W, xc, yr + i * W, yc);
      continue;
    }
    for (Index r = 0; r < rows; ++r)
      multiply_rows<1, W>(t + r * n, n, mirrored, xr + (i + r) * W, xc, yr + (i + r) * W, yc);
  }
}

}  // namespace

// With fused multiply-add: AVX-512, or AVX2 with FMA.
#if defined(__x86_64__) && !defined(FEWDIM_SANITIZED)
#define FEWDIM_FUSED_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define FEWDIM_FUSED_CLONES
#endif

#define FEWDIM_MULTIPLY_TILE(S)                                                                                        \
  FEWDIM_FUSED_CLONES void multiply_tile(const S* tile, Index m, Index n, bool mirrored, Index width,                  \
                                         const double* x_rows, const double* x_cols, double* y_rows, double* y_cols) { \
    if (width == kWide)                                                                                                \
      multiply_all<2>(tile, m, n, mirrored, x_rows, x_cols, y_rows, y_cols);                                           \
    else                                                                                                               \
      multiply_all<1>(tile, m, n, mirrored, x_rows, x_cols, y_rows, y_cols);                                           \
  }
FEWDIM_MULTIPLY_TILE(double)
FEWDIM_MULTIPLY_TILE(float)
#undef FEWDIM_MULTIPLY_TILE

}  // namespace fewdim
