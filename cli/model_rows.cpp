#include "model_rows.hpp"

#include "text.hpp"

namespace fewdim::cli {

ModelRows::ModelRows(CLI::App& app, const Words& words) : run_(words.verb) {
  app.add_option("MODEL", model_, words.model)->required()->type_name("FILE");
  input_.declare(app, words.input);
  add_text(app, "-o,--output", output_, "FILE", words.output, "Output");
  add_text(app, "--to", to_, written_format_names(), "format of the result, where the name does not tell [csv]",
           "Output");
}

int ModelRows::operator()() {
  if (run_.json() && output_.empty()) throw usage_error("--json wants standard output; give the result a file with -o");
  Targets targets(run_);
  targets.add_input(input_.name());
  targets.add_input(model_);
  if (!to_.empty()) parse_target_format(to_);
  targets.add("--output", output(), Targets::Kind::table, to_);
  add_targets(targets);
  targets.check();
  const Model model = run_.timed("load", [&] { return Model::load(model_); });
  const Dataset data = load(model);
  const Json found = work(model, data, targets);
  if (!run_.json()) return 0;
  Json document{{"model", model_},
                {"method", model.method()},
                {"input", data.source},
                {"input_hash", data.input_hash()},
                {"rows", data.rows()}};
  document.update(found);
  document["outputs"] = targets.document();
  run_.print_document(document);
  return 0;
}

}  // namespace fewdim::cli
