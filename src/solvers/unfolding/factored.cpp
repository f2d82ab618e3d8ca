#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "solvers/unfolding/climb.hpp"
#include "solvers/unfolding/interior.hpp"
#include "solvers/unfolding/routes.hpp"

namespace fewdim {

namespace {

constexpr Index kFewest = 4, kMost = 32;  // columns of the factor
constexpr double kCoarse = 1e-3;          // gap of the rough solution
constexpr double kNear = 1e-2;            // certified, at which it may be refined
constexpr double kGap = 1e-5;             // certified, at which no column is added
constexpr Index kManyRows = 5000;         // above, multipliers take too long, and the gap is what it is
constexpr Index kPatience = 120;          // iterations after which more columns are better than more time

/// The map with more columns, of small noise.
UnfoldingMap widened(const UnfoldingMap& y, Index columns, double noise, Seed seed) {
  UnfoldingMap out = UnfoldingMap::Zero(y.rows(), columns);
  out.leftCols(y.cols()) = y;
  double sum = 0.0;
  for (Index i = 0; i < y.size(); ++i) sum += y.data()[i] * y.data()[i];
  const double size = noise * std::sqrt(sum / static_cast<double>(y.rows()));
  for (Index c = 0; c < columns; ++c) {  // old columns too: one may have died out
    const Random random(seed, 78'000 + static_cast<std::uint32_t>(c));
    for (Index i = 0; i < y.rows(); ++i) out(i, c) += size * random.normal(static_cast<std::uint64_t>(i));
  }
  return out;
}

struct Certified {
  Interior point{};
  double lowest = 0.0, bound = 0.0, gap = 0.0;
  Reason why{ReasonKind::interior_points};
};

Certified climb_certified(const LinkNetwork& network, UnfoldingMap start, const InteriorOptions& options,
                          const UnfoldingProblem& problem, const Execution& exec) {
  Certified out;
  out.point = climb_inside(network, std::move(start), options, exec);
  out.why = Reason(ReasonKind::interior_points, out.point.map.cols());
  out.lowest = lowest_stress(network, out.point.stresses, problem.who, exec);
  out.bound = stress_bound(network, out.point.stresses, out.lowest);
  out.gap = 1.0 - map_variance(network, out.point.map) / out.bound;
  return out;
}

/// By multipliers, with columns added until the bound is met: for graphs that are nearly rigid or need many columns,
/// where Newton's matrix is indefinite for long.
Certified unfold_by_multipliers(const LinkNetwork& network, UnfoldingMap start, const UnfoldingProblem& problem,
                                const Execution& exec) {
  const ClimbOptions options{.violation = std::min(problem.tolerance, 1e-5), .force = 1e-6};
  Index iterations = 0;
  while (true) {
    Climb climbed = climb(network, std::move(start), options, exec);
    iterations += climbed.iterations;
    Certified out;
    out.lowest = lowest_stress(network, climbed.stresses, problem.who, exec);
    out.bound = stress_bound(network, climbed.stresses, out.lowest);
    out.gap = 1.0 - map_variance(network, climbed.map) / out.bound;
    const Index columns = climbed.map.cols();
    if (out.gap <= kGap || columns >= std::min(kMost, network.vertices())) {
      out.why = Reason(ReasonKind::multipliers, columns, climbed.rounds);
      out.point = {.map = std::move(climbed.map),
                   .stresses = std::move(climbed.stresses),
                   .force = climbed.force,
                   .iterations = iterations,
                   .converged = climbed.converged};
      return out;
    }
    start = widened(climbed.map, columns + kFewest, 1e-3, problem.seed);
  }
}

/// The inequality form, which is convex in K with interior points on both sides: roughly first, then in full unless
/// `coarse` is enough; by multipliers where that proves nothing.
Certified unfold_inside(const LinkNetwork& network, UnfoldingMap start, const UnfoldingProblem& problem, bool coarse,
                        const Execution& exec) {
  InteriorOptions options{.gap = kCoarse, .iterations = kPatience, .seed = problem.seed};
  const UnfoldingMap given = start;
  Certified out = climb_certified(network, std::move(start), options, problem, exec);
  const bool large = network.vertices() > kManyRows;
  if (coarse && (out.gap <= kNear || large)) return out;
  if (!coarse && (out.gap <= kNear || large)) {
    const Index iterations = out.point.iterations;
    options = {.first_gap = kCoarse, .inside = true, .iterations = 2 * kPatience, .seed = problem.seed};
    out = climb_certified(network, std::move(out.point.map), options, problem, exec);
    out.point.iterations += iterations;
    if (out.gap <= kGap || large) return out;
  }
  return unfold_by_multipliers(network, given, problem, exec);
}

}  // namespace

UnfoldedNetwork unfold_factored(const LinkNetwork& network, const NeighborGraph& graph, const UnfoldingProblem& problem,
                                bool by_laplacian, const Execution& exec) {
  UnfoldingMap start = by_laplacian ? start_by_laplacian(network, kFewest, problem.seed, exec)
                                    : start_by_paths(graph, kFewest, problem.seed, exec);
  const Certified solved = unfold_inside(network, std::move(start), problem, by_laplacian, exec);
  UnfoldedNetwork out;
  out.bound = solved.bound;
  out.lowest = solved.lowest;
  out.iterations = solved.point.iterations;
  out.rank = solved.point.map.cols();
  out.converged = solved.point.converged;
  out.why = solved.why;
  out.stresses = solved.point.stresses;
  if (problem.form == UnfoldingForm::inequality) {
    out.map = solved.point.map;
    return out;
  }
  // From there to equalities. What the inequality form bounds it bounds, too; its own stresses need not exist, so that
  // rounds are cut short and the penalty grows until distances hold.
  ClimbOptions options{.inequality = false,
                       .violation = problem.tolerance,
                       .force = 1e-3,
                       .penalty = 100.0,
                       .growth = 5.0,
                       .rounds = 40,
                       .round_iterations = 150};
  for (Index columns = std::max<Index>(2 * kFewest, out.rank);; columns += kFewest) {
    const Climb kept = climb(network, widened(solved.point.map, columns, 1e-3, problem.seed), options, exec);
    out.iterations += kept.iterations;
    out.rank = columns;
    out.map = kept.map;
    out.converged = kept.converged;
    out.why = Reason(ReasonKind::equality_multipliers, columns, kept.rounds);
    if (kept.converged || columns >= 4 * kFewest) {
      const double lowest = lowest_stress(network, kept.stresses, problem.who, exec);
      const double bound = stress_bound(network, kept.stresses, lowest);
      if (bound < out.bound) {
        out.bound = bound;
        out.lowest = lowest;
        out.stresses = kept.stresses;
      }
      return out;
    }
  }
}

}  // namespace fewdim
