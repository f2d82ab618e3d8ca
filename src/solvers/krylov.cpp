#include "solvers/krylov.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/blocks.hpp"
#include "solvers/direct.hpp"
#include "solvers/outside.hpp"

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
  bool skipped = false;     ///< a step has not
  /// The last state whose blocks have all gone over the whole basis: the columns behind it can be forgotten.
  struct Sound {
    Index size = 0, pending = 0, last_block = 0;
    Matrix<double> coupling{};
  } sound;
};

struct Ritz {
  Vector<double> values;
  Matrix<double> coordinates;
  Vector<double> residuals;  ///< ‖B s_last‖
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
/// finds is what those before have lost. Where that is too much, the columns since are not orthogonal and T is no
/// projection: nothing is returned, and the caller takes them back.
std::optional<Matrix<double>> take_off_in_turn(State& s, ConstBlock<double> q, Index recent, Block<double> w,
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
void take_back(State& s) {
  s.size = s.sound.size;
  s.pending = s.sound.pending;
  s.last_block = s.sound.last_block;
  s.coupling = s.sound.coupling;
  s.sound = {};
  s.turns = 2;
  s.steps = 0;
  s.skipped = false;
}

/// One step: multiply the pending block, extend T, and leave the orthonormalized remainder pending. False where it took
/// steps back instead.
bool extend(State& s, const SymmetricOperator& a, const KrylovOptions& options, std::uint32_t stream,
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

Ritz rayleigh_ritz(const State& s, Index count) {
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

double largest_of(const Ritz& ritz) { return std::max(ritz.values.size() > 0 ? ritz.values[0] : 0.0, 1e-300); }

double noise_of(const Ritz& ritz, const KrylovOptions& options) {
  const double largest = largest_of(ritz);
  return std::max(options.noise * std::sqrt(largest * std::max(largest, options.trace)), options.least_noise);
}

/// What no residual need be below: rounding.
double floor_of(const Ritz& ritz, const KrylovOptions& options) {
  return std::max(options.floor * largest_of(ritz), 0.1 * noise_of(ritz, options));
}

/// What a residual may be: its part of its own eigenvalue, down to rounding of the largest.
double allowed(const Ritz& ritz, Index c, const KrylovOptions& options) {
  const bool loose = options.loose_from >= 0 && c >= options.loose_from;
  const double part = loose ? options.loose_tolerance : options.tolerance;
  return std::max(part * std::max(ritz.values[c], 0.0), floor_of(ritz, options));
}

/// The largest residual of the first `count` pairs, relative to what it may be.
double worst_of(const Ritz& ritz, Index count, const KrylovOptions& options) {
  double worst = 0.0;
  for (Index c = 0; c < std::min(count, ritz.residuals.size()); ++c)
    worst = std::max(worst, ritz.residuals[c] / allowed(ritz, c, options));
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
  s.sound = {};
}

/// What is known of the eigenvalues outside of the basis: none is above `upper` = μ.
struct Beyond {
  double upper = std::numeric_limits<double>::infinity();
  double found = -std::numeric_limits<double>::infinity();
  Matrix<double> directions{};  ///< of the largest found
};

/// A few steps of a random probe: until what it may have missed is well below the last pairs, or no better is to be
/// had.
Beyond probe_beyond(const State& s, const SymmetricOperator& a, double last, double limit, double floor,
                    const KrylovOptions& options, std::uint32_t turn, KrylovResult& result, const Execution& exec) {
  const Index most = std::max<Index>(16, result.iterations / 4);
  constexpr double kBelow = 0.9;  // of the last eigenvalue: the basis itself tells of what lies between
  OutsideProbe probe(a, s.basis.leftCols(s.size), options.semidefinite, options.seed + 7919 * (turn + 1), exec);
  while (probe.steps() < most && !probe.exhausted()) {
    probe.step();
    if (probe.found() > limit || probe.upper() <= std::max(kBelow * last, floor)) break;
  }
  result.products += probe.products();
  Beyond out{probe.upper(), probe.found(), {}};
  if (out.found > limit) out.directions = probe.directions(OutsideProbe::kStarts);
  return out;
}

/// The number of eigenvalues that can be above x > μ. In the basis and outside of it A is [T F; Fᵀ C] with C ≤ μ and F
/// the coupling of the last block alone, so that A ≤ [T F; Fᵀ μ]; where that minus x has its inertia (Sylvester) is
/// told by T − x + FFᵀ/(x − μ).
Index most_above(const State& s, double x, double mu) {
  Matrix<double> t = s.projected.topLeftCorner(s.size, s.size);
  if (s.pending > 0) t.bottomRightCorner(s.last_block, s.last_block) += s.coupling.transpose() * s.coupling / (x - mu);
  return eigenvalues_above(t, x);
}

/// The least of some values x that no eigenvalue but the first `count` is above.
double upper_after(const State& s, const Ritz& ritz, Index count, const Beyond& beyond, double limit,
                   const KrylovOptions& options) {
  const double noise = noise_of(ritz, options) + (s.skipped ? 1e-8 * largest_of(ritz) : 0.0);
  const double next = ritz.values.size() > count ? ritz.values[count] : 0.0;
  const double last = count > 0 ? ritz.values[count - 1] : limit, gap = std::max(last - next, 0.0);
  const double size = std::max(std::abs(last), noise);
  for (const double x :
       {next + 0.02 * gap + 1e-12 * size, next + 0.2 * gap, next + 0.5 * gap, limit, last + 1e-8 * size,
        last + 1e-5 * size, last + 1e-3 * size, last + 0.01 * size, last + 0.1 * size, last + size, last + 10 * size}) {
    if (!(x > beyond.upper + 1e-6 * std::abs(beyond.upper)) || !(x > next)) continue;
    if (most_above(s, x, beyond.upper) <= count) return x + noise;
  }
  return std::numeric_limits<double>::infinity();
}

/// How residuals fall, restart by restart.
class Fall {
 public:
  /// False where neither more pairs have converged nor the worst residual has fallen in the last restarts.
  bool goes_on(double worst, Index converged) {
    constexpr int kPatience = 8;
    if (converged > converged_ || worst < 0.7 * worst_) {
      converged_ = std::max(converged, converged_);
      worst_ = std::min(worst, worst_);
      without_ = 0;
      return true;
    }
    return ++without_ < kPatience;
  }

 private:
  double worst_ = std::numeric_limits<double>::infinity();
  Index converged_ = -1;
  int without_ = 0;
};

Index converged_of(const Ritz& ritz, const KrylovOptions& options) {
  Index count = 0;
  while (count < ritz.values.size() && ritz.residuals[count] <= allowed(ritz, count, options)) ++count;
  return count;
}

/// What the probe has found joins the block that is multiplied next.
void take_in(State& s, Matrix<double> found, const KrylovOptions& options, std::uint32_t stream,
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
  s.turns = options.tolerance >= 1e-9 && !options.every_step ? kTurns : 2;
  const auto columns = [&] { return std::min(n, capacity + block + OutsideProbe::kStarts); };
  s.basis.resize(n, columns());
  s.projected = Matrix<double>::Zero(s.basis.cols(), s.basis.cols());
  Matrix<double> start(n, block);
  fill_normal<double>(options.seed, 0, start);
  const Matrix<double> start_factor = orthonormalize(s.basis.leftCols(0), start, 0.0, options.seed, 1'000'000, exec);
  s.pending = start.cols();
  s.basis.leftCols(s.pending) = start;

  KrylovResult result;
  Fall fall;
  std::optional<Beyond> beyond;
  int probes = 0, unproved = 0;
  Index count = std::min(first_guess, n);
  Index next_check = std::min(n, std::max(2 * count, 4 * block));
  double previous_worst = 0.0;
  Index previous_size = 0;
  const Index budget = options.max_products > 0 ? options.max_products : 100 * count + 10'000;
  while (true) {
    const auto stream = static_cast<std::uint32_t>(2'000'000 + result.iterations * 1000);
    result.products += s.pending;
    ++result.iterations;
    report_progress(exec, options.stage, result.products, 0, "products");
    if (!extend(s, a, options, stream, exec)) {
      next_check = s.size + block;
      previous_size = 0;
      beyond.reset();
      continue;
    }
    // The next step leaves a block of its own behind the pending one: is there room?
    const Index next_pending = std::min(std::max(block, s.pending), n - s.size - s.pending);
    const bool full = s.size + s.pending + next_pending > std::min(s.basis.cols(), capacity + block) || s.pending == 0;
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
    const bool enough = needed > 0 && needed <= s.size && needed <= ritz.values.size();
    const double worst = enough ? worst_of(ritz, needed, options) : 1.0 / options.tolerance;
    const bool exhausted = s.pending == 0;  // the whole space is spanned
    const bool small = enough && worst <= 1.0;
    result.stalled = full && !exhausted && !small && !fall.goes_on(worst, converged_of(ritz, options));
    const bool spent = result.products >= budget || result.stalled;

    // Residuals are small: was a larger eigenvalue missed?
    bool complete = exhausted, missed = false;
    if (small && !exhausted) {
      if (ritz.values.size() < std::min(s.size, needed + 1)) ritz = rayleigh_ritz(s, needed + 1);
      const double last = ritz.values[needed - 1];
      const double rounding = floor_of(ritz, options) + noise_of(ritz, options);
      const double limit = std::max(last + options.tolerance * std::abs(last) + rounding, options.limit);
      if (!beyond)
        beyond = probe_beyond(s, a, last, limit, rounding, options, static_cast<std::uint32_t>(probes++), result, exec);
      missed = beyond->found > limit;
      if (missed && !spent && probes < 12) {
        take_in(s, std::move(beyond->directions), options, stream + 500, exec);
        beyond.reset();
        next_check = s.size + 4 * block;
        previous_size = 0;
        if (s.size + 2 * s.pending > s.basis.cols()) {
          restart(s, ritz, exec);
          next_check = s.size + 4 * block;
        }
        continue;
      }
      result.outside_upper = upper_after(s, ritz, needed, *beyond, limit, options);
      result.outside_probability = std::isfinite(result.outside_upper) ? kMissProbability : 1.0;
      if (needed == 1) result.first_upper = upper_after(s, ritz, 0, *beyond, last, options);
      complete =
          result.outside_upper <= limit + noise_of(ritz, options) + (s.skipped ? 2e-8 : 0.0) * largest_of(ritz) ||
          beyond->upper >= limit || ++unproved > 6;
    }
    if ((small && complete) || exhausted || spent) {
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
      result.converged = exhausted || (small && !missed);
      if (exhausted) {
        const double noise = noise_of(ritz, options);
        result.first_upper = ritz.values[0] + noise;
        result.outside_upper = (take < n ? ritz.values[take] : 0.0) + noise;
        result.outside_probability = 0.0;
      }
      return result;
    }
    if (small) {  // a bound that is not close enough: some steps more
      next_check = s.size + 2 * block;
      previous_size = 0;
      if (!full) continue;
    }
    if (full) {
      beyond.reset();
      if (count + 4 * block > capacity && capacity < n) {  // too small for what is wanted: grow instead
        capacity = krylov_basis(n, std::max(count, capacity / 4), block);
        Matrix<double> larger(n, columns());
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
        ahead = std::clamp(0.5 * std::log(worst) / slope, static_cast<double>(block), 2.0 * ahead);
      }
      previous_worst = worst;
      previous_size = s.size;
      next_check = s.size + static_cast<Index>(ahead);
    }
  }
}

}  // namespace fewdim
