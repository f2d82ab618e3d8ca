#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "documents.hpp"
#include "fewdim/session.hpp"
#include "input.hpp"
#include "method_options.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

class PlanVerb {
 public:
  explicit PlanVerb(CLI::App& app) : run_("plan"), options_(all_fields()) {
    std::vector<std::string> names;
    for (const MethodCard& card : methods()) names.push_back(card.name);
    app.add_option("METHOD", method_, "the method to plan for")
        ->required()
        ->type_name(names.size() > 1 ? fmt::format("{}", fmt::join(names, "|")) : "METHOD");
    input_.declare(app, {.stream = true, .parts = true});
    documents_.declare(app, false);
    options_.declare(app, whose);
    run_.declare(app, options_.flags());
  }

  int operator()() {
    const MethodCard& card = method(method_);
    const OptionMap options = options_.map();
    const SessionContext context = run_.context();
    const MeasuredInput input = measure_input(card, source_for(card, options), options, context);
    if (input.documents) DocumentReading::tell(*input.documents, run_);
    const FitPlan found = plan(card, input, options, context);
    if (run_.json())
      run_.print_document(Json::parse(plan_json(found, speak_command_line)));
    else
      print_text(found);
    return 0;
  }

 private:
  /// Of all methods; the one that is named refuses what is not its own.
  static std::vector<OptionField> all_fields() {
    std::vector<OptionField> fields;
    for (const MethodCard& card : methods())
      for (const OptionField& field : card.fields)
        if (std::ranges::find(fields, field.name, &OptionField::name) == fields.end()) fields.push_back(field);
    return fields;
  }

  /// The heading of a field: methods that have it, where not all do.
  static std::string whose(const OptionField& field) {
    std::vector<std::string> names;
    for (const MethodCard& card : methods())
      if (std::ranges::find(card.fields, field.name, &OptionField::name) != card.fields.end())
        names.push_back(card.name);
    if (names.size() == methods().size()) return "Method";
    return names.size() > 3 ? "Several methods" : fmt::format("Method {} only", fmt::join(names, ", "));
  }

  InputSource source_for(const MethodCard& card, const OptionMap& options) {
    if (card.shape_of_documents) {
      input_.require_documents();
      documents_.set_format(input_.format(), input_.header());
      return {.paths = input_.paths(), .documents = documents_.options()};
    }
    if (const std::string flag = documents_.first_given(); !flag.empty())
      throw usage_error(fmt::format("{} is for documents, and {} takes none; leave it out", flag, card.name));
    if (card.takes_text && card.takes_text(options)) input_.require_lines();
    return input_.source();
  }

  static std::string rows_text(const MeasuredInput& input) {
    if (input.shape.rows < 0) return "?";
    return (input.rows_estimated ? "about " : "") + show_count(input.shape.rows);
  }

  static void print_text(const FitPlan& found) {
    const DataShape& shape = found.input.shape;
    const Plan& plan = found.plan;
    std::string where = shape.stream ? "streamed: rows are taken as they come"
                                     : fmt::format("{} in memory", show_bytes(found.input_bytes));
    if (shape.nonzeros >= 0) where = fmt::format("sparse, {} entries, {}", show_count(shape.nonzeros), where);
    print(fmt::format("route    {}: {}\n", word_of(plan.route), words_of(plan.why)));
    print(fmt::format("input    {} x {}, {}, {}\n", rows_text(found.input), show_count(shape.cols),
                      shape.precision == Precision::float32 ? "float32" : "float64", where));
    print(fmt::format("memory   {} for the work, of {} there are\n", show_bytes(plan.bytes),
                      show_bytes(plan.memory_limit)));
    print(
        fmt::format("passes   {} over the data\n", plan.passes > 0 ? show_count(plan.passes) : "as many as it takes,"));
    print(fmt::format("time     about {}\n\n", show_seconds(plan.seconds)));
    std::vector<std::vector<std::string>> rows{{"route", "memory", "passes", "time", "verdict"}};
    for (const RouteCost& cost : plan.considered)
      rows.push_back({name_of(cost), show_bytes(cost.bytes), cost.passes > 0 ? show_count(cost.passes) : "-",
                      show_seconds(cost.seconds), verdict_of(cost, speak_command_line)});
    print(table(rows));
  }

  Run run_;
  std::string method_;
  Input input_;
  DocumentReading documents_;
  MethodOptions options_;
};

}  // namespace

Verb plan_verb() {
  return {"plan",
          "Planning",
          "Say how a fit would go: route, reason, memory, passes, time",
          "Of .npy and .mtx files only the header is read, of a large text only the beginning.",
          {{"fewdim plan pca big.npy -k 50 --memory-limit 4G", "before a long fit"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<PlanVerb>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
