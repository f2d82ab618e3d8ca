#include "solvers/eigen/krylov.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/eigen/krylov_outside.hpp"
#include "solvers/eigen/outside.hpp"

namespace fewdim {

namespace {

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

}  // namespace

Index krylov_basis(Index size, Index count, Index block) {
  return std::min(size, std::max<Index>(6 * count + 10 * block, 240) / block * block + block);
}

KrylovResult krylov_largest(const SymmetricOperator& a, const Wanted& wanted, Index first_guess,
                            const KrylovOptions& options, const Execution& exec) {
  const Index n = a.size();
  const Index block = std::min(options.block, n);
  Index capacity = options.max_basis > 0 ? std::min(options.max_basis, n) : krylov_basis(n, first_guess, block);
  KrylovSpace s;
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
    make_room(s, s.size + 2 * s.pending);  // what the probe has found makes blocks wider
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
    result.outside_upper = result.first_upper = std::numeric_limits<double>::infinity();
    result.outside_probability = 1.0;
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
      if (missed) result.found_outside = beyond->found;
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
        make_room(s, columns());
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
