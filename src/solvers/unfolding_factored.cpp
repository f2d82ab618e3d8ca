#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "solvers/unfolding_climb.hpp"
#include "solvers/unfolding_routes.hpp"

namespace fewdim {

namespace {

constexpr Index kFewest = 4, kMost = 32;               // columns of the factor
constexpr double kCoarse = 1e-2, kCoarseForce = 1e-3;  // violations and forces that are enough for large data
constexpr double kGap = 1e-5;                          // certified, relative, at which no column is added

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
  Climb climb{};
  double lowest = 0.0, bound = 0.0, gap = 0.0;
};

/// The inequality form, which is convex in K with interior points on both sides: columns are added until the bound is
/// met.
Certified climb_certified(const LinkNetwork& network, UnfoldingMap start, const UnfoldingProblem& problem,
                          bool by_laplacian, const Execution& exec) {
  ClimbOptions options{.violation = std::min(problem.tolerance, 1e-5), .force = 1e-6};
  if (by_laplacian) options.violation = kCoarse, options.force = kCoarseForce;
  Certified out;
  Index iterations = 0;
  while (true) {
    out.climb = climb(network, std::move(start), options, exec);
    iterations += out.climb.iterations;
    if (by_laplacian) out.climb.map /= std::sqrt(1.0 + out.climb.violation);  // no link too long
    out.lowest = lowest_stress(network, out.climb.stresses, problem.who, exec);
    out.bound = stress_bound(network, out.climb.stresses, out.lowest);
    out.gap = 1.0 - map_variance(network, out.climb.map) / out.bound;
    const Index columns = out.climb.map.cols();
    if (out.gap <= kGap || columns >= std::min(kMost, network.vertices()) || by_laplacian) break;
    start = widened(out.climb.map, columns + kFewest, 1e-3, problem.seed);
  }
  out.climb.iterations = iterations;
  return out;
}

}  // namespace

UnfoldedNetwork unfold_factored(const LinkNetwork& network, const NeighborGraph& graph, const UnfoldingProblem& problem,
                                bool by_laplacian, const Execution& exec) {
  UnfoldingMap start = by_laplacian ? start_by_laplacian(network, kFewest, problem.seed, exec)
                                    : start_by_paths(graph, kFewest, problem.seed, exec);
  Certified solved = climb_certified(network, std::move(start), problem, by_laplacian, exec);
  UnfoldedNetwork out;
  out.bound = solved.bound;
  out.lowest = solved.lowest;
  out.iterations = solved.climb.iterations;
  out.rank = solved.climb.map.cols();
  out.converged = solved.climb.converged;
  out.why = fmt::format("a factor of {} columns, {} rounds of multipliers", out.rank, solved.climb.rounds);
  out.stresses = solved.climb.stresses;
  if (problem.form == UnfoldingForm::inequality) {
    out.map = solved.climb.map;
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
    const Climb kept = climb(network, widened(solved.climb.map, columns, 1e-3, problem.seed), options, exec);
    out.iterations += kept.iterations;
    out.rank = columns;
    out.map = kept.map;
    out.converged = kept.converged;
    out.why =
        fmt::format("a factor of {} columns, {} rounds of multipliers from the inequality form", columns, kept.rounds);
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
