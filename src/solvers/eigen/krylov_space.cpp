#include "solvers/eigen/krylov_space.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

namespace {

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

/// Two steps in `turns` go over the whole basis: both blocks of the recurrence must be clean. What the first of them
/// finds is what those before have lost. Where that is too much, the columns since are not orthogonal and T is no
/// projection: nothing is returned, and the caller takes them back.
std::optional<Matrix<double>> take_off_in_turn(KrylovSpace& s, ConstBlock<double> q, Index recent, Block<double> w,
                                               const Execution& exec) {
  constexpr double kLost = 1e-9;
  const Index turn = s.steps++ % s.turns;
  if (turn >= 2 && q.cols() > 2 * (kEarly + recent)) {
    if (s.sound.size == 0) s.sound = {q.cols() - s.pending, s.pending, s.last_block, s.coupling};
    s.skipped = true;
    return take_off_recent(q, recent, w, exec);
  }
  const Index old = s.sound.size;
  Matrix<double> h = take_off(q, recent, w, exec);
  if (old > 0 && turn == 0 && q.cols() - recent > 0) {
    const Vector<double> norms = column_norms(w), lost = h.topRows(q.cols() - recent).colwise().norm();
    if (!(lost.array() <= kLost * norms.array()).all()) return std::nullopt;
  }
  if (turn == 1) s.sound = {};
  return h;
}

/// Back to where every column was orthogonal to the others, and from there on every step goes over all of them.
void take_back(KrylovSpace& s) {
  s.size = s.sound.size;
  s.pending = s.sound.pending;
  s.last_block = s.sound.last_block;
  s.coupling = s.sound.coupling;
  s.sound = {};
  s.turns = 2;
  s.steps = 0;
  s.skipped = false;
}

}  // namespace

bool extend(KrylovSpace& s, const SymmetricOperator& a, const KrylovOptions& options, std::uint32_t stream,
            const Execution& exec) {
  const Index width = s.pending, all = s.size + width;
  Matrix<double> w(a.size(), width);
  a.apply(s.basis.middleCols(s.size, width), w);
  if (s.size == 0) s.first = w;
  const auto q = s.basis.leftCols(all);
  const auto taken = take_off_in_turn(s, q, std::min(all, s.last_block + width), w, exec);
  if (!taken) {
    take_back(s);
    return false;
  }
  const Matrix<double>& h = *taken;
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
  return true;
}

Ritz rayleigh_ritz(const KrylovSpace& s, Index count) {
  Matrix<double> t = s.projected.topLeftCorner(s.size, s.size);
  SymmetricEigen eigen = eigen_symmetric(t, std::min(count, s.size));
  Ritz ritz{std::move(eigen.values), std::move(eigen.vectors), {}};
  const Matrix<double> last = ritz.coordinates.bottomRows(s.last_block);
  ritz.residuals = Vector<double>::Zero(ritz.values.size());
  if (s.pending > 0) {
    const Matrix<double> r = s.coupling * last;
    for (Index c = 0; c < r.cols(); ++c) ritz.residuals[c] = r.col(c).norm();
  }
  return ritz;
}

void restart(KrylovSpace& s, const Ritz& ritz, const Execution& exec) {
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
  s.sound = {};
}

void make_room(KrylovSpace& s, Index columns) {
  columns = std::min(columns, s.basis.rows());
  if (columns <= s.basis.cols()) return;
  Matrix<double> larger(s.basis.rows(), columns);
  larger.leftCols(s.size + s.pending) = s.basis.leftCols(s.size + s.pending);
  Matrix<double> t = Matrix<double>::Zero(columns, columns);
  t.topLeftCorner(s.size, s.size) = s.projected.topLeftCorner(s.size, s.size);
  s.basis = std::move(larger);
  s.projected = std::move(t);
}

void take_in(KrylovSpace& s, Matrix<double> found, const KrylovOptions& options, std::uint32_t stream,
             const Execution& exec) {
  const Index room = std::min(s.basis.cols(), s.basis.rows()) - s.size - s.pending;
  if (found.cols() > room) found.conservativeResize(Eigen::NoChange, std::max<Index>(room, 0));
  if (found.cols() == 0) return;
  const auto q = s.basis.leftCols(s.size + s.pending);  // it is orthogonal to what was multiplied, not to the rest
  for (int pass = 0; pass < 2; ++pass) subtract(q, project(q, found, exec), found, exec);
  orthonormalize(q, found, 1e-3, options.seed, stream, exec);
  s.basis.middleCols(s.size + s.pending, found.cols()) = found;
  s.coupling.conservativeResize(s.pending + found.cols(), Eigen::NoChange);
  s.coupling.bottomRows(found.cols()).setZero();
  s.pending += found.cols();
}

}  // namespace fewdim
