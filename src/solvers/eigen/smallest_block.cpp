#include "solvers/eigen/smallest_block.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/sparse/sparse_cholesky.hpp"

namespace fewdim {

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kFloor = 8.0 * kEps;   // residuals beside ‖A‖ that rounding alone leaves
constexpr double kSmall = 64.0 * kEps;  // the same with room, where an angle is known besides
constexpr double kGuard = 1e-3;         // angle of the next vector: its value is good to the square
constexpr double kSame = 1e-6;          // eigenvalues this near to each other, relative, are taken for one
constexpr Index kKept = 4;              // a restart keeps this part of the basis, its lowest vectors
constexpr Index kSmallRows = 4096;
constexpr Index kMostSteps = 60;         // of inverse iteration
constexpr Index kMostProducts = 80'000;  // vectors, of filters

/// Z, the null space, and behind it the basis Q, orthonormal together; A Q, and H = Qᵀ A Q.
struct Basis {
  Index zeros = 0, size = 0;
  Matrix<double> q, aq, h;

  auto vectors() const { return q.middleCols(zeros, size); }
};

/// Ritz pairs of A in the basis and their residuals R = A V − V Λ.
struct Ritz {
  Vector<double> values;  ///< ascending: those of the block, and the next where there is one
  Matrix<double> vectors, residuals;
  double beyond = 0.0;  ///< the lowest eigenvalue that is not of the block, as far as is known
};

/// Scales the columns to length 1; false where one has none left.
bool normalize(Matrix<double>& w) {
  const Vector<double> norms = column_norms(w);
  for (Index c = 0; c < w.cols(); ++c)
    if (norms[c] > 0.0) w.col(c) /= norms[c];
  return norms.size() == 0 || norms.minCoeff() > 0.0;
}

/// Makes the columns of w orthonormal to the basis and among themselves.
void orthonormalize_to(const Basis& b, Matrix<double>& w, Seed seed, std::uint32_t stream, const Execution& exec) {
  const auto all = b.q.leftCols(b.zeros + b.size);
  bool full = w.cols() + b.zeros + b.size <= w.rows() && normalize(w);
  for (int pass = 0; pass < 3 && full; ++pass) {  // Gram–Schmidt by blocks, then by Cholesky's factor of WᵀW
    subtract(all, project(all, w, exec), w, exec);
    if (pass == 0) full = normalize(w);  // what is new may be small
    const Eigen::LLT<Matrix<double>, Eigen::Upper> cholesky(project(w, w, exec));
    const Matrix<double> r = cholesky.matrixU();
    full = full && cholesky.info() == Eigen::Success && r.diagonal().minCoeff() > 1e-6;
    if (!full) break;
    Matrix<double> turned(w.rows(), w.cols());
    combine(w, r.triangularView<Eigen::Upper>().solve(Matrix<double>::Identity(w.cols(), w.cols())), turned, exec);
    w.swap(turned);
    if (pass > 0 && r.diagonal().minCoeff() > 0.9) break;  // they were orthonormal before, but for rounding
  }
  if (full) return;
  orthonormalize(all, w, 1e-12, seed, stream, exec);
  subtract(all, project(all, w, exec), w, exec);
  orthonormalize(all, w, 1e-12, seed, stream + 500, exec);
}

void append(Basis& b, const Matrix<double>& w, const SparseSymmetric& a, const Execution& exec) {
  const Index width = w.cols();
  b.q.middleCols(b.zeros + b.size, width) = w;
  a.apply(w, b.aq.middleCols(b.size, width), exec);
  const Matrix<double> h = project(b.q.middleCols(b.zeros, b.size + width), b.aq.middleCols(b.size, width), exec);
  b.h.block(0, b.size, b.size + width, width) = h;
  b.h.block(b.size, 0, width, b.size) = h.topRows(b.size).transpose();
  auto corner = b.h.block(b.size, b.size, width, width);
  corner = (0.5 * (corner + corner.transpose())).eval();
  b.size += width;
}

/// Coordinates of the lowest `count` Ritz vectors, ascending.
SymmetricEigen lowest(const Basis& b, Index count) {
  Matrix<double> h = -b.h.topLeftCorner(b.size, b.size);
  SymmetricEigen eigen = eigen_symmetric(h, count);
  eigen.values = -eigen.values;
  return eigen;
}

Ritz ritz_in_block(const Basis& b, Index block, const Execution& exec) {
  const SymmetricEigen eigen = lowest(b, std::min(b.size, block + 1));
  const Index count = std::min(block, b.size);
  Ritz r{.values = eigen.values,
         .vectors = Matrix<double>(b.q.rows(), count),
         .residuals = Matrix<double>(b.q.rows(), count)};
  combine(b.vectors(), eigen.vectors.leftCols(count), r.vectors, exec);
  combine(b.aq.leftCols(b.size), eigen.vectors.leftCols(count), r.residuals, exec);
  for (Index c = 0; c < count; ++c) r.residuals.col(c) -= r.values[c] * r.vectors.col(c);
  r.beyond = r.values[r.values.size() - 1];
  return r;
}

void restart_block(Basis& b, Index keep, const Execution& exec) {
  const SymmetricEigen eigen = lowest(b, keep);
  Matrix<double> kept(b.q.rows(), keep);
  combine(b.vectors(), eigen.vectors, kept, exec);
  b.q.middleCols(b.zeros, keep) = kept;
  combine(b.aq.leftCols(b.size), eigen.vectors, kept, exec);
  b.aq.leftCols(keep) = kept;
  b.h.topLeftCorner(b.size, b.size).setZero();
  b.h.diagonal().head(keep) = eigen.values;
  b.size = keep;
}

Basis start(const SparseSymmetric& a, const BlockProblem& p) {
  const Index n = a.size(), c = p.null_space.cols(), columns = std::min(n - c, basis_columns(p.count));
  Basis b{.zeros = c,
          .q = Matrix<double>(n, c + columns),
          .aq = Matrix<double>(n, columns),
          .h = Matrix<double>::Zero(columns, columns)};
  if (c > 0) b.q.leftCols(c) = p.null_space;
  return b;
}

Matrix<double> random_block(Index n, Index columns, Seed seed, const Execution& exec) {
  Matrix<double> x(n, columns);
  parallel_for(exec, columns, [&](Index c) {
    const Random random(seed, static_cast<std::uint32_t>(c));
    for (Index i = 0; i < n; ++i) x(i, c) = random.uniform(static_cast<std::uint64_t>(i)) - 0.5;
  });
  return x;
}

/// w = x − Z Zᵀ x.
void deflate_into(const Matrix<double>& null_space, ConstBlock<double> x, Matrix<double>& w, const Execution& exec) {
  const Matrix<double> h = project(null_space, x, exec);
  constexpr Index kRows = 1024;
  parallel_for(exec, (w.rows() + kRows - 1) / kRows, [&](Index task) {
    const Index first = task * kRows, count = std::min(kRows, w.rows() - first);
    w.middleRows(first, count) = x.middleRows(first, count);
    if (h.rows() > 0) w.middleRows(first, count).noalias() -= null_space.middleRows(first, count) * h;
  });
}

/// x −= Z Zᵀ x.
void deflate(const Matrix<double>& null_space, Matrix<double>& x, const Execution& exec) {
  if (null_space.cols() > 0) subtract(null_space, project(null_space, x, exec), x, exec);
}

FoundPairs found_in(const Ritz& r, Index count) {
  return {.values = r.values.head(std::min(count + 1, r.values.size())),
          .vectors = r.vectors.leftCols(count),
          .angles = {}};
}

/// ∞ where there is no gap.
double over_gap(double value, double beyond, double below) {
  return beyond > below ? value / (beyond - below) : std::numeric_limits<double>::infinity();
}

/// From Ritz value i to the next that is another one; 0 where none is known.
double gap_of(const Vector<double>& values, Index i) {
  for (Index j = i + 1; j < values.size(); ++j)
    if (values[j] - values[i] > kSame * std::abs(values[j])) return values[j] - values[i];
  return 0.0;
}

/// Bounds of the angles to the true vectors, or to those with the same value: with r = (A − λ_i)v, a true vector x_j
/// has |x_jᵀv| = |x_jᵀ(A+σ)⁻¹r| (λ_j+σ)/|λ_j−λ_i|. `inside`: Vᵀ(A+σ)⁻¹r for the block; `outside`: what is left, with
/// its factor. ∞ where a vector of the same value is not among those returned.
Vector<double> angles_to_axes(const Ritz& ritz, const Matrix<double>& inside, const Vector<double>& outside,
                              const BlockProblem& p, double shift) {
  Vector<double> angles(p.count);
  for (Index i = 0; i < p.count; ++i) {
    double sum = outside[i] * outside[i];
    for (Index j = 0; j < inside.rows(); ++j) {
      const double gap = std::abs(ritz.values[j] - ritz.values[i]);
      const bool same = gap <= std::max(kSame * std::abs(ritz.values[j]), kSmall * p.norm);
      if (same && j < p.count) continue;
      const double part = std::abs(inside(j, i)) * (std::abs(ritz.values[j]) + shift) / gap;
      sum += same ? std::numeric_limits<double>::infinity() : part * part;
    }
    angles[i] = std::sqrt(sum);
  }
  return angles;
}

/// Vectors near the lowest ones, by block Lanczos with (A + σI)⁻¹, to rounding where the basis has room for it. Nothing
/// is proved here: that is left to the Ritz values of A. Rows are in the factor's order. `w` holds the start, times the
/// inverse, and then the vectors; the number of steps is returned.
Index inverse_lanczos(const SparseCholesky& factor, const BlockProblem& p, Basis& b, Matrix<double>& w,
                      const Execution& exec) {
  constexpr double kConverged = 32.0 * kEps;
  const Index block = w.cols(), room = b.aq.cols() / block;
  Matrix<double>& t = b.h;  // Qᵀ (A+σ)⁻¹ Q
  SymmetricEigen eigen;
  Index step = 0;
  orthonormalize_to(b, w, p.seed, 1'000'000, exec);
  b.q.middleCols(b.zeros, block) = w;
  for (bool more = true; more;) {
    b.size += block, ++step;
    report_progress(exec, "eigenvectors", step, 0, "steps");
    deflate_into(p.null_space, b.q.middleCols(b.zeros + b.size - block, block), w, exec);
    factor.solve_ordered(w, exec);
    // But for rounding, the last two blocks are all that the product has in common with the basis.
    const Index last = std::min(b.size, 2 * block);
    const auto lately = b.q.middleCols(b.zeros + b.size - last, last);
    const auto all = b.q.leftCols(b.zeros + b.size);
    const Matrix<double> most_of_it = project(lately, w, exec);
    Matrix<double> column = subtract_and_project(lately, most_of_it, w, all, exec);
    const Eigen::LLT<Matrix<double>, Eigen::Upper> cholesky(subtract_and_project(all, column, w, w, exec));
    column.bottomRows(last) += most_of_it;
    t.block(0, b.size - block, b.size, block) = column.bottomRows(b.size);
    t.block(b.size - block, 0, block, b.size) = column.bottomRows(b.size).transpose();
    const Matrix<double> r = cholesky.matrixU();
    const bool sound = cholesky.info() == Eigen::Success && r.diagonal().minCoeff() > 1e-7 * r.diagonal().maxCoeff();

    Matrix<double> small = t.topLeftCorner(b.size, b.size);
    eigen = eigen_symmetric(small, std::min(block, b.size));
    const Matrix<double> ends =
        r * eigen.vectors.bottomRows(block);  // ‖column‖: the residual of a Ritz pair of the inverse
    bool done = true;
    for (Index i = 0; i < std::min(p.count + 1, block); ++i)
      done = done && ends.col(i).norm() <= (i < p.count ? kConverged : kGuard) * eigen.values[i];
    more = !done && sound && step < room && b.zeros + b.size + block <= b.q.rows();
    if (!more) break;
    combine(w, r.triangularView<Eigen::Upper>().solve(Matrix<double>::Identity(block, block)),
            b.q.middleCols(b.zeros + b.size, block), exec);
  }
  combine(b.vectors(), eigen.vectors, w, exec);
  b.size = 0;
  t.setZero();
  return step;
}

}  // namespace

