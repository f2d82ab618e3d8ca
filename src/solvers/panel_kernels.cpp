#include "solvers/panel_kernels.hpp"

#include "base/clones.hpp"

namespace fewdim {

namespace {

/// Rounded lane by lane, so every width of vector gives the same bits.
using Line __attribute__((vector_size(64), aligned(8))) = double;

/// lines[i] −= Σ_c column_c[i] x[c], C columns at once.
template <int C>
__attribute__((always_inline)) inline void subtract_columns(const double* columns, Index stride, const Line* x,
                                                            Index count, Line* lines) {
  for (Index i = 0; i < count; ++i) {
    Line sum = lines[i];
    for (int c = 0; c < C; ++c) sum -= columns[c * stride + i] * x[c];
    lines[i] = sum;
  }
}

/// x[c] −= Σ_i column_c[i] lines[i], C columns at once.
template <int C>
__attribute__((always_inline)) inline void subtract_products(const double* columns, Index stride, const Line* lines,
                                                             Index count, Line* x) {
  Line sums[C];
  for (int c = 0; c < C; ++c) sums[c] = x[c];
  for (Index i = 0; i < count; ++i)
    for (int c = 0; c < C; ++c) sums[c] -= columns[c * stride + i] * lines[i];
  for (int c = 0; c < C; ++c) x[c] = sums[c];
}

}  // namespace

void add_lines(const std::int32_t* places, Index count, const double* from, Index width, double* own, double* update) {
  const auto* lines = reinterpret_cast<const Line*>(from);
  auto* first = reinterpret_cast<Line*>(own);
  auto* rest = reinterpret_cast<Line*>(update);
  for (Index k = 0; k < count; ++k) (places[k] < width ? first[places[k]] : rest[places[k] - width]) += lines[k];
}

FEWDIM_CLONES void solve_panel(const double* panel, Index width, Index below, double* own, double* update) {
  const Index height = width + below;
  auto* x = reinterpret_cast<Line*>(own);
  auto* rest = reinterpret_cast<Line*>(update);
  Index j = 0;
  for (; j + 4 <= width; j += 4) {
    for (Index c = j; c < j + 4; ++c) {
      x[c] /= panel[c * height + c];
      for (Index i = c + 1; i < j + 4; ++i) x[i] -= panel[c * height + i] * x[c];
    }
    const double* columns = panel + j * height;
    subtract_columns<4>(columns + j + 4, height, x + j, width - j - 4, x + j + 4);
    subtract_columns<4>(columns + width, height, x + j, below, rest);
  }
  for (; j < width; ++j) {
    x[j] /= panel[j * height + j];
    subtract_columns<1>(panel + j * height + j + 1, height, x + j, width - j - 1, x + j + 1);
    subtract_columns<1>(panel + j * height + width, height, x + j, below, rest);
  }
}

FEWDIM_CLONES void solve_panel_transposed(const double* panel, Index width, Index below, double* own,
                                          const double* rows) {
  const Index height = width + below;
  auto* x = reinterpret_cast<Line*>(own);
  const auto* rest = reinterpret_cast<const Line*>(rows);
  Index j = width;
  for (; j % 4 != 0; --j) {
    const double* column = panel + (j - 1) * height;
    subtract_products<1>(column + width, height, rest, below, x + j - 1);
    subtract_products<1>(column + j, height, x + j, width - j, x + j - 1);
    x[j - 1] /= column[j - 1];
  }
  for (; j > 0; j -= 4) {
    const double* columns = panel + (j - 4) * height;
    subtract_products<4>(columns + width, height, rest, below, x + j - 4);
    subtract_products<4>(columns + j, height, x + j, width - j, x + j - 4);
    for (Index c = j - 1; c >= j - 4; --c) {
      for (Index i = c + 1; i < j; ++i) x[c] -= panel[c * height + i] * x[i];
      x[c] /= panel[c * height + c];
    }
  }
}

}  // namespace fewdim
