#include "solvers/sparse/panel_kernels.hpp"

#include "base/clones.hpp"

namespace fewdim {

namespace {

/// Rounded lane by lane, so every width of vector gives the same bits.
template <Index L>
struct LineOf {
  using type __attribute__((vector_size(L * sizeof(double)), aligned(8))) = double;
};
template <Index L>
using Line = typename LineOf<L>::type;

template <Index L>
Line<L>* lines_of(double* numbers) {
  return reinterpret_cast<Line<L>*>(numbers);
}
template <Index L>
const Line<L>* lines_of(const double* numbers) {
  return reinterpret_cast<const Line<L>*>(numbers);
}

/// lines[i] −= Σ_c column_c[i] x[c], C columns at once.
template <int C, Index L>
__attribute__((always_inline)) inline void subtract_columns(const double* columns, Index stride, const Line<L>* x,
                                                            Index count, Line<L>* lines) {
  for (Index i = 0; i < count; ++i) {
    Line<L> sum = lines[i];
    for (int c = 0; c < C; ++c) sum -= columns[c * stride + i] * x[c];
    lines[i] = sum;
  }
}

/// x[c] −= Σ_i column_c[i] line(i), C columns at once.
template <int C, Index L, class LineAt>
__attribute__((always_inline)) inline void subtract_products(const double* columns, Index stride, const LineAt& line,
                                                             Index count, Line<L>* x) {
  Line<L> sums[C];
  for (int c = 0; c < C; ++c) sums[c] = x[c];
  for (Index i = 0; i < count; ++i)
    for (int c = 0; c < C; ++c) sums[c] -= columns[c * stride + i] * *line(i);
  for (int c = 0; c < C; ++c) x[c] = sums[c];
}

template <Index L>
__attribute__((always_inline)) inline void add(const std::int32_t* places, Index count, const double* from, Index width,
                                               double* own, double* update) {
  const auto* lines = lines_of<L>(from);
  auto* first = lines_of<L>(own);
  auto* rest = lines_of<L>(update);
  for (Index k = 0; k < count; ++k) (places[k] < width ? first[places[k]] : rest[places[k] - width]) += lines[k];
}

template <Index L>
__attribute__((always_inline)) inline void solve(const double* panel, Index width, Index below, double* own,
                                                 double* update) {
  const Index height = width + below;
  auto* x = lines_of<L>(own);
  auto* rest = lines_of<L>(update);
  Index j = 0;
  for (; j + 4 <= width; j += 4) {
    for (Index c = j; c < j + 4; ++c) {
      x[c] /= panel[c * height + c];
      for (Index i = c + 1; i < j + 4; ++i) x[i] -= panel[c * height + i] * x[c];
    }
    const double* columns = panel + j * height;
    subtract_columns<4, L>(columns + j + 4, height, x + j, width - j - 4, x + j + 4);
    subtract_columns<4, L>(columns + width, height, x + j, below, rest);
  }
  for (; j < width; ++j) {
    x[j] /= panel[j * height + j];
    subtract_columns<1, L>(panel + j * height + j + 1, height, x + j, width - j - 1, x + j + 1);
    subtract_columns<1, L>(panel + j * height + width, height, x + j, below, rest);
  }
}

template <Index L>
__attribute__((always_inline)) inline void solve_transposed(const double* panel, Index width, Index below, double* own,
                                                            const double* numbers, const std::int32_t* places) {
  const Index height = width + below;
  auto* x = lines_of<L>(own);
  const auto* all = lines_of<L>(numbers);
  const auto rest = [&](Index i) { return all + places[i]; };
  Index j = width;
  for (; j % 4 != 0; --j) {
    const double* column = panel + (j - 1) * height;
    const auto later = [&](Index i) { return x + j + i; };
    subtract_products<1, L>(column + width, height, rest, below, x + j - 1);
    subtract_products<1, L>(column + j, height, later, width - j, x + j - 1);
    x[j - 1] /= column[j - 1];
  }
  for (; j > 0; j -= 4) {
    const double* columns = panel + (j - 4) * height;
    const auto later = [&](Index i) { return x + j + i; };
    subtract_products<4, L>(columns + width, height, rest, below, x + j - 4);
    subtract_products<4, L>(columns + j, height, later, width - j, x + j - 4);
    for (Index c = j - 1; c >= j - 4; --c) {
      for (Index i = c + 1; i < j; ++i) x[c] -= panel[c * height + i] * x[i];
      x[c] /= panel[c * height + c];
    }
  }
}

}  // namespace

void add_lines(Index line, const std::int32_t* places, Index count, const double* from, Index width, double* own,
               double* update) {
  line == kShortLine ? add<kShortLine>(places, count, from, width, own, update)
                     : add<kLine>(places, count, from, width, own, update);
}

FEWDIM_CLONES void solve_panel(Index line, const double* panel, Index width, Index below, double* own, double* update) {
  line == kShortLine ? solve<kShortLine>(panel, width, below, own, update)
                     : solve<kLine>(panel, width, below, own, update);
}

FEWDIM_CLONES void solve_panel_transposed(Index line, const double* panel, Index width, Index below, double* own,
                                          const double* x, const std::int32_t* places) {
  line == kShortLine ? solve_transposed<kShortLine>(panel, width, below, own, x, places)
                     : solve_transposed<kLine>(panel, width, below, own, x, places);
}

}  // namespace fewdim
