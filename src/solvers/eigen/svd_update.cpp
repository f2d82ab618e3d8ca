#include "solvers/eigen/svd_update.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/conventions.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "operators/csr_kernels.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"

namespace fewdim {

namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr double kNothingLeft = 32.0 * kRounding;  // what is left of a direction, beside the largest number: rounding
constexpr double kStage = 1e-8;   // of a Gram matrix' eigenvalues, what one stage takes: below, digits are lost
constexpr double kTurned = 1e-6;  // a cosine below is taken off to rounding at the first go
constexpr Index kFewest = 32;     // rows of a chunk, at least
constexpr Index kStages = 8;

struct alignas(64) Eight {
  double at[kCsrWidth];
};

/// Rows first .. first+count alone; entries are where they were.
template <class T>
CsrView<T> part_of(const CsrView<T>& b, Index first, Index count) {
  return {count, b.cols, b.offsets + first, b.columns, b.values};
}

/// B X by eight columns of X at a time, a task each.
template <class T>
Matrix<double> product(const CsrView<T>& b, const Matrix<double>& x, const Execution& exec) {
  Matrix<double> out(b.rows, x.cols());
  const double zeros[kCsrWidth] = {};
  parallel_for(exec, (x.cols() + kCsrWidth - 1) / kCsrWidth, [&](Index task) {
    const Index first = task * kCsrWidth, count = std::min(kCsrWidth, x.cols() - first);
    std::vector<Eight> packed(static_cast<std::size_t>(x.rows())), rows(static_cast<std::size_t>(b.rows));
    for (Index c = 0; c < count; ++c)
      for (Index j = 0; j < x.rows(); ++j) packed[static_cast<std::size_t>(j)].at[c] = x(j, first + c);
    if (b.rows == 0 || x.rows() == 0) return;
    csr_apply(b, 0, b.rows, packed[0].at, zeros, nullptr, rows[0].at);
    for (Index c = 0; c < count; ++c)
      for (Index i = 0; i < b.rows; ++i) out(i, first + c) = rows[static_cast<std::size_t>(i)].at[c];
  });
  return out;
}

template <class T>
double row_square(const CsrView<T>& b, Index row) {
  double sum = 0.0;
  for (auto e = b.offsets[row]; e < b.offsets[row + 1]; ++e) {
    const auto value = static_cast<double>(b.values[e]);
    sum += value * value;
  }
  return sum;
}

/// Orthonormal combinations of W's columns, W X Λ^−½ with WᵀW = X Λ Xᵀ: those with λ above `least` and above kStage of
/// the largest, and `most` at most.
Matrix<double> directions(const Matrix<double>& w, double least, Index most, const Execution& exec) {
  Matrix<double> gram = project(w, w, exec);
  const SymmetricEigen eigen = eigen_symmetric(gram, w.cols());
  Index count = 0;
  while (count < std::min(most, w.cols()) && eigen.values[count] > least &&
         eigen.values[count] > kStage * eigen.values[0])
    ++count;
  Matrix<double> out(w.rows(), count);
  if (count > 0)
    combine(w, eigen.vectors.leftCols(count) * eigen.values.head(count).cwiseSqrt().cwiseInverse().asDiagonal(), out,
            exec);
  return out;
}

/// W −= Q QᵀW. Returns the largest cosine there was.
double take_off(const Matrix<double>& q, Matrix<double>& w, const Execution& exec) {
  if (q.cols() == 0 || w.cols() == 0) return 0.0;
  const Matrix<double> h = project(q, w, exec);
  subtract(q, h, w, exec);
  return h.cwiseAbs().maxCoeff();
}

/// W = Q R up to `negligible`, Q orthonormal and orthogonal to V. By Gram matrices in stages: each takes the directions
/// that stand out, and the next looks at what is left, so that no digit of small ones is lost.
struct Split {
  Matrix<double> q, r;
};

Split split(const Matrix<double>& v, Matrix<double> w, double negligible, const Execution& exec) {
  Split out{Matrix<double>(w.rows(), 0), Matrix<double>(0, w.cols())};
  for (Index stage = 0; stage < kStages && w.cols() > 0; ++stage) {
    const Index found = out.q.cols(), room = w.rows() - v.cols() - found;
    Matrix<double> fresh = directions(w, negligible * negligible, room, exec);
    for (int pass = 0; pass < 2 && fresh.cols() > 0; ++pass) {  // what of it is new, and not rounding of the others
      const double turned = std::max(take_off(v, fresh, exec), take_off(out.q, fresh, exec));
      fresh = directions(fresh, 0.1, room, exec);
      if (turned < kTurned) break;
    }
    if (fresh.cols() == 0) break;
    const Matrix<double> h = project(fresh, w, exec);
    const bool all = fresh.cols() == w.cols();  // of as many columns as directions nothing is left
    if (!all) subtract(fresh, h, w, exec);
    const Index taken = fresh.cols();
    out.r.conservativeResize(found + taken, Eigen::NoChange);
    out.r.bottomRows(taken) = h;
    if (found == 0) {
      out.q.swap(fresh);
    } else {
      out.q.conservativeResize(Eigen::NoChange, found + taken);
      out.q.rightCols(taken) = fresh;
    }
    if (all || column_norms(w).maxCoeff() <= negligible) break;
  }
  return out;
}

/// One chunk: values and v become the new ones. Returns the left vectors of [[Σ, 0], [P, Rᵀ]].
template <class T>
Matrix<double> append_chunk(Vector<double>& values, Matrix<double>& v, const CsrView<T>& b, Index rank,
                            double& discarded, const Execution& exec) {
  const Index k = values.size(), m = b.rows;
  const Matrix<double> inside = product(b, v, exec);
  Matrix<double> outside = Matrix<double>::Zero(b.cols, m);
  double scale = k > 0 ? values[0] : 0.0;
  for (Index i = 0; i < m; ++i) {
    for (auto e = b.offsets[i]; e < b.offsets[i + 1]; ++e) outside(b.columns[e], i) += static_cast<double>(b.values[e]);
    scale = std::max(scale, std::sqrt(row_square(b, i)));
  }
  subtract(v, inside.transpose().eval(), outside, exec);
  const Split rest = split(v, std::move(outside), kNothingLeft * scale, exec);
  const Index q = rest.q.cols(), r = std::min(rank, k + q);
  Matrix<double> middle = Matrix<double>::Zero(k + m, k + q);
  middle.topLeftCorner(k, k).diagonal() = values;
  middle.bottomLeftCorner(m, k) = inside;
  middle.bottomRightCorner(m, q) = rest.r.transpose();
  if (middle.cols() == 0) return Matrix<double>(k + m, 0);
  const ThinSvd svd = svd_dense(middle, true);
  for (Index i = svd.values.size() - 1; i >= r; --i) discarded += svd.values[i] * svd.values[i];
  values = svd.values.head(r);
  Matrix<double> turned(b.cols, r);
  if (k > 0)
    combine(v, svd.v.topLeftCorner(k, r), turned, exec);
  else
    turned.setZero();
  subtract(rest.q, -svd.v.bottomLeftCorner(q, r), turned, exec);
  v.swap(turned);
  return svd.u.leftCols(r);
}

void require_factors(const Vector<double>& values, const Matrix<double>& v, Index columns) {
  if (values.size() == v.cols() && v.rows() == columns) return;
  throw Error(ErrorKind::internal, fmt::format("svd update: {} values, {}x{} vectors and {} columns don't fit",
                                               values.size(), v.rows(), v.cols(), columns));
}

void require_room(Index numbers, const Execution& exec) {
  require_memory(exec, static_cast<std::uint64_t>(numbers) * sizeof(double), "svd update",
                 "use fewer components, or " + raise_option("memory_limit"));
}

}  // namespace

