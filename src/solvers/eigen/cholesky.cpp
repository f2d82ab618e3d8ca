#include "solvers/eigen/cholesky.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/blas.hpp"
#include "base/parallel.hpp"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb, std::size_t, std::size_t,
            std::size_t, std::size_t);
}

namespace fewdim {

namespace {

constexpr Index kTile = 256;
constexpr Index kColumns = 16;  // right-hand sides of a task

/// b ← L⁻¹ b, L^−ᵀ b, b L⁻¹ or b L^−ᵀ, of a lower triangle L.
void solve_triangle(const char* side, const char* trans, Index m, Index n, const double* triangle, Index stride,
                    double* b, Index b_stride) {
  blas::prepare();
  const int rows = static_cast<int>(m), cols = static_cast<int>(n), lda = static_cast<int>(stride),
            ldb = static_cast<int>(b_stride);
  const double one = 1.0;
  dtrsm_(side, "L", trans, "N", &rows, &cols, &one, triangle, &lda, b, &ldb, 1, 1, 1, 1);
}

/// The step of one block of columns: its triangle, the tiles below it, and what they take off the rest.
bool factor_block(Matrix<double>& a, Index first, const Execution& exec) {
  const Index n = a.rows(), width = std::min(kTile, n - first), next = first + width;
  const int order = static_cast<int>(width), stride = static_cast<int>(n);
  int info = 0;
  dpotrf_("L", &order, &a(first, first), &stride, &info, 1);
  if (info != 0) return false;
  const Index tiles = (n - next + kTile - 1) / kTile;
  const auto row_of = [&](Index tile) { return next + tile * kTile; };
  const auto size_of = [&](Index tile) { return std::min(kTile, n - row_of(tile)); };
  parallel_for(exec, tiles, [&](Index i) {
    solve_triangle("R", "T", size_of(i), width, &a(first, first), n, &a(row_of(i), first), n);
  });
  std::vector<std::pair<Index, Index>> lower;
  for (Index i = 0; i < tiles; ++i)
    for (Index j = 0; j <= i; ++j) lower.emplace_back(i, j);
  parallel_for(exec, std::ssize(lower), [&](Index task) {
    const auto [i, j] = lower[static_cast<std::size_t>(task)];
    blas::gemm(false, true, size_of(i), size_of(j), width, -1.0, &a(row_of(i), first), n, &a(row_of(j), first), n, 1.0,
               &a(row_of(i), row_of(j)), n);
  });
  return true;
}

}  // namespace

bool solve_positive(Matrix<double>& a, Matrix<double>& x, std::string_view stage, const Execution& exec) {
  blas::prepare();
  const Index n = a.rows();
  for (Index first = 0; first < n; first += kTile) {
    if (!factor_block(a, first, exec)) return false;
    report_progress(exec, stage, std::min(n, first + kTile), n, "rows");
  }
  parallel_for(exec, (x.cols() + kColumns - 1) / kColumns, [&](Index task) {
    const Index first = task * kColumns, count = std::min(kColumns, x.cols() - first);
    solve_triangle("L", "N", n, count, a.data(), n, &x(0, first), n);
    solve_triangle("L", "T", n, count, a.data(), n, &x(0, first), n);
  });
  return true;
}

}  // namespace fewdim
