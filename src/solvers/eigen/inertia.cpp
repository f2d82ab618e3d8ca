#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/index.hpp"
#include "base/parallel.hpp"
#include "fewdim/error.hpp"
#include "solvers/sparse/fronts.hpp"
#include "solvers/sparse/sparse_cholesky.hpp"

extern "C" {
void dsytrf_(const char* uplo, const int* n, double* a, const int* lda, int* pivots, double* work, const int* lwork,
             int* info, std::size_t);
void dsytrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, const int* pivots,
             double* b, const int* ldb, int* info, std::size_t);
}

namespace fewdim {

namespace {

/// Negative eigenvalues of D in dsytrf's LDLᵀ: a 2×2 block (two equal negative pivots) that Bunch & Kaufman take is
/// indefinite, one negative and one positive.
Index negative_pivots(const double* a, Index n, Index stride, const std::vector<int>& pivots) {
  Index count = 0;
  for (Index k = 0; k < n; ++k) {
    if (pivots[at(k)] < 0) {
      ++count, ++k;
      continue;
    }
    if (a[k * stride + k] < 0.0) ++count;
  }
  return count;
}

double largest_lower(const double* a, Index n) {
  double largest = 0.0;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) largest = std::max(largest, std::abs(a[j * n + i]));
  return largest;
}

/// F₂₂ − F₂₁ F₁₁⁻¹ F₂₁ᵀ in place of the update, and the negative eigenvalues of F₁₁ (Haynsworth 1968: the inertia of a
/// matrix is that of F₁₁ and that of the complement together).
Index eliminate(const Front& f) {
  blas::prepare();
  const Index height = f.width + f.below;
  const int n = static_cast<int>(f.width), stride = static_cast<int>(height), right = static_cast<int>(f.below),
            lwork = n * 64;
  int info = 0;
  std::vector<int> pivots(at(f.width));
  std::vector<double> work(at(lwork));
  dsytrf_("L", &n, f.panel, &stride, pivots.data(), work.data(), &lwork, &info, 1);
  const Index negative = negative_pivots(f.panel, f.width, height, pivots);
  for (Index k = 0; k < f.width; ++k)  // an eigenvalue to the last bit: a tiny pivot stands for 0
    if (pivots[at(k)] > 0 && f.panel[k * height + k] == 0.0) f.panel[k * height + k] = 1e-300;
  if (f.below == 0) return negative;
  Matrix<double> solved(f.width, f.below);
  for (Index j = 0; j < f.width; ++j)
    for (Index i = 0; i < f.below; ++i) solved(j, i) = f.panel[j * height + f.width + i];
  dsytrs_("L", &n, &right, f.panel, &stride, pivots.data(), solved.data(), &n, &info, 1);
  blas::gemm(false, false, f.below, f.below, f.width, -1.0, f.panel + f.width, height, solved.data(), f.width, 1.0,
             f.update, f.below);
  return negative;
}

}  // namespace

Inertia count_below(const SparseSymmetric& a, const Elimination& e, double bound, const Execution& exec) {
  blas::prepare();
  const TreeSchedule schedule(e);
  const Children children = children_of(e);
  FrontRoom room(e.size());
  std::vector<std::vector<double>> updates(at(e.supernodes()));
  std::vector<std::int32_t> relative(e.rows.size());
  std::vector<Index> negative(at(e.supernodes()), 0);
  std::vector<double> largest(at(e.supernodes()), 0.0);
  const auto visit = [&](Index s) {
    Front front{.width = e.width(s), .below = e.below(s)};
    std::vector<double> panel = room.take(at(front.width * (front.width + front.below)));
    updates[at(s)] = room.take(at(front.below * front.below));
    front.panel = panel.data(), front.update = updates[at(s)].data();
    assemble(a, e, s, -bound, children, updates, front, relative, room);
    for (std::int32_t c = children.offsets[at(s)]; c < children.offsets[at(s) + 1]; ++c)
      room.give_back(std::move(updates[at(children.list[at(c)])]));
    negative[at(s)] = eliminate(front);
    largest[at(s)] = largest_lower(front.update, front.below);
    room.give_back(std::move(panel));
  };
  report_progress(exec, "inertia", 0, 0, "supernodes");
  schedule.upward(visit, visit, exec);
  Inertia out;
  for (const Index count : negative) out.negative += count;
  const double scale = std::max(a.norm_bound() + std::abs(bound), 1e-300);
  for (const double value : largest) out.growth = std::max(out.growth, value / scale);
  return out;
}

}  // namespace fewdim
