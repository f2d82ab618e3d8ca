#include "methods/smacof_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "solvers/eigen/symmetric.hpp"
#include "solvers/routes/plan_builder.hpp"
#include "solvers/stress/pair_order.hpp"
#include "solvers/stress/stress.hpp"

namespace fewdim {

namespace {

constexpr const char* kSmacofPlan = "smacof";

}  // namespace

void require_map_size(const Components& components, Index objects) {
  if (components.kind != Components::Kind::count || components.count == Components::all)
    throw InvalidOption(kSmacofPlan, "components", components.text(),
                        "must be a number: a map of other size is another map", "use " + set_option("components", 2));
  if (components.count < 1 || (objects >= 0 && components.count >= objects))
    throw InvalidOption(kSmacofPlan, "components", std::to_string(components.count),
                        objects >= 0 ? fmt::format("must be between 1 and {}", objects - 1) : "must be 1 or more",
                        objects >= 0 ? fmt::format("use {}", set_option("components", std::min<Index>(2, objects - 1)))
                                     : "use " + set_option("components", 2));
}

Plan plan_smacof(const DataShape& shape, const SmacofOptions& options, const Execution& exec) {
  constexpr double kPasses = 60.0;  // that are common
  require_map_size(options.components, shape.rows);
  const Index objects = shape.rows, components = options.components.count;
  const bool given = options.metric == Metric::precomputed, ordinal = options.type == Disparity::ordinal;
  if (ordinal && objects > PairOrder::most_objects)
    throw DataError(fmt::format("{}: the order of {} pairs is beyond what can be sorted; use {}, or fewer objects",
                                kSmacofPlan, pair_count(objects), set_option("type", "interval")));
  const std::uint64_t order = ordinal ? order_pairs_bytes(objects) : 0;
  const std::uint64_t work = symmetric_pairs_bytes(objects, components) + majorize_bytes(objects, components) + order;
  const std::uint64_t pairs =
      given ? 0 : pair_count(objects) * (shape.precision == Precision::float32 ? sizeof(float) : sizeof(double));
  if (ordinal)
    require_memory(exec, work + pairs, fmt::format("{}: the order of {} pairs", kSmacofPlan, pair_count(objects)),
                   fmt::format("use {}, or fewer objects", set_option("type", "interval")));
  PlanBuilder plan(shape, exec);
  const bool keep = !given && work + pairs <= plan.limit();
  const Route route = given ? Route::given : keep ? Route::kept : Route::anew;
  const double visits = kPasses * static_cast<double>(pair_count(objects));
  plan.consider({.route = route,
                 .bytes = work + (keep ? pairs : 0),
                 .passes = 1,
                 .flops = visits * 20.0,
                 .seconds = (seconds_for(Work::stress_pairs, visits) +
                             (ordinal ? seconds_for(Work::ordered_pairs, visits) : 0.0)) *
                            static_cast<double>(options.restarts + 1)});
  plan.because(given  ? Reason(ReasonKind::distances_given)
               : keep ? Reason(ReasonKind::distances_kept, pairs)
                      : Reason(ReasonKind::distances_anew, pairs, work, plan.limit()));
  if (ordinal) plan.because(Reason(ReasonKind::pair_order, order));
  return plan.take(route, fmt::format("{}: {} objects", kSmacofPlan, objects), "take fewer objects");
}

}  // namespace fewdim