template <class T>
SvdUpdate append_rows(const Vector<double>& values, const Matrix<double>& v, const CsrView<T>& b, Index rank,
                      const Execution& exec) {
  require_factors(values, v, b.cols);
  if (rank < 1) throw InvalidOption("svd update", "rank", std::to_string(rank), "must be 1 or more", "raise it");
  const Index before = values.size(), chunk = std::max({kFewest, before, std::min(rank, b.rows / 2)});
  const Index width = std::max(rank, before);
  require_room(b.cols * (2 * width + 4 * std::min(chunk, b.rows)) + b.rows * 2 * width, exec);
  SvdUpdate out{.values = values, .v = v};
  std::vector<Matrix<double>> turns;  // of the rows before each chunk, and below those of the chunk
  for (Index first = 0; first < b.rows; first += chunk) {
    report_progress(exec, "update", first, b.rows, "rows");
    const Index count = std::min(chunk, b.rows - first);
    turns.push_back(append_chunk(out.values, out.v, part_of(b, first, count), rank, out.discarded, exec));
  }
  // Rows of chunk j have been turned by all chunks after it: from the last to the first, one product a chunk.
  const Index r = out.values.size();
  Matrix<double> later = Matrix<double>::Identity(r, r);
  out.rows.resize(b.rows, r);
  for (auto j = std::ssize(turns) - 1; j >= 0; --j) {
    const Matrix<double>& turn = turns[static_cast<std::size_t>(j)];
    const Index first = j * chunk, count = std::min(chunk, b.rows - first), old = turn.rows() - count;
    Matrix<double> turned = Matrix<double>::Zero(turn.rows(), r);
    if (turn.cols() > 0) combine(turn, later, turned, exec);
    out.rows.middleRows(first, count) = turned.bottomRows(count);
    later = turned.topRows(old);
  }
  out.rotation = std::move(later);
  for (Index c = 0; c < r; ++c)
    if (sign_of(out.v.col(c)) < 0) {
      out.v.col(c) *= -1.0;
      out.rotation.col(c) *= -1.0;
      out.rows.col(c) *= -1.0;
    }
  return out;
}