FoundPairs by_factor(const SparseSymmetric& a, const Elimination& elimination, const BlockProblem& p,
                     const Execution& exec) {
  // Rounding has made A indefinite by some ε‖A‖, and the factorization errs by as much; a shift of 64 ε‖A‖ is beyond
  // both and still small beside eigenvalues of 1e-12 ‖A‖. It changes the speed of convergence only: values are those of
  // A.
  double shift = 64.0 * kEps * p.norm;
  std::optional<SparseCholesky> factor;
  for (int attempt = 0; attempt < 6; ++attempt, shift *= 16.0) {
    factor.emplace(a, elimination, shift, exec);
    if (factor->positive()) break;
  }
  if (!factor->positive())
    throw DataError(
        fmt::format("{}: the matrix has an eigenvalue below {:.1e} times its norm; it must be positive "
                    "semidefinite",
                    p.who, -shift / 16.0 / p.norm));
  const Index n = a.size(), block = std::min(smallest_block(p.count), n - p.null_space.cols());
  Basis basis = start(a, p);
  Matrix<double> w = random_block(n, block, p.seed, exec);
  Index before = 0;
  {  // in the factor's order
    const Matrix<double> null_space = factor->to_order(p.null_space);
    const BlockProblem ordered{p.who, p.count, null_space, p.norm, p.tolerance, p.seed};
    if (basis.zeros > 0) basis.q.leftCols(basis.zeros) = null_space;
    deflate(null_space, w, exec);
    factor->solve_ordered(w, exec);
    before = inverse_lanczos(*factor, ordered, basis, w, exec);
    w = factor->from_order(w);
    if (basis.zeros > 0) basis.q.leftCols(basis.zeros) = p.null_space;
  }
  const auto invert = [&] {
    deflate(p.null_space, w, exec);
    factor->solve(w, exec);
  };
  FoundPairs out;
  Vector<double> previous;
  for (Index step = 1;; ++step) {
    orthonormalize_to(basis, w, p.seed, static_cast<std::uint32_t>(1'000'000 + step * 1000), exec);
    append(basis, w, a, exec);
    const Ritz ritz = ritz_in_block(basis, block, exec);
    report_progress(exec, "eigenvectors", step, 0, "steps");
    const Vector<double> residuals = column_norms(ritz.residuals);
    w = ritz.residuals;
    invert();
    // What (A+σ)⁻¹ r has outside of the block turns v by at most (beyond+σ)/(beyond−λ) times as much.
    Matrix<double> turn = w.leftCols(std::min(p.count + 1, w.cols()));
    const Matrix<double> inside = project(ritz.vectors, turn, exec);
    subtract(ritz.vectors, inside, turn, exec);
    Vector<double> angles = column_norms(turn);
    bool done = true, at_floor = true;
    for (Index i = 0; i < angles.size(); ++i) {
      angles[i] *= over_gap(ritz.beyond + shift, ritz.beyond, ritz.values[i]);
      const bool rounded = residuals[i] <= kSmall * p.norm,
                 stalls = previous.size() > i && angles[i] > 0.5 * previous[i];
      const double tolerance = i < p.count ? p.tolerance : kGuard;
      const bool met = angles[i] <= tolerance && (rounded || residuals[i] <= tolerance * gap_of(ritz.values, i));
      done = done && (met || (rounded && stalls));
      if (i < p.count) at_floor = at_floor && rounded;
    }
    const bool exhausted = basis.size >= n - basis.zeros;
    if (done || exhausted || step == kMostSteps) {
      out = found_in(ritz, p.count);
      out.angles = angles_to_axes(ritz, inside, angles, p, shift);
      out.iterations = before + step, out.products = (before + step + 1) * block, out.shift = shift;
      if (!done && !exhausted && !at_floor)
        throw NotConverged(
            fmt::format("{}: {} steps of inverse iteration leave an angle of {:.1e}, the tolerance is {:.1e}; {}",
                        p.who, step, angles.head(p.count).maxCoeff(), p.tolerance, raise_option("tolerance")));
      return out;
    }
    previous = angles;
    if (basis.size + block > basis.aq.cols()) {
      const Index room = std::min(basis.aq.cols() - block, basis.aq.cols() / kKept);
      if (room >= block)
        restart_block(basis, room, exec);
      else
        w.conservativeResize(n, basis.aq.cols() - basis.size);
    }
  }
}

