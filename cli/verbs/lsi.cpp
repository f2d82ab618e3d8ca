#include "fewdim/lsi.hpp"

#include <fmt/format.h>

#include "documents.hpp"
#include "fit_outputs.hpp"
#include "method_options.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

class Lsi {
 public:
  explicit Lsi(CLI::App& app) : run_("lsi"), options_(lsi_card().fields) {
    input_.declare(app);
    outputs_.declare(app, "search, similar, terms, topics, add, remove and evaluate");
    options_.declare(app);
    run_.declare(app, options_.flags());
  }

  int operator()() {
    const LsiOptions options = lsi_options(options_.map());
    Targets targets(run_);
    for (const std::string& path : input_.paths()) targets.add_input(path);
    outputs_.add_to(targets);
    targets.check();
    const auto source = run_.timed("open", [&] { return input_.open(run_); });
    const Model model = run_.timed("fit", [&] { return fit_lsi(*source, options, run_.execution()); });
    DocumentReading::tell(source->report(), run_);
    Dataset names;
    names.source = source->name();
    outputs_.write(model, names, run_, targets);
    if (run_.json()) {
      Json document = Json::parse(model.json());
      document["fit_seconds"] = document["seconds"];
      document["skipped_files"] = source->report().binary_files + source->report().unreadable;
      document["tables"] = DocumentReading::tables(source->report());
      document["outputs"] = targets.document();
      run_.print_document(std::move(document));
      return 0;
    }
    run_.say(model.summary());
    if (targets.empty()) run_.say("\nnothing was kept: -m FILE keeps the model, for search, similar, terms and topics");
    return 0;
  }

 private:
  Run run_;
  DocumentsInput input_;
  FitOutputs outputs_;
  MethodOptions options_;
};

}  // namespace

Verb lsi_verb() {
  Verb verb;
  verb.name = "lsi";
  verb.group = "Methods";
  verb.title = lsi_card().title;
  verb.text = fmt::format(
      "{}. Reads a folder (all files below it), one document a line, JSON lines, CSV or TSV, records of fields as "
      "Debian's package lists, SMART and TREC collections.",
      lsi_card().citation);
  verb.examples = {{"fewdim lsi notes/ -m notes.fewdim", "index a folder"},
                   {"apt-cache dumpavail | fewdim lsi - -k 200 -m packages.fewdim", "records from a pipe"},
                   {"fewdim search notes.fewdim \"what to plant in spring\"", "then ask"}};
  verb.declare = [](CLI::App& app) -> Action {
    const auto lsi = std::make_shared<Lsi>(app);
    return [lsi] { return (*lsi)(); };
  };
  return verb;
}

}  // namespace fewdim::cli
