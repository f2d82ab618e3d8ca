#include "solvers/eigen/thin_kernels.hpp"

namespace fewdim {

namespace {

/// A cache line of doubles. Multiplying and adding are rounded lane by lane, so every width of vector gives the same
/// bits.
using Line __attribute__((vector_size(64))) = double;

/// C columns of Q, with L lines a row of W.
template <int C, int L>
__attribute__((always_inline)) inline void project_columns(const double* q, Index stride, Index rows, const Line* w,
                                                           Line* out) {
  Line sum[C][L];
  for (int c = 0; c < C; ++c)
    for (int l = 0; l < L; ++l) sum[c][l] = out[c * L + l];
  for (Index i = 0; i < rows; ++i)
    for (int c = 0; c < C; ++c)
      for (int l = 0; l < L; ++l) sum[c][l] += q[c * stride + i] * w[i * L + l];
  for (int c = 0; c < C; ++c)
    for (int l = 0; l < L; ++l) out[c * L + l] = sum[c][l];
}

template <int C, int L>
__attribute__((always_inline)) inline void subtract_columns(const double* q, Index stride, Index rows, const Line* h,
                                                            Line* w) {
  Line factor[C][L];
  for (int c = 0; c < C; ++c)
    for (int l = 0; l < L; ++l) factor[c][l] = h[c * L + l];
  for (Index i = 0; i < rows; ++i)
    for (int l = 0; l < L; ++l) {
      Line rest = w[i * L + l];
      for (int c = 0; c < C; ++c) rest -= q[c * stride + i] * factor[c][l];
      w[i * L + l] = rest;
    }
}

template <int L>
__attribute__((always_inline)) inline void project_all(const double* q, Index stride, Index rows, Index m,
                                                       const double* w, double* out) {
  constexpr Index kColumns = 8 / L;
  const auto* lines = reinterpret_cast<const Line*>(w);
  auto* sums = reinterpret_cast<Line*>(out);
  Index c = 0;
  for (; c + kColumns <= m; c += kColumns)
    project_columns<kColumns, L>(q + c * stride, stride, rows, lines, sums + c * L);
  for (; c < m; ++c) project_columns<1, L>(q + c * stride, stride, rows, lines, sums + c * L);
}

template <int L>
__attribute__((always_inline)) inline void subtract_all(const double* q, Index stride, Index rows, Index m,
                                                        const double* h, double* w) {
  constexpr Index kColumns = 8 / L;
  const auto* factors = reinterpret_cast<const Line*>(h);
  auto* lines = reinterpret_cast<Line*>(w);
  Index c = 0;
  for (; c + kColumns <= m; c += kColumns)
    subtract_columns<kColumns, L>(q + c * stride, stride, rows, factors + c * L, lines);
  for (; c < m; ++c) subtract_columns<1, L>(q + c * stride, stride, rows, factors + c * L, lines);
}

}  // namespace

// With fused multiply-add: AVX-512, or AVX2 with FMA.
#if defined(__x86_64__) && !defined(FEWDIM_SANITIZED)
#define FEWDIM_FUSED_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define FEWDIM_FUSED_CLONES
#endif

FEWDIM_FUSED_CLONES void thin_project(const double* q, Index stride, Index rows, Index m, Index width, const double* w,
                                      double* out) {
  if (width == kThin)
    project_all<1>(q, stride, rows, m, w, out);
  else
    project_all<2>(q, stride, rows, m, w, out);
}

FEWDIM_FUSED_CLONES void thin_subtract(const double* q, Index stride, Index rows, Index m, Index width, const double* h,
                                       double* w) {
  if (width == kThin)
    subtract_all<1>(q, stride, rows, m, h, w);
  else
    subtract_all<2>(q, stride, rows, m, h, w);
}

}  // namespace fewdim