FoundPairs by_filter(const SparseSymmetric& a, const BlockProblem& p, const Execution& exec) {
  const Index n = a.size(), block = std::min(filter_block(p.count), n - p.null_space.cols());
  Basis basis = start(a, p);
  Matrix<double> w = random_block(n, block, p.seed, exec), before, next(n, block);
  FoundPairs out;
  // Chebyshev's polynomial that is small on [cut, ‖A‖] and large below: T_m((center − A)/half), divided by its value at
  // 0.
  const auto filter = [&](double cut, Index degree) {
    const double center = 0.5 * (p.norm + cut), half = 0.5 * (p.norm - cut), first = half / center;
    double scale = first;
    deflate(p.null_space, w, exec);
    next.resize(n, w.cols()), before.resize(n, w.cols());
    for (Index k = 0; k < degree; ++k) {  // w: degree k, before: degree k − 1
      a.apply(w, next, exec);
      const double new_scale = k == 0 ? scale : 1.0 / (2.0 / first - scale);
      const double factor = (k == 0 ? 1.0 : 2.0) * new_scale / half, last = scale * new_scale;
      const Index tasks = n < kSmallRows ? 1 : w.cols();  // of small blocks threads cost more than they gain
      parallel_for(exec, tasks, [&](Index task) {
        for (Index c = task; c < w.cols(); c += tasks) {
          next.col(c) = factor * (center * w.col(c) - next.col(c));
          if (k > 0) next.col(c) -= last * before.col(c);
        }
      });
      before.swap(w);
      w.swap(next);
      scale = new_scale;
    }
    out.products += degree * w.cols();
    deflate(p.null_space, w, exec);
  };
  filter(0.1 * p.norm, 20);
  const auto result = [&](const Ritz& ritz, Index step) {
    const Index products = out.products;
    out = found_in(ritz, p.count);
    out.iterations = step, out.products = products;
    return out;
  };
  for (Index step = 1;; ++step) {
    orthonormalize_to(basis, w, p.seed, static_cast<std::uint32_t>(1'000'000 + step * 1000), exec);
    append(basis, w, a, exec);
    const Ritz ritz = ritz_in_block(basis, block, exec);
    report_progress(exec, "eigenvectors", out.products, 0, "products");
    const Vector<double> residuals = column_norms(ritz.residuals);
    bool done = basis.size > block;
    for (Index i = 0; i < std::min(p.count + 1, residuals.size()); ++i) {
      const double tolerance = i < p.count ? p.tolerance : kGuard;
      done = done && (residuals[i] <= tolerance * gap_of(ritz.values, i) || residuals[i] <= kFloor * p.norm);
    }
    if (done || basis.size >= n - basis.zeros) return result(ritz, step);
    if (out.products >= kMostProducts)
      throw NotConverged(
          fmt::format("{}: {} products leave a residual of {:.1e} of the norm, where the gap of the "
                      "eigenvalues is {:.1e}; ask for a factor (more memory), or use other neighbors",
                      p.who, out.products, residuals.head(p.count).maxCoeff() / p.norm,
                      (ritz.beyond - ritz.values[p.count - 1]) / p.norm));
    if (basis.size + block > basis.aq.cols())
      restart_block(basis, std::min(basis.aq.cols() / kKept, basis.aq.cols() - block), exec);
    const double cut = std::clamp(ritz.beyond, 1e-6 * p.norm, 0.5 * p.norm);
    w = ritz.vectors;
    filter(cut, std::clamp<Index>(static_cast<Index>(3.0 * std::sqrt(p.norm / cut)), 10, 1000));
  }
}

}  // namespace fewdim