template SvdUpdate append_rows(const Vector<double>&, const Matrix<double>&, const CsrView<float>&, Index,
                               const Execution&);
template SvdUpdate append_rows(const Vector<double>&, const Matrix<double>&, const CsrView<double>&, Index,
                               const Execution&);

template <class T>
FoldInDrift fold_in_drift(const Matrix<double>& v, const CsrView<T>& b, const Execution& exec) {
  require_factors(Vector<double>::Zero(v.cols()), v, b.cols);
  const Matrix<double> inside = product(b, v, exec);
  FoldInDrift out;
  double all = 0.0, outside = 0.0, sum = 0.0;
  Index counted = 0;
  for (Index i = 0; i < b.rows; ++i) {
    const double square = row_square(b, i);
    if (!(square > 0.0)) continue;
    double kept = 0.0;
    for (Index c = 0; c < inside.cols(); ++c) kept += inside(i, c) * inside(i, c);
    const double share = std::clamp(1.0 - kept / square, 0.0, 1.0);
    all += square;
    outside += share * square;
    sum += share;
    ++counted;
    if (out.row < 0 || share > out.largest) out.largest = share, out.row = i;
  }
  if (counted == 0) return out;
  out.share = outside / all;
  out.mean = sum / static_cast<double>(counted);
  return out;
}

template FoldInDrift fold_in_drift(const Matrix<double>&, const CsrView<float>&, const Execution&);
template FoldInDrift fold_in_drift(const Matrix<double>&, const CsrView<double>&, const Execution&);

SvdRemoval remove_rows(const Matrix<double>& u, const Vector<double>& values, const Matrix<double>& v,
                       const std::vector<Index>& removed, const Execution& exec) {
  require_factors(values, v, v.rows());
  require_factors(values, u, u.rows());
  std::vector<bool> gone(static_cast<std::size_t>(u.rows()), false);
  for (const Index row : removed) {
    if (row < 0 || row >= u.rows())
      throw DataError(fmt::format("svd update: there is no row {} to take out; there are {}", row + 1, u.rows()));
    gone[static_cast<std::size_t>(row)] = true;
  }
  const auto left = static_cast<Index>(std::ranges::count(gone, false)), k = values.size();
  if (left == 0) throw DataError("svd update: no row would remain; leave one at least");
  require_room(left * 5 * k + v.rows() * k, exec);
  Matrix<double> rest(left, k);
  double scale = 0.0;
  for (Index c = 0; c < k; ++c)
    for (Index i = 0, at = 0; i < u.rows(); ++i)
      if (!gone[static_cast<std::size_t>(i)]) rest(at++, c) = u(i, c) * values[c];
  for (Index c = 0; c < k; ++c) scale = std::max(scale, values[c]);
  const Split parts = split(Matrix<double>(left, 0), std::move(rest), kNothingLeft * scale, exec);
  SvdRemoval out;
  if (parts.q.cols() == 0) {
    out.v.resize(v.rows(), 0);
    out.u.resize(left, 0);
    return out;
  }
  Matrix<double> middle = parts.r;
  const ThinSvd svd = svd_dense(middle, true);
  Index r = 0;
  while (r < svd.values.size() && svd.values[r] > kNothingLeft * scale) ++r;
  out.values = svd.values.head(r);
  out.v.resize(v.rows(), r);
  out.u.resize(left, r);
  combine(v, svd.v.leftCols(r), out.v, exec);
  combine(parts.q, svd.u.leftCols(r), out.u, exec);
  for (Index c = 0; c < r; ++c)
    if (sign_of(out.v.col(c)) < 0) {
      out.v.col(c) *= -1.0;
      out.u.col(c) *= -1.0;
    }
  return out;
}

}  // namespace fewdim
