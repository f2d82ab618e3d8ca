#include "solvers/row_kernels.hpp"

#include <cmath>

namespace fewdim {

namespace {

/// Multiplying and adding are rounded lane by lane, so every width of vector gives the same bits.
using Line __attribute__((vector_size(64))) = double;

/// R rows of the products, with L lines each.
template <int R, int L>
__attribute__((always_inline)) inline void add_block(const double* left, Index left_stride, const double* right,
                                                     Index width, Index entries, double* out, Index stride) {
  Line sum[R][L];
  for (int r = 0; r < R; ++r)
    for (int l = 0; l < L; ++l) sum[r][l] = *reinterpret_cast<const Line*>(out + r * stride + l * kLane);
  for (Index e = 0; e < entries; ++e) {
    const double* a = left + e * left_stride;
    const auto* b = reinterpret_cast<const Line*>(right + e * width);
    for (int r = 0; r < R; ++r)
      for (int l = 0; l < L; ++l) sum[r][l] += a[r] * b[l];
  }
  for (int r = 0; r < R; ++r)
    for (int l = 0; l < L; ++l) *reinterpret_cast<Line*>(out + r * stride + l * kLane) = sum[r][l];
}

/// R rows, lines from `first` on.
template <int R>
__attribute__((always_inline)) inline void add_rows(const double* left, Index left_stride, const double* right,
                                                    Index width, Index entries, Index first, double* out,
                                                    Index stride) {
  Index j = first;
  for (; j + 2 * kLane <= width; j += 2 * kLane)
    add_block<R, 2>(left, left_stride, right + j, width, entries, out + j, stride);
  if (j < width) add_block<R, 1>(left, left_stride, right + j, width, entries, out + j, stride);
}

}  // namespace

// With fused multiply-add: AVX-512, or AVX2 with FMA.
#if defined(__x86_64__) && !defined(FEWDIM_SANITIZED)
#define FEWDIM_FUSED_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define FEWDIM_FUSED_CLONES
#endif

FEWDIM_FUSED_CLONES void add_row_products(const double* left, const double* right, const double* extra, Index entries,
                                          Index width, double* gram, Index stride, double* sums) {
  constexpr Index kRows = 4;
  for (Index i = 0; i < width; i += kRows)
    add_rows<kRows>(left + i, width, right, width, entries, i / kLane * kLane, gram + i * stride, stride);
  add_rows<2>(extra, 2, right, width, entries, 0, sums, width);
}

FEWDIM_FUSED_CLONES bool solve_positive(double* a, Index n, double* b) {
  for (Index k = 0; k < n; ++k) {  // A = UᵀU, row by row, and Uᵀz = b with it
    double* const row = a + k * n;
    const double pivot = row[k];
    if (!(pivot > 0.0)) return false;
    const double inverse = 1.0 / std::sqrt(pivot);
    if (!(inverse * inverse * pivot < 2.0)) return false;  // the pivot is too small to have a root
    const Index lane = k / kLane * kLane;
    for (Index j = lane; j < n; j += kLane) *reinterpret_cast<Line*>(row + j) *= inverse;
    b[k] *= inverse;
    for (Index i = k + 1; i < n; ++i) {
      const double factor = row[i];
      double* const other = a + i * n;
      for (Index j = i / kLane * kLane; j < n; j += kLane)
        *reinterpret_cast<Line*>(other + j) -= factor * *reinterpret_cast<const Line*>(row + j);
      b[i] -= factor * b[k];
    }
  }
  for (Index k = n; k-- > 0;) {
    const double* const row = a + k * n;
    double rest = b[k];
    for (Index j = k + 1; j < n; ++j) rest -= row[j] * b[j];
    b[k] = rest / row[k];
  }
  return true;
}

}  // namespace fewdim
