#include "methods/smacof_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "solvers/eigen/symmetric.hpp"
#include "solvers/stress/pair_order.hpp"
#include "solvers/stress/stress.hpp"

namespace fewdim {

namespace {

constexpr const char* kSmacofPlan = "smacof";

}  // namespace

StressPlan plan_pairs(Index objects, std::size_t scalar_bytes, Index components, bool given, Disparity type,
                      const Execution& exec) {
  StressPlan plan;
  const bool ordinal = type == Disparity::ordinal;
  if (ordinal && objects > PairOrder::most_objects)
    throw DataError(fmt::format("{}: the order of {} pairs is beyond what can be sorted; use {}, or fewer objects",
                                kSmacofPlan, pair_count(objects), set_option("type", "interval")));
  plan.work_bytes = symmetric_pairs_bytes(objects, components) + majorize_bytes(objects, components);
  const std::uint64_t order_bytes = ordinal ? order_pairs_bytes(objects) : 0;
  plan.work_bytes += order_bytes;
  plan.pair_bytes = given ? 0 : pair_count(objects) * scalar_bytes;
  const std::uint64_t limit = memory_limit(exec);
  if (ordinal)
    require_memory(exec, plan.work_bytes + plan.pair_bytes,
                   fmt::format("{}: the order of {} pairs", kSmacofPlan, pair_count(objects)),
                   "use " + set_option("type", "interval") + ", or fewer objects");
  require_memory(exec, plan.work_bytes, fmt::format("{}: {} objects", kSmacofPlan, objects), "take fewer objects");
  plan.keep = !given && plan.bytes() + plan.pair_bytes <= limit;
  plan.route = given ? "given" : plan.keep ? "kept" : "anew";
  plan.why = given       ? "the distances as they are given"
             : plan.keep ? fmt::format("{} of distances kept", format_bytes(plan.pair_bytes))
                         : fmt::format(
                               "distances computed anew in every pass, as {} of them would be above the memory "
                               "limit of {}",
                               format_bytes(plan.pair_bytes), format_bytes(limit));
  if (ordinal) plan.why += fmt::format("; {} for the order of the pairs", format_bytes(order_bytes));
  return plan;
}

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
  // Measured on one core, k = 2; and the number of passes that is common.
  constexpr double kPairSeconds = 2.5e-9, kOrderSeconds = 2.5e-8, kPasses = 60.0;
  require_map_size(options.components, shape.rows);
  const std::size_t bytes = shape.precision == Precision::float32 ? sizeof(float) : sizeof(double);
  const StressPlan pairs = plan_pairs(shape.rows, bytes, options.components.count,
                                      options.metric == Metric::precomputed, options.type, exec);
  const auto count = static_cast<double>(pair_count(shape.rows));
  Plan plan;
  plan.route = pairs.route;
  plan.why = pairs.why;
  plan.bytes = pairs.bytes();
  plan.memory_limit = memory_limit(exec);
  plan.input_bytes = static_cast<std::uint64_t>(shape.rows) * static_cast<std::uint64_t>(shape.cols) * bytes;
  plan.passes = 1;
  plan.seconds = kPasses * count * (kPairSeconds + (options.type == Disparity::ordinal ? kOrderSeconds : 0.0)) *
                 static_cast<double>(options.restarts + 1);
  plan.considered.push_back({.route = plan.route,
                             .bytes = plan.bytes,
                             .passes = 1,
                             .flops = kPasses * count * 20.0,
                             .seconds = plan.seconds,
                             .verdict = "chosen"});
  return plan;
}

}  // namespace fewdim
