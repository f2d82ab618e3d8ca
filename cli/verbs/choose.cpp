#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fewdim/choose_k.hpp"
#include "input.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

class Choose {
 public:
  explicit Choose(CLI::App& app) : run_("choose-k") {
    input_.declare(app, {.stream = true, .parts = true});
    app.add_flag("--scale{yes},--no-scale{no}", scale_, "divide each column by its standard deviation [off]")
        ->group("Choice");
    app.add_flag("--center{yes},--no-center{no}", center_, "take the mean off; --no-center is for svd [on]")
        ->group("Choice");
    add_text(app, "--ddof", ddof_, "0|1", "normalizer N-ddof [1]", "Choice");
    add_list(app, "--criteria", criteria_, "WORDS",
             fmt::format("of {}, with commas [all]", fmt::join(k_criteria(), ", ")), "Choice");
    run_.declare(app);
  }

  int operator()() {
    ChooseOptions options;
    options.center = center_ != "no";
    options.scale = scale_ == "yes";
    if (!ddof_.empty()) options.ddof = static_cast<int>(parse_whole(ddof_, "--ddof", 0));
    if (options.ddof > 1) throw usage_error(fmt::format("--ddof '{}' must be 0 or 1", ddof_));
    if (!run_.seed().empty()) options.seed = parse_seed(run_.seed());
    for (const std::string& list : criteria_)
      for (std::string& name : split_list(list)) options.criteria.push_back(std::move(name));
    const Dataset data = input_.load(run_, Streaming::if_needed);
    const auto advice =
        run_.timed("choose", [&] { return choose_components(data, options, run_.execution_beside(data)); });
    if (run_.json())
      print_json(data, options, advice);
    else
      print_text(advice);
    return 0;
  }

 private:
  static void print_text(const std::vector<KAdvice>& advice) {
    std::vector<std::vector<std::string>> rows{{"criterion", "k", "why"}};
    for (const KAdvice& one : advice)
      rows.push_back({one.criterion, one.k < 0 ? "-" : std::to_string(one.k), one.sentence});
    print(table(rows));
  }

  void print_json(const Dataset& data, const ChooseOptions& options, const std::vector<KAdvice>& advice) {
    Json list = Json::array();
    for (const KAdvice& one : advice)
      list.push_back({{"criterion", one.criterion}, {"k", one.k < 0 ? Json() : Json(one.k)}, {"why", one.sentence}});
    run_.print_document({{"input", data.source},
                         {"input_hash", data.input_hash()},
                         {"rows", data.rows()},
                         {"cols", data.cols()},
                         {"center", options.center},
                         {"scale", options.scale},
                         {"ddof", options.ddof},
                         {"seed", options.seed},
                         {"default", default_k_criterion()},
                         {"advice", list}});
  }

  Run run_;
  Input input_;
  std::string scale_, center_, ddof_;
  std::vector<std::string> criteria_;
};

}  // namespace

Verb choose_verb() {
  return {"choose-k",
          "Planning",
          "Ask several criteria how many components to keep",
          fmt::format("A method asks one of them with -k auto:NAME; -k auto is -k auto:{}.", default_k_criterion()),
          {{"fewdim choose-k cells.csv", "all criteria"},
           {"fewdim choose-k cells.csv --scale --criteria minka,elbow", "two of them"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Choose>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
