#include <algorithm>
#include <nlohmann/json.hpp>

#include "fewdim/session.hpp"
#include "session/memory_shares.hpp"

namespace fewdim {

namespace {

std::uint64_t bytes_in_memory(const DataShape& shape) {
  if (shape.stream) return 0;
  const std::uint64_t scalar = shape.precision == Precision::float32 ? 4 : 8;
  if (shape.nonzeros >= 0)
    return static_cast<std::uint64_t>(shape.nonzeros) * (scalar + 4) + static_cast<std::uint64_t>(shape.rows + 1) * 8;
  return static_cast<std::uint64_t>(std::max<Index>(shape.rows, 0)) * static_cast<std::uint64_t>(shape.cols) * scalar;
}

}  // namespace

FitPlan plan(const MethodCard& card, const MeasuredInput& input, const OptionMap& options,
             const SessionContext& context) {
  FitPlan found{.method = card.name, .input = input, .input_bytes = bytes_in_memory(input.shape)};
  const Execution exec = execution_beside(found.input_bytes, input.shape.stream, context.execution, "plan");
  found.plan = card.plan(input.shape, options, exec);
  return found;
}

FitPlan plan(const MethodCard& card, const InputSource& source, const OptionMap& options,
             const SessionContext& context) {
  return plan(card, measure_input(card, source, options, context), options, context);
}

std::string plan_json(const FitPlan& found, Speech speech) {
  using nlohmann::ordered_json;
  const DataShape& shape = found.input.shape;
  const Plan& plan = found.plan;
  ordered_json considered = ordered_json::array();
  for (const RouteCost& cost : plan.considered)
    considered.push_back({{"route", name_of(cost)},
                          {"bytes", cost.bytes},
                          {"passes", cost.passes},
                          {"flops", cost.flops},
                          {"seconds", cost.seconds},
                          {"verdict", verdict_of(cost, speech)}});
  const ordered_json document{{"method", found.method},
                              {"input", found.input.name},
                              {"rows", shape.rows},
                              {"rows_estimated", found.input.rows_estimated},
                              {"cols", shape.cols},
                              {"nonzeros", shape.nonzeros},
                              {"stream", shape.stream},
                              {"route", word_of(plan.route)},
                              {"why", words_of(plan.why)},
                              {"bytes", plan.bytes},
                              {"input_bytes", found.input_bytes},
                              {"memory_limit", plan.memory_limit},
                              {"passes", plan.passes},
                              {"estimated_seconds", plan.seconds},
                              {"considered", considered}};
  return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace fewdim
