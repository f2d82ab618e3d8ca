#include "solvers/krylov.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/blocks.hpp"
#include "solvers/direct.hpp"

namespace fewdim {

namespace {

/// The basis Q, the projection T = QᵀAQ of its multiplied part, and the block W waiting to be multiplied.
struct State {
  Matrix<double> basis;
  Matrix<double> projected;
  Index size = 0;           ///< multiplied columns of the basis
  Index pending = 0;        ///< columns behind them, orthonormal, not multiplied yet
  Matrix<double> coupling;  ///< B: A·(last block) = Q(…) + W B
  Index last_block = 0;     ///< width of the last multiplied block
  Matrix<double> first;     ///< A times the first block
  Index steps = 0;          ///< since the start, or the last restart
  Index turns = 2;          ///< two steps in so many go over the whole basis
  bool skipped = false;     ///< one has
};

struct Ritz {
  Vector<double> values;
  Matrix<double> coordinates;
  Vector<double> residuals;  ///< ‖B s_last‖, relative to the largest value
};

/// W −= Q H with H returned, so that QᵀW = 0 to rounding. But for rounding, a product with the last block has the last
/// two in common with the basis, `recent` columns, and no others (after a restart: all). With these gone, one pass over
/// the whole basis is enough where it finds little, a second one is needed where not (Parlett 1998, 6.9).
Matrix<double> take_off(ConstBlock<double> q, Index recent, Block<double> w, const Execution& exec) {
  const auto lately = q.rightCols(recent);
  const Matrix<double> most = project(lately, w, exec);
  subtract(lately, most, w, exec);
  Matrix<double> h = project(q, w, exec);
  subtract(q, h, w, exec);
  if ((h.colwise().norm().transpose().array() > 0.1 * column_norms(w).array()).any()) {
    const Matrix<double> again = project(q, w, exec);
    subtract(q, again, w, exec);
    h += again;
  }
  h.bottomRows(recent) += most;
  return h;
}

constexpr Index kEarly = 64;

/// The same with the recent columns and the first ones alone. What w has in common with the others is rounding at
/// first, and grows step by step; as long as it stays below √ε, T is the projection to rounding (Simon 1984). It grows
/// fastest along eigenvectors that stand out, and those lie in the span of the first columns.
Matrix<double> take_off_recent(ConstBlock<double> q, Index recent, Block<double> w, const Execution& exec) {
  const auto lately = q.rightCols(recent), early = q.leftCols(kEarly);
  Matrix<double> h = Matrix<double>::Zero(q.cols(), w.cols());
  const auto take = [&](ConstBlock<double> columns, Block<double> rows) {
    const Matrix<double> part = project(columns, w, exec);
    subtract(columns, part, w, exec);
    rows += part;
  };
  take(lately, h.bottomRows(recent));
  take(early, h.topRows(kEarly));  // rounding alone: once is enough
  take(lately, h.bottomRows(recent));
  return h;
}

constexpr Index kTurns = 6;

/// Two steps in `turns` go over the whole basis: both blocks of the recurrence must be clean. What the first of them
/// finds is what those before have lost; where that is too much, more steps go over all of it from then on.
Matrix<double> take_off_in_turn(State& s, ConstBlock<double> q, Index recent, Block<double> w, const Execution& exec) {
  constexpr double kLost = 1e-9;
  const Index turn = s.steps++ % s.turns;
  if (turn >= 2 && q.cols() > 2 * (kEarly + recent)) {
    s.skipped = true;
    return take_off_recent(q, recent, w, exec);
  }
  Matrix<double> h = take_off(q, recent, w, exec);
  if (s.skipped && turn == 0 && s.turns > 2) {
    const Vector<double> norms = column_norms(w), lost = h.topRows(q.cols() - recent).colwise().norm();
    if ((lost.array() > kLost * norms.array()).any()) {
      s.turns -= 2;
      s.steps = 1;  // this one was the first of its turn
    }
  }
  return h;
}

/// One step: multiply the pending block, extend T, and leave the orthonormalized remainder pending.
void extend(State& s, const SymmetricOperator& a, const KrylovOptions& options, std::uint32_t stream,
            const Execution& exec) {
  const Index width = s.pending, all = s.size + width;
  Matrix<double> w(a.size(), width);
  a.apply(s.basis.middleCols(s.size, width), w);
  if (s.size == 0) s.first = w;
  const auto q = s.basis.leftCols(all);
  const Matrix<double> h = take_off_in_turn(s, q, std::min(all, s.last_block + width), w, exec);
  s.projected.block(0, s.size, all, width) = h;
  s.projected.block(s.size, 0, width, s.size) = h.topRows(s.size).transpose();
  auto corner = s.projected.block(s.size, s.size, width, width);
  corner = (0.5 * (corner + corner.transpose())).eval();
  s.size = all;
  s.last_block = width;
  const double scale = std::max(s.projected.topLeftCorner(all, all).cwiseAbs().maxCoeff(), 1e-300);
  s.coupling = orthonormalize(q, w, 1e-14 * scale, options.seed, stream, exec);
  s.pending = w.cols();
  if (s.pending > 0) s.basis.middleCols(s.size, s.pending) = w;
}

Ritz rayleigh_ritz(const State& s, Index count) {
  Matrix<double> t = s.projected.topLeftCorner(s.size, s.size);
  SymmetricEigen eigen = eigen_symmetric(t, std::min(count, s.size));
  Ritz ritz{std::move(eigen.values), std::move(eigen.vectors), {}};
  const Matrix<double> last = ritz.coordinates.bottomRows(s.last_block);
  const double largest = std::max(ritz.values.size() > 0 ? ritz.values[0] : 0.0, 1e-300);
  ritz.residuals = Vector<double>::Zero(ritz.values.size());
  if (s.pending > 0) {
    const Matrix<double> r = s.coupling * last;
    for (Index c = 0; c < r.cols(); ++c) ritz.residuals[c] = r.col(c).norm() / largest;
  }
  return ritz;
}

/// The largest residual of the first `count` pairs, those that may be loose taken less seriously.
double worst_of(const Ritz& ritz, Index count, const KrylovOptions& options) {
  double worst = 0.0;
  for (Index c = 0; c < std::min(count, ritz.residuals.size()); ++c) {
    const bool loose = options.loose_from >= 0 && c >= options.loose_from;
    worst = std::max(worst, ritz.residuals[c] * (loose ? options.tolerance / options.loose_tolerance : 1.0));
  }
  return worst;
}

/// Keeps the leading Ritz vectors and the pending block; forgets the rest.
void restart(State& s, const Ritz& ritz, const Execution& exec) {
  const Index keep = ritz.values.size();
  Matrix<double> kept(s.basis.rows(), keep);
  combine(s.basis.leftCols(s.size), ritz.coordinates, kept, exec);
  const Matrix<double> pending = s.basis.middleCols(s.size, s.pending);
  s.basis.leftCols(keep) = kept;
  s.basis.middleCols(keep, s.pending) = pending;
  s.projected.setZero();
  s.projected.diagonal().head(keep) = ritz.values;
  s.size = keep;
  s.steps = 0;
}

}  // namespace

Index krylov_basis(Index size, Index count, Index block) {
  return std::min(size, std::max<Index>(6 * count + 10 * block, 240) / block * block + block);
}

KrylovResult krylov_largest(const SymmetricOperator& a, const Wanted& wanted, Index first_guess,
                            const KrylovOptions& options, const Execution& exec) {
  const Index n = a.size();
  const Index block = std::min(options.block, n);
  Index capacity = options.max_basis > 0 ? std::min(options.max_basis, n) : krylov_basis(n, first_guess, block);
  State s;
  s.turns = options.tolerance >= 1e-9 ? kTurns : 2;
  s.basis.resize(n, std::min(n, capacity + block));
  s.projected = Matrix<double>::Zero(s.basis.cols(), s.basis.cols());
  Matrix<double> start(n, block);
  fill_normal<double>(options.seed, 0, start);
  const Matrix<double> start_factor = orthonormalize(s.basis.leftCols(0), start, 0.0, options.seed, 1'000'000, exec);
  s.pending = start.cols();
  s.basis.leftCols(s.pending) = start;

  KrylovResult result;
  Index count = std::min(first_guess, n);
  Index next_check = std::min(n, std::max(2 * count, 4 * block));
  double previous_worst = 0.0;
  Index previous_size = 0;
  const Index budget = options.max_products > 0 ? options.max_products : 100 * count + 10'000;
  while (true) {
    const auto stream = static_cast<std::uint32_t>(2'000'000 + result.iterations * 1000);
    result.products += s.pending;
    extend(s, a, options, stream, exec);
    ++result.iterations;
    report_progress(exec, options.stage, result.products, 0, "products");
    // The next step leaves a block of its own behind the pending one: is there room?
    const Index next_pending = std::min(block, n - s.size - s.pending);
    const bool full = s.size + s.pending + next_pending > s.basis.cols() || s.pending == 0;
    if (s.size < next_check && !full && result.products < budget) continue;

    const Index guard = std::min(s.size, count + 1);
    Ritz ritz = rayleigh_ritz(
        s, std::max(guard, full ? std::min(s.size, count + std::max<Index>(1, (capacity - count) / 2)) : guard));
    Index needed = wanted(ritz.values);
    if (needed < 0 && ritz.values.size() < s.size) {  // the estimates we asked for are too few: look at all
      ritz = rayleigh_ritz(s, s.size);
      needed = wanted(ritz.values);
    }
    if (needed > count || needed < 0) count = std::min(n, needed > 0 ? needed : 2 * count);
    const bool enough = needed > 0 && needed <= s.size;
    const double worst = enough ? worst_of(ritz, needed, options) : 1.0;
    const bool exhausted = s.pending == 0;  // the whole space is spanned
    if ((enough && needed <= ritz.values.size() && worst <= options.tolerance) || exhausted ||
        result.products >= budget) {
      const Index take = std::min(needed > 0 ? needed : count, ritz.values.size());
      if (ritz.values.size() < std::min(s.size, take + 1)) ritz = rayleigh_ritz(s, take + 1);
      result.values = ritz.values.head(std::min(ritz.values.size(), take + 1));
      result.vectors.resize(n, take);
      combine(s.basis.leftCols(s.size), ritz.coordinates.leftCols(take), result.vectors, exec);
      if (s.skipped) polish_orthonormal(result.vectors, exec);
      Matrix<double> t = s.projected.topLeftCorner(s.size, s.size);
      const Vector<double> all = eigenvalues_symmetric(t);
      result.lowest = all[all.size() - 1];
      result.start_products.resize(n, s.first.cols());
      combine(s.first, start_factor, result.start_products, exec);
      result.converged = exhausted || (enough && worst <= options.tolerance);
      return result;
    }
    if (full) {
      if (count + 4 * block > capacity && capacity < n) {  // too small for what is wanted: grow instead
        capacity = krylov_basis(n, std::max(count, capacity / 4), block);
        Matrix<double> larger(n, std::min(n, capacity + block));
        larger.leftCols(s.size + s.pending) = s.basis.leftCols(s.size + s.pending);
        Matrix<double> t = Matrix<double>::Zero(larger.cols(), larger.cols());
        t.topLeftCorner(s.size, s.size) = s.projected.topLeftCorner(s.size, s.size);
        s.basis = std::move(larger);
        s.projected = std::move(t);
      } else {
        restart(s, ritz, exec);
      }
      next_check = s.size + 4 * block;
      previous_size = 0;
    } else {
      // The logarithm of the worst residual falls about linearly: look again where it should be met.
      double ahead = std::max<double>(static_cast<double>(2 * block), 0.15 * static_cast<double>(s.size));
      if (previous_size > 0 && worst < previous_worst && previous_worst > 0.0) {
        const double slope = std::log(previous_worst / worst) / static_cast<double>(s.size - previous_size);
        ahead = std::clamp(0.5 * std::log(worst / options.tolerance) / slope, static_cast<double>(block), 2.0 * ahead);
      }
      previous_worst = worst;
      previous_size = s.size;
      next_check = s.size + static_cast<Index>(ahead);
    }
  }
}

}  // namespace fewdim
