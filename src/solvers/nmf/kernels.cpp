#include "solvers/nmf/kernels.hpp"

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <algorithm>
#include <vector>

#include "base/clones.hpp"

namespace fewdim {

namespace {

constexpr Index kLanes = 8;
using Eight = double __attribute__((vector_size(64), aligned(8)));

inline Eight& eight(double* p) { return *reinterpret_cast<Eight*>(p); }
inline const Eight& eight(const double* p) { return *reinterpret_cast<const Eight*>(p); }

/// A line of eight rows for each column.
using Lines = std::vector<double, tbb::cache_aligned_allocator<double>>;

/// out = p_c − Σ_l g_lc f_l, in four chains.
__attribute__((always_inline)) inline void slope(const double* gram, Index k, Index c, const double* p, const double* f,
                                                 Eight& out) {
  const double* g = gram + c * k;
  Eight s0 = eight(p + c * kLanes), s1{}, s2{}, s3{};
  Index l = 0;
  for (; l + 3 < k; l += 4) {
    s0 -= g[l] * eight(f + l * kLanes);
    s1 -= g[l + 1] * eight(f + (l + 1) * kLanes);
    s2 -= g[l + 2] * eight(f + (l + 2) * kLanes);
    s3 -= g[l + 3] * eight(f + (l + 3) * kLanes);
  }
  for (; l < k; ++l) s0 -= g[l] * eight(f + l * kLanes);
  out = (s0 + s1) + (s2 + s3);
}

__attribute__((always_inline)) inline double sum_of(const Eight& v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

FEWDIM_CLONES
void sweep_eight(const double* gram, Index k, const double* p, int sweeps, double* f) {
  double first = 0.0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    Eight moved{};
    for (Index c = 0; c < k; ++c) {
      const double length = gram[c * k + c];
      if (!(length > 0.0)) continue;  // kept: its other half may come back
      Eight downhill;
      slope(gram, k, c, p, f, downhill);
      const Eight before = eight(f + c * kLanes);
      Eight next = before + downhill * (1.0 / length);
      next = next > 0.0 ? next : Eight{};
      const Eight step = next - before;
      moved += step * step * length;
      eight(f + c * kLanes) = next;
    }
    const double total = sum_of(moved);
    if (sweep == 0) first = total;
    if (total <= 0.01 * first) return;
  }
}

FEWDIM_CLONES
void project_eight(const double* gram, Index k, const double* p, const double* f, double* squares) {
  for (Index c = 0; c < k; ++c) {
    Eight downhill;  // minus the gradient
    slope(gram, k, c, p, f, downhill);
    const Eight grows = downhill > 0.0 ? downhill : Eight{};
    const Eight kept = eight(f + c * kLanes) > 0.0 ? downhill : grows;
    squares[c] += sum_of(kept * kept);
  }
}

/// Eight rows of a column-major matrix, less `shift`; rows that are not there are zero.
void load(const Matrix<double>& from, Index row, Index rows, double shift, Lines& lines) {
  for (Index c = 0; c < from.cols(); ++c) {
    const double* column = from.data() + c * from.rows() + row;
    double* line = lines.data() + c * kLanes;
    for (Index i = 0; i < rows; ++i) line[i] = column[i] - shift;
    for (Index i = rows; i < kLanes; ++i) line[i] = 0.0;
  }
}

}  // namespace

void descend_rows(const Matrix<double>& gram, const Matrix<double>& products, double lasso, int sweeps, Index first,
                  Index last, Matrix<double>& f) {
  const Index k = gram.rows();
  Lines p(static_cast<std::size_t>(k * kLanes)), lines(static_cast<std::size_t>(k * kLanes));
  for (Index row = first; row < last; row += kLanes) {
    const Index rows = std::min(kLanes, last - row);
    load(products, row, rows, lasso, p);
    load(f, row, rows, 0.0, lines);
    sweep_eight(gram.data(), k, p.data(), sweeps, lines.data());
    for (Index c = 0; c < k; ++c)
      for (Index i = 0; i < rows; ++i) f(row + i, c) = lines[static_cast<std::size_t>(c * kLanes + i)];
  }
}

void add_projected_gradient(const Matrix<double>& gram, const Matrix<double>& products, double lasso, Index first,
                            Index last, const Matrix<double>& f, double* squares) {
  const Index k = gram.rows();
  Lines p(static_cast<std::size_t>(k * kLanes)), lines(static_cast<std::size_t>(k * kLanes));
  for (Index row = first; row < last; row += kLanes) {
    const Index rows = std::min(kLanes, last - row);
    load(products, row, rows, lasso, p);
    load(f, row, rows, 0.0, lines);
    project_eight(gram.data(), k, p.data(), lines.data(), squares);
  }
}

}  // namespace fewdim
