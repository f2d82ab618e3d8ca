#include "solvers/ratings/row_kernels.hpp"

#include <cmath>

namespace fewdim {

namespace {

/// Multiplying and adding are rounded lane by lane, so every width of vector gives the same bits.
using Line __attribute__((vector_size(64))) = double;

/// R rows of the products, with L lines each, added or taken off.
template <int R, int L, bool Add>
__attribute__((always_inline)) inline void add_block(const double* left, Index left_stride, const double* right,
                                                     Index width, Index entries, double* out, Index stride) {
  Line sum[R][L];
  for (int r = 0; r < R; ++r)
    for (int l = 0; l < L; ++l) sum[r][l] = *reinterpret_cast<const Line*>(out + r * stride + l * kLane);
  for (Index e = 0; e < entries; ++e) {
    const double* a = left + e * left_stride;
    const auto* b = reinterpret_cast<const Line*>(right + e * width);
    for (int r = 0; r < R; ++r)
      for (int l = 0; l < L; ++l) {
        if constexpr (Add)
          sum[r][l] += a[r] * b[l];
        else
          sum[r][l] -= a[r] * b[l];
      }
  }
  for (int r = 0; r < R; ++r)
    for (int l = 0; l < L; ++l) *reinterpret_cast<Line*>(out + r * stride + l * kLane) = sum[r][l];
}

/// R rows, lines from `first` on.
template <int R, bool Add>
__attribute__((always_inline)) inline void add_rows(const double* left, Index left_stride, const double* right,
                                                    Index width, Index entries, Index first, double* out,
                                                    Index stride) {
  Index j = first;
  for (; j + 2 * kLane <= width; j += 2 * kLane)
    add_block<R, 2, Add>(left, left_stride, right + j, width, entries, out + j, stride);
  if (j < width) add_block<R, 1, Add>(left, left_stride, right + j, width, entries, out + j, stride);
}

}  // namespace

// With fused multiply-add: AVX-512, or AVX2 with FMA.
#if defined(__x86_64__) && !defined(FEWDIM_SANITIZED)
#define FEWDIM_FUSED_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define FEWDIM_FUSED_CLONES
#endif

FEWDIM_FUSED_CLONES void gather_rows(const double* table, Index width, const std::int32_t* which, Index count,
                                     double* out) {
  for (Index e = 0; e < count; ++e) {
    const double* const from = table + which[e] * width;
    for (Index j = 0; j < width; j += kLane)
      *reinterpret_cast<Line*>(out + e * width + j) = *reinterpret_cast<const Line*>(from + j);
  }
}

FEWDIM_FUSED_CLONES void add_row_products(const double* left, const double* right, const double* extra, Index entries,
                                          Index width, double* gram, Index stride, double* sums) {
  constexpr Index kRows = 4;
  for (Index i = 0; i < width; i += kRows)
    add_rows<kRows, true>(left + i, width, right, width, entries, i / kLane * kLane, gram + i * stride, stride);
  add_rows<2, true>(extra, 2, right, width, entries, 0, sums, width);
}

FEWDIM_FUSED_CLONES bool solve_positive(double* a, Index n, double* b) {
  constexpr Index kRows = 4;
  const auto line = [](double* at) -> Line& { return *reinterpret_cast<Line*>(at); };
  for (Index first = 0; first < n; first += kLane) {  // A = UᵀU, a lane of rows at a time, and Uᵀz = b with it
    const Index last = first + kLane;
    for (Index k = first; k < last; ++k) {
      double* const row = a + k * n;
      const double pivot = row[k];
      if (!(pivot > 0.0)) return false;
      const double inverse = 1.0 / std::sqrt(pivot);
      if (!(inverse * inverse * pivot < 2.0)) return false;  // the pivot is too small to have a root
      for (Index j = first; j < n; j += kLane) line(row + j) *= inverse;
      const double z = b[k] *= inverse;
      for (Index i = k + 1; i < last; ++i) {
        const double factor = row[i];
        for (Index j = first; j < n; j += kLane) line(a + i * n + j) -= factor * line(row + j);
        b[i] -= factor * z;
      }
      for (Index j = last; j < n; j += kLane) line(b + j) -= z * line(row + j);
    }
    const double* const rows = a + first * n;
    for (Index i = last; i < n; i += kRows)
      add_rows<kRows, false>(rows + i, n, rows, n, kLane, i / kLane * kLane, a + i * n, n);
  }
  for (Index k = n; k-- > 0;) {
    double* const row = a + k * n;
    const Index lane = (k / kLane + 1) * kLane;
    Line parts{};
    for (Index j = lane; j < n; j += kLane) parts += line(row + j) * line(b + j);
    double rest = b[k];
    for (Index j = k + 1; j < lane; ++j) rest -= row[j] * b[j];
    for (Index l = 0; l < kLane; ++l) rest -= parts[l];
    b[k] = rest / row[k];
  }
  return true;
}

}  // namespace fewdim
