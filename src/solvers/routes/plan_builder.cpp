#include "solvers/routes/plan_builder.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

Verdict verdict_beside(const RouteCost& other, const RouteCost& chosen, std::uint64_t limit) {
  if (other.bytes > limit) return Verdict::over_limit;
  return other.seconds > chosen.seconds ? Verdict::slower : Verdict::not_asked;
}

RouteCost& cost_of(std::vector<RouteCost>& routes, Route route) {
  const auto found = std::ranges::find(routes, route, &RouteCost::route);
  if (found == routes.end())
    throw Error(ErrorKind::internal, "plan: the route '" + word_of(route) + "' was not considered");
  return *found;
}

}  // namespace

PlanBuilder::PlanBuilder(const DataShape& shape, const Execution& exec) {
  plan_.memory_limit = memory_limit(exec);
  plan_.input_bytes = input_bytes_of(shape);
}

PlanBuilder& PlanBuilder::consider(const RouteCost& cost) {
  plan_.considered.push_back(cost);
  return *this;
}

PlanBuilder& PlanBuilder::because(Reason reason) {
  plan_.why.push_back(std::move(reason));
  return *this;
}

PlanBuilder& PlanBuilder::because(const std::vector<Reason>& reasons) {
  plan_.why.insert(plan_.why.end(), reasons.begin(), reasons.end());
  return *this;
}

Plan PlanBuilder::take(Route route) {
  RouteCost& chosen = cost_of(plan_.considered, route);
  chosen.verdict = Verdict::chosen;
  for (RouteCost& cost : plan_.considered)
    if (cost.verdict == Verdict::open) cost.verdict = verdict_beside(cost, chosen, plan_.memory_limit);
  plan_.route = route;
  plan_.bytes = chosen.bytes;
  plan_.passes = chosen.passes;
  plan_.seconds = chosen.seconds;
  return std::move(plan_);
}

Plan PlanBuilder::take(Route route, std::string_view what, std::string_view remedy) {
  // By the limit that the plan has: what is available may have changed.
  require_memory({.memory_limit = plan_.memory_limit}, cost_of(plan_.considered, route).bytes, what, remedy);
  return take(route);
}

std::uint64_t input_bytes_of(const DataShape& shape) {
  if (shape.stream) return 0;
  const std::uint64_t scalar = shape.precision == Precision::float32 ? sizeof(float) : sizeof(double);
  if (shape.nonzeros >= 0) return static_cast<std::uint64_t>(shape.nonzeros) * (scalar + sizeof(std::int32_t));
  return static_cast<std::uint64_t>(std::max<Index>(shape.rows, 0)) * static_cast<std::uint64_t>(shape.cols) * scalar;
}

void add_stage(Plan& plan, const RouteCost& stage) {
  plan.considered.push_back(stage);
  plan.bytes = std::max(plan.bytes, stage.bytes);
  plan.seconds += stage.seconds;
}

void retake(Plan& plan, Route second) {
  cost_of(plan.considered, plan.route).verdict = Verdict::did_not_converge;
  RouteCost& chosen = cost_of(plan.considered, second);
  chosen.verdict = Verdict::chosen;
  Reason reason(ReasonKind::did_not_converge);
  reason.route = plan.route;
  plan.why = {reason};
  plan.route = second;
  plan.bytes = chosen.bytes;
  plan.passes = chosen.passes;
  plan.seconds = chosen.seconds;
}

}  // namespace fewdim
