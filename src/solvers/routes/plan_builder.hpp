#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/plan.hpp"
#include "solvers/routes/rates.hpp"

namespace fewdim {

/// Makes the plan of a method:
///
///   PlanBuilder plan(shape, exec);
///   plan.consider({.route = Route::als, .bytes = bytes, .flops = flops, .seconds = seconds_for(Work::plain, flops)});
///   return plan.because(Reason(ReasonKind::sweeps, entries)).take(Route::als);
class PlanBuilder {
 public:
  PlanBuilder(const DataShape& shape, const Execution& exec);

  std::uint64_t limit() const { return plan_.memory_limit; }
  /// One more route; one without a verdict is judged when another is taken.
  PlanBuilder& consider(const RouteCost& cost);
  PlanBuilder& because(Reason reason);
  PlanBuilder& because(const std::vector<Reason>& reasons);
  /// The routes so far.
  std::vector<RouteCost>& considered() { return plan_.considered; }

  /// The plan that takes this route. Of those that have no verdict yet it says why not: over the limit, slower, or not
  /// asked for.
  Plan take(Route route);
  /// The same; throws OverMemory where the route needs more than there is: "what needs 3 GiB, the limit is 1 GiB;
  /// remedy".
  Plan take(Route route, std::string_view what, std::string_view remedy);

 private:
  Plan plan_;
};

/// Bytes of the data in memory; 0 for a stream.
std::uint64_t input_bytes_of(const DataShape& shape);

/// A stage that follows on the plan's route: its time is added, its memory taken where that is more.
void add_stage(Plan& plan, const RouteCost& stage);
/// The plan's route was tried in vain, and this one taken.
void retake(Plan& plan, Route second);

}  // namespace fewdim
