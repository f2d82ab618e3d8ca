#include <fmt/format.h>

#include "documents.hpp"
#include "fewdim/report.hpp"
#include "fewdim/session.hpp"
#include "fit_outputs.hpp"
#include "method_options.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// A fit to documents as they come, of a method whose card has one.
class DocumentsFit {
 public:
  DocumentsFit(const MethodCard& card, CLI::App& app)
      : card_(card), run_(card.name), outputs_(card), options_(card.fields) {
    input_.declare(app);
    outputs_.declare(app, "search, similar, terms, topics, add, remove and evaluate");
    options_.declare(app);
    run_.declare(app, options_.flags());
  }

  int operator()() {
    const OptionMap options = options_.map();
    Targets targets(run_);
    for (const std::string& path : input_.paths()) targets.add_input(path);
    outputs_.add_to(targets);
    targets.check();
    const Fitted fitted = fit(card_, input_.source(), options, run_.context());
    const Model& model = fitted.model;
    const DocumentReport& report = *fitted.documents;
    DocumentReading::tell(report, run_);
    outputs_.write(model, fitted.data, run_, targets);
    if (run_.json()) {
      Json document = Json::parse(json_report(model, speak_command_line));
      document["fit_seconds"] = document["seconds"];
      document["skipped_files"] = report.binary_files + report.unreadable;
      document["tables"] = DocumentReading::tables(report);
      document["outputs"] = targets.document();
      run_.print_document(std::move(document));
      return 0;
    }
    run_.say(summary(model, speak_command_line));
    if (targets.empty()) run_.say("\nnothing was kept: -m FILE keeps the model, for search, similar, terms and topics");
    return 0;
  }

 private:
  const MethodCard& card_;
  Run run_;
  DocumentsInput input_;
  FitOutputs outputs_;
  MethodOptions options_;
};

}  // namespace

Verb documents_verb(const MethodCard& card) {
  Verb verb = verb_of(card);
  verb.text +=
      " Reads a folder (all files below it), one document a line, JSON lines, CSV or TSV, records of fields as "
      "Debian's "
      "package lists, SMART and TREC collections.";
  verb.declare = [&card](CLI::App& app) -> Action {
    const auto fit = std::make_shared<DocumentsFit>(card, app);
    return [fit] { return (*fit)(); };
  };
  return verb;
}

}  // namespace fewdim::cli
