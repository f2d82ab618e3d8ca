#include "solvers/sparse/sparse_cholesky.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/blas.hpp"
#include "base/index.hpp"
#include "base/parallel.hpp"
#include "data/table/block.hpp"
#include "solvers/sparse/fronts.hpp"
#include "solvers/sparse/panel_kernels.hpp"

namespace fewdim {

namespace {}  // namespace

/// Room for one block of right sides, kept from solve to solve.
struct SparseCholesky::Spare {
  std::mutex mutex{};
  std::shared_ptr<double[]> x{}, updates{};
};

SparseCholesky::SparseCholesky(const SparseSymmetric& a, const Elimination& e, double shift, const Execution& exec)
    : elimination_(e), schedule_(e), spare_(std::make_shared<Spare>()) {
  blas::prepare();
  panel_offsets_.assign(1, 0);
  for (Index s = 0; s < e.supernodes(); ++s)
    panel_offsets_.push_back(panel_offsets_.back() + e.width(s) * (e.width(s) + e.below(s)));
  panels_ = make_large_array<double>(at(panel_offsets_.back()));
  relative_.resize(e.rows.size());
  Children children = children_of(e);
  FrontRoom room(e.size());
  std::vector<std::vector<double>> updates(at(e.supernodes()));
  std::atomic<bool> positive = true;
  const auto visit = [&](Index s, bool large) {
    if (!positive.load(std::memory_order_relaxed)) return;
    Front front{.width = e.width(s), .below = e.below(s), .panel = panels_.get() + panel_offsets_[at(s)]};
    updates[at(s)] = room.take(at(front.below * front.below));
    front.update = updates[at(s)].data();
    front.adds = children.offsets[at(s)] < children.offsets[at(s) + 1];
    assemble(a, e, s, shift, children, updates, front, relative_, room);
    for (std::int32_t c = children.offsets[at(s)]; c < children.offsets[at(s) + 1]; ++c)
      room.give_back(std::move(updates[at(children.list[at(c)])]));
    if (!(large ? factor_large_front(front, exec) : factor_front(front))) positive = false;
  };
  report_progress(exec, "factor", 0, 0, "supernodes");
  schedule_.upward([&](Index s) { visit(s, false); }, [&](Index s) { visit(s, true); }, exec);
  positive_ = positive;
  child_offsets_ = std::move(children.offsets);
  children_ = std::move(children.list);
  if (positive_) find_targets(exec);
}

/// What a supernode takes off rows outside of its subtree goes to the root's rows, which have them all.
void SparseCholesky::find_targets(const Execution& exec) {
  const Elimination& e = elimination_;
  const auto& subtrees = schedule_.subtrees();
  parallel_for(exec, std::ssize(subtrees), [&](Index task) {
    const auto [first, root] = subtrees[at(task)];
    const auto end = static_cast<std::int32_t>(e.first[at(root)] + e.width(root));
    const std::int32_t *rows = e.rows.data() + e.row_offsets[at(root)], *rows_end = rows + e.below(root);
    for (Index s = first; s < root; ++s) {
      const std::int32_t* at_root = rows;  // both are rising
      for (Index k = e.row_offsets[at(s)]; k < e.row_offsets[at(s) + 1]; ++k) {
        std::int32_t& to = relative_[at(k)];
        to = e.rows[at(k)];
        if (to < end) continue;
        at_root = std::lower_bound(at_root, rows_end, to);
        to = static_cast<std::int32_t>(e.size() + (at_root - rows));
      }
    }
  });
}

void SparseCholesky::forward(Index line, Index s, double* x, double* updates) const {
  const Elimination& e = elimination_;
  const Index w = e.width(s), r = e.below(s), first = e.first[at(s)];
  double* own = x + first * line;
  double* update = updates + e.row_offsets[at(s)] * line;
  std::fill_n(update, r * line, 0.0);
  for (std::int32_t c = child_offsets_[at(s)]; c < child_offsets_[at(s) + 1]; ++c) {
    const auto from = e.row_offsets[at(children_[at(c)])], to = e.row_offsets[at(children_[at(c)]) + 1];
    add_lines(line, relative_.data() + from, to - from, updates + from * line, w, own, update);
  }
  solve_panel(line, panels_.get() + panel_offsets_[at(s)], w, r, own, update);
}

void SparseCholesky::backward(Index line, Index s, double* x) const {
  const Elimination& e = elimination_;
  solve_panel_transposed(line, panels_.get() + panel_offsets_[at(s)], e.width(s), e.below(s), x + e.first[at(s)] * line,
                         x, e.rows.data() + e.row_offsets[at(s)]);
}

void SparseCholesky::forward_subtree(Index line, Index first, Index root, double* x, double* updates) const {
  const Elimination& e = elimination_;
  double* outside = updates + e.row_offsets[at(root)] * line;
  std::fill_n(outside, e.below(root) * line, 0.0);
  Index most = 0;
  for (Index s = first; s < root; ++s) most = std::max(most, e.below(s));
  std::vector<double> update(at(most * line));
  for (Index s = first; s < root; ++s) {
    const Index r = e.below(s);
    std::fill_n(update.data(), r * line, 0.0);
    solve_panel(line, panels_.get() + panel_offsets_[at(s)], e.width(s), r, x + e.first[at(s)] * line, update.data());
    add_lines(line, relative_.data() + e.row_offsets[at(s)], r, update.data(), e.size(), x, outside);
  }
  solve_panel(line, panels_.get() + panel_offsets_[at(root)], e.width(root), e.below(root),
              x + e.first[at(root)] * line, outside);
}

template <class Place>
void SparseCholesky::solve_rows(Block<double> b, const Place& place, const Execution& exec) const {
  const Elimination& e = elimination_;
  const Index n = e.size();
  std::shared_ptr<double[]> x, updates;
  {
    const std::lock_guard lock(spare_->mutex);
    x = std::move(spare_->x), updates = std::move(spare_->updates);
  }
  if (!x) x = make_large_array<double>(at(n * kLine)), updates = make_large_array<double>(at(kLine) * e.rows.size());
  constexpr Index kRows = 1024;
  const auto for_rows = [&](const auto& use) {
    parallel_for(exec, (n + kRows - 1) / kRows, [&](Index task) {
      for (Index k = task * kRows; k < std::min(n, (task + 1) * kRows); ++k) use(k, place(k));
    });
  };
  for (Index start = 0; start < b.cols(); start += kLine) {
    const Index count = std::min(kLine, b.cols() - start), line = count <= kShortLine ? kShortLine : kLine;
    for_rows([&](Index k, Index row) {
      for (Index c = 0; c < line; ++c) x[at(k * line + c)] = c < count ? b(row, start + c) : 0.0;
    });
    const auto subtree = [&](Index first, Index root) { forward_subtree(line, first, root, x.get(), updates.get()); };
    const auto up = [&](Index s) { forward(line, s, x.get(), updates.get()); };
    schedule_.upward(subtree, up, up, exec);
    schedule_.downward([&](Index s) { backward(line, s, x.get()); }, exec);
    for_rows([&](Index k, Index row) {
      for (Index c = 0; c < count; ++c) b(row, start + c) = x[at(k * line + c)];
    });
  }
  const std::lock_guard lock(spare_->mutex);
  spare_->x = std::move(x), spare_->updates = std::move(updates);
}

void SparseCholesky::solve(Block<double> x, const Execution& exec) const {
  solve_rows(
      x, [&](Index k) -> Index { return elimination_.order[at(k)]; }, exec);
}

void SparseCholesky::solve_ordered(Block<double> x, const Execution& exec) const {
  solve_rows(
      x, [](Index k) { return k; }, exec);
}

Matrix<double> SparseCholesky::to_order(ConstBlock<double> x) const {
  Matrix<double> out(x.rows(), x.cols());
  for (Index k = 0; k < x.rows(); ++k) out.row(k) = x.row(elimination_.order[at(k)]);
  return out;
}

Matrix<double> SparseCholesky::from_order(ConstBlock<double> x) const {
  Matrix<double> out(x.rows(), x.cols());
  for (Index k = 0; k < x.rows(); ++k) out.row(elimination_.order[at(k)]) = x.row(k);
  return out;
}

}  // namespace fewdim
