#include "solvers/sparse/fronts.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "base/blas.hpp"
#include "base/index.hpp"
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

bool factor_triangle(Index size, double* a, Index stride) {
  blas::prepare();
  const int n = static_cast<int>(size), lda = static_cast<int>(stride);
  int info = 0;
  dpotrf_("L", &n, a, &lda, &info, 1);
  return info == 0;
}

/// B ← B L^−ᵀ.
void solve_right(Index rows, Index width, const double* l, double* b, Index stride) {
  blas::prepare();
  const int m = static_cast<int>(rows), n = static_cast<int>(width), ld = static_cast<int>(stride);
  const double one = 1.0;
  dtrsm_("R", "L", "T", "N", &m, &n, &one, l, &ld, b, &ld, 1, 1, 1, 1);
}

}  // namespace

std::vector<double> FrontRoom::take(std::size_t count) {
  {
    const std::lock_guard lock(mutex_);
    auto best = rooms_.end();
    for (auto r = rooms_.begin(); r != rooms_.end(); ++r)
      if (r->size() >= count && (best == rooms_.end() || r->size() < best->size())) best = r;
    if (best != rooms_.end() && best->size() < 4 * count + 4096) {
      std::vector<double> room = std::move(*best);
      *best = std::move(rooms_.back());
      rooms_.pop_back();
      return room;
    }
  }
  return std::vector<double>(count + count / 8);
}

void FrontRoom::give_back(std::vector<double>&& room) {
  if (room.empty()) return;
  const std::lock_guard lock(mutex_);
  rooms_.push_back(std::move(room));
}

std::vector<std::int32_t> FrontRoom::take_map() {
  const std::lock_guard lock(mutex_);
  if (maps_.empty()) return std::vector<std::int32_t>(at(size_));
  std::vector<std::int32_t> map = std::move(maps_.back());
  maps_.pop_back();
  return map;
}

void FrontRoom::give_back(std::vector<std::int32_t>&& map) {
  const std::lock_guard lock(mutex_);
  maps_.push_back(std::move(map));
}

Children children_of(const Elimination& e) {
  Children c;
  c.offsets.assign(at(e.supernodes()) + 1, 0);
  for (const std::int32_t p : e.parent)
    if (p >= 0) ++c.offsets[at(p) + 1];
  std::partial_sum(c.offsets.begin(), c.offsets.end(), c.offsets.begin());
  c.list.resize(at(c.offsets.back()));
  std::vector<std::int32_t> next(c.offsets.begin(), c.offsets.end() - 1);
  for (Index s = 0; s < e.supernodes(); ++s)
    if (const std::int32_t p = e.parent[at(s)]; p >= 0) c.list[at(next[at(p)]++)] = static_cast<std::int32_t>(s);
  return c;
}

void assemble(const SparseSymmetric& a, const Elimination& e, Index s, double shift, const Children& children,
              const std::vector<std::vector<double>>& updates, const Front& front, std::vector<std::int32_t>& relative,
              FrontRoom& room) {
  const Index w = front.width, r = front.below, height = w + r, first = e.first[at(s)];
  std::fill_n(front.panel, height * w, 0.0);
  if (front.adds)
    for (Index k = 0; k < r; ++k) std::fill_n(front.update + k * r + k, r - k, 0.0);
  std::vector<std::int32_t> place = room.take_map();
  for (Index k = 0; k < w; ++k) place[at(first + k)] = static_cast<std::int32_t>(k);
  const std::int32_t* rows = e.rows.data() + e.row_offsets[at(s)];
  for (Index k = 0; k < r; ++k) place[at(rows[k])] = static_cast<std::int32_t>(w + k);
  for (Index k = 0; k < w; ++k) {
    const Index step = first + k, row = e.order[at(step)];
    double* column = front.panel + k * height;
    column[k] = shift;
    for (auto entry = a.offsets[at(row)]; entry < a.offsets[at(row) + 1]; ++entry) {
      const std::int32_t other = e.position[at(a.columns[at(entry)])];
      if (other >= step) column[place[at(other)]] += a.values[at(entry)];
    }
  }
  for (std::int32_t c = children.offsets[at(s)]; c < children.offsets[at(s) + 1]; ++c) {
    const Index child = children.list[at(c)], size = e.below(child);
    const std::int32_t* child_rows = e.rows.data() + e.row_offsets[at(child)];
    std::int32_t* to = relative.data() + e.row_offsets[at(child)];
    for (Index k = 0; k < size; ++k) to[k] = place[at(child_rows[k])];
    const double* from = updates[at(child)].data();
    for (Index j = 0; j < size; ++j) {
      double* column = to[j] < w ? front.panel + to[j] * height : front.update + (to[j] - w) * r - w;
      for (Index i = j; i < size; ++i) column[to[i]] += from[j * size + i];
    }
  }
  room.give_back(std::move(place));
}

bool factor_front(const Front& f) {
  const Index height = f.width + f.below;
  if (!factor_triangle(f.width, f.panel, height)) return false;
  if (f.below == 0) return true;
  solve_right(f.below, f.width, f.panel, f.panel + f.width, height);
  blas::syrk(false, f.below, f.width, -1.0, f.panel + f.width, height, f.adds ? 1.0 : 0.0, f.update, f.below);
  return true;
}

bool factor_large_front(const Front& f, const Execution& exec) {
  const Index height = f.width + f.below;
  const auto tiles_from = [&](Index start, Index end) { return (end - start + kTile - 1) / kTile; };
  for (Index first = 0; first < f.width; first += kTile) {
    const Index width = std::min(kTile, f.width - first), next = first + width;
    double* column = f.panel + first * height;
    if (!factor_triangle(width, column + first, height)) return false;
    const Index tiles = tiles_from(next, height), panel_tiles = tiles_from(next, f.width);
    parallel_for(exec, tiles, [&](Index t) {
      const Index row = next + t * kTile;
      solve_right(std::min(kTile, height - row), width, column + first, column + row, height);
    });
    std::vector<std::pair<Index, Index>> lower;
    for (Index j = 0; j < panel_tiles; ++j)
      for (Index i = j; i < tiles; ++i) lower.emplace_back(i, j);
    parallel_for(exec, std::ssize(lower), [&](Index task) {
      const Index row = next + lower[at(task)].first * kTile, col = next + lower[at(task)].second * kTile;
      const Index m = std::min(kTile, height - row), n = std::min(kTile, f.width - col);
      blas::gemm(false, true, m, n, width, -1.0, column + row, height, column + col, height, 1.0,
                 f.panel + col * height + row, height);
    });
    report_progress(exec, "factor", next, f.width, "columns of a front");
  }
  std::vector<std::pair<Index, Index>> lower;
  const Index tiles = tiles_from(0, f.below);
  for (Index j = 0; j < tiles; ++j)
    for (Index i = j; i < tiles; ++i) lower.emplace_back(i, j);
  parallel_for(exec, std::ssize(lower), [&](Index task) {
    const Index row = lower[at(task)].first * kTile, col = lower[at(task)].second * kTile;
    const Index m = std::min(kTile, f.below - row), n = std::min(kTile, f.below - col);
    const double* rows = f.panel + f.width;
    if (row == col)
      blas::syrk(false, m, f.width, -1.0, rows + row, height, f.adds ? 1.0 : 0.0, f.update + col * f.below + row,
                 f.below);
    else
      blas::gemm(false, true, m, n, f.width, -1.0, rows + row, height, rows + col, height, f.adds ? 1.0 : 0.0,
                 f.update + col * f.below + row, f.below);
  });
  return true;
}

}  // namespace fewdim
