#include "operators/csr_kernels.hpp"

#include <algorithm>

#include "base/clones.hpp"

namespace fewdim {

namespace {

using Eight = double __attribute__((vector_size(64), aligned(8)));

inline Eight& eight(double* p) { return *reinterpret_cast<Eight*>(p); }
inline const Eight& eight(const double* p) { return *reinterpret_cast<const Eight*>(p); }

constexpr Index kPhaseRows = 512;
/// A cache line is asked for this many entries before its use: about as long as one from beyond the second cache takes.
constexpr std::int64_t kAhead = 40;

/// The same, but nothing where a row is too near to the end of the entries.
template <class S>
inline std::int64_t ahead_of(const CsrView<S>& a, Index row) {
  return a.offsets[row + 1] + kAhead < a.offsets[a.rows] ? kAhead : 0;
}

template <class S>
__attribute__((always_inline)) inline void row_product(const CsrView<S>& a, Index row, const double* x,
                                                       const double* shift, Eight& u) {
  // Two sums, even and odd entries: one would wait for its last addition.
  Eight even = -eight(shift), odd{};
  const std::int64_t end = a.offsets[row + 1], ahead = ahead_of(a, row);
  std::int64_t e = a.offsets[row];
  for (; e + 1 < end; e += 2) {
    __builtin_prefetch(x + a.columns[e + ahead] * kCsrWidth);
    __builtin_prefetch(x + a.columns[e + ahead + 1] * kCsrWidth);
    even += static_cast<double>(a.values[e]) * eight(x + a.columns[e] * kCsrWidth);
    odd += static_cast<double>(a.values[e + 1]) * eight(x + a.columns[e + 1] * kCsrWidth);
  }
  if (e < end) even += static_cast<double>(a.values[e]) * eight(x + a.columns[e] * kCsrWidth);
  u = even + odd;
}

template <class S>
__attribute__((always_inline)) inline void add_row(const CsrView<S>& a, Index row, const Eight& u, double* y) {
  const Eight factor = u;
  const std::int64_t end = a.offsets[row + 1], ahead = ahead_of(a, row);
  for (std::int64_t e = a.offsets[row]; e < end; ++e) {
    __builtin_prefetch(y + a.columns[e + ahead] * kCsrWidth, 1);
    eight(y + a.columns[e] * kCsrWidth) += static_cast<double>(a.values[e]) * factor;
  }
}

template <class S>
__attribute__((always_inline)) inline void normal(const CsrView<S>& a, Index first, Index last, const double* x,
                                                  const double* shift, const double* weights, double* y, double* sum) {
  // In two steps over a few hundred rows, so that x and y, which together are larger than the second cache, are in it
  // one after the other and not against each other.
  alignas(64) double products[kPhaseRows * kCsrWidth];
  for (Index start = first; start < last; start += kPhaseRows) {
    const Index rows = std::min(kPhaseRows, last - start);
    for (Index i = 0; i < rows; ++i) {
      Eight& u = eight(products + i * kCsrWidth);
      row_product(a, start + i, x, shift, u);
      if (weights) u *= weights[start + i];
      eight(sum) += u;
    }
    for (Index i = 0; i < rows; ++i) add_row(a, start + i, eight(products + i * kCsrWidth), y);
  }
}

template <class S>
__attribute__((always_inline)) inline void apply(const CsrView<S>& a, Index first, Index last, const double* x,
                                                 const double* shift, const double* roots, double* y) {
  for (Index i = first; i < last; ++i) {
    Eight u;
    row_product(a, i, x, shift, u);
    if (roots) u *= roots[i];
    eight(y + i * kCsrWidth) = u;
  }
}

template <class S>
__attribute__((always_inline)) inline void adjoint(const CsrView<S>& a, Index first, Index last, const double* u,
                                                   const double* roots, double* y, double* sum) {
  for (Index i = first; i < last; ++i) {
    Eight row = eight(u + i * kCsrWidth);
    if (roots) row *= roots[i];
    eight(sum) += row;
    add_row(a, i, row, y);
  }
}

FEWDIM_CLONES void normal_of(const CsrView<double>& a, Index first, Index last, const double* x, const double* shift,
                             const double* weights, double* y, double* sum) {
  normal(a, first, last, x, shift, weights, y, sum);
}
FEWDIM_CLONES void normal_of(const CsrView<float>& a, Index first, Index last, const double* x, const double* shift,
                             const double* weights, double* y, double* sum) {
  normal(a, first, last, x, shift, weights, y, sum);
}

FEWDIM_CLONES void apply_of(const CsrView<double>& a, Index first, Index last, const double* x, const double* shift,
                            const double* roots, double* y) {
  apply(a, first, last, x, shift, roots, y);
}
FEWDIM_CLONES void apply_of(const CsrView<float>& a, Index first, Index last, const double* x, const double* shift,
                            const double* roots, double* y) {
  apply(a, first, last, x, shift, roots, y);
}
FEWDIM_CLONES void adjoint_of(const CsrView<double>& a, Index first, Index last, const double* u, const double* roots,
                              double* y, double* sum) {
  adjoint(a, first, last, u, roots, y, sum);
}
FEWDIM_CLONES void adjoint_of(const CsrView<float>& a, Index first, Index last, const double* u, const double* roots,
                              double* y, double* sum) {
  adjoint(a, first, last, u, roots, y, sum);
}

}  // namespace

template <class S>
void csr_normal(const CsrView<S>& a, Index first, Index last, const double* x, const double* shift,
                const double* weights, double* y, double* sum) {
  normal_of(a, first, last, x, shift, weights, y, sum);
}
template <class S>
void csr_apply(const CsrView<S>& a, Index first, Index last, const double* x, const double* shift,
               const double* root_weights, double* y) {
  apply_of(a, first, last, x, shift, root_weights, y);
}
template <class S>
void csr_adjoint(const CsrView<S>& a, Index first, Index last, const double* u, const double* root_weights, double* y,
                 double* sum) {
  adjoint_of(a, first, last, u, root_weights, y, sum);
}

#define FEWDIM_INSTANTIATE(S)                                                                                     \
  template void csr_normal(const CsrView<S>&, Index, Index, const double*, const double*, const double*, double*, \
                           double*);                                                                              \
  template void csr_apply(const CsrView<S>&, Index, Index, const double*, const double*, const double*, double*); \
  template void csr_adjoint(const CsrView<S>&, Index, Index, const double*, const double*, double*, double*);
FEWDIM_INSTANTIATE(float)
FEWDIM_INSTANTIATE(double)
#undef FEWDIM_INSTANTIATE

}  // namespace fewdim
