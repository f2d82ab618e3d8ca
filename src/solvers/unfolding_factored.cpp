#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "solvers/unfolding_climb.hpp"
#include "solvers/unfolding_interior.hpp"
#include "solvers/unfolding_routes.hpp"

namespace fewdim {

namespace {

constexpr Index kFewest = 4, kMost = 32;  // columns of the factor
constexpr double kCoarse = 1e-3;          // gap of the rough solution
constexpr double kNear = 1e-2;            // certified, at which it may be refined
constexpr double kGap = 1e-5;             // certified, at which no column is added
constexpr Index kPatience = 120;          // iterations after which more columns are better than more time
constexpr double kAgain = 0.1;            // gap to start from with more columns

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
};

Certified climb_certified(const LinkNetwork& network, UnfoldingMap start, const InteriorOptions& options,
                          const UnfoldingProblem& problem, const Execution& exec) {
  Certified out;
  out.point = climb_inside(network, std::move(start), options, exec);
  out.lowest = lowest_stress(network, out.point.stresses, problem.who, exec);
  out.bound = stress_bound(network, out.point.stresses, out.lowest);
  out.gap = 1.0 - map_variance(network, out.point.map) / out.bound;
  return out;
}

/// The inequality form, which is convex in K with interior points on both sides: roughly first, with columns added
/// until the bound is near, then in full unless `coarse` is enough.
Certified unfold_inside(const LinkNetwork& network, UnfoldingMap start, const UnfoldingProblem& problem, bool coarse,
                        const Execution& exec) {
  InteriorOptions options{.gap = kCoarse, .iterations = kPatience, .seed = problem.seed};
  Index iterations = 0;
  while (true) {
    Certified out = climb_certified(network, std::move(start), options, problem, exec);
    iterations += out.point.iterations;
    const Index columns = out.point.map.cols();
    const bool enough = columns >= std::min(kMost, network.vertices());
    if (!coarse && (out.gap <= kNear || enough)) {
      options = {.first_gap = kCoarse, .inside = true, .iterations = 2 * kPatience, .seed = problem.seed};
      out = climb_certified(network, std::move(out.point.map), options, problem, exec);
      iterations += out.point.iterations;
    }
    if (out.gap <= (coarse ? kNear : kGap) || enough) {
      out.point.iterations = iterations;
      return out;
    }
    start = UnfoldingMap::Zero(network.vertices(), columns + kFewest);
    start.leftCols(columns) = out.point.map;
    options = {.first_gap = kAgain, .gap = kCoarse, .inside = true, .iterations = kPatience, .seed = problem.seed};
  }
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
  out.why = fmt::format("interior points of a factor with {} columns", out.rank);
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
