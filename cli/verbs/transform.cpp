#include <fmt/format.h>

#include <algorithm>

#include "documents.hpp"
#include "fewdim/results.hpp"
#include "fewdim/text_index.hpp"
#include "model_rows.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

Json sizes_of(const Model& model) { return {{"features", model.features()}, {"components", model.components()}}; }

constexpr const char* kept_model = "a model that a method kept with -m";

class Transform : public ModelRows {
 public:
  explicit Transform(CLI::App& app)
      : ModelRows(app, {.verb = "transform",
                        .model = kept_model,
                        .input = {.name = "DATA",
                                  .help = "rows or documents to place: a file, or - for standard input",
                                  .stream = true},
                        .output = "the rows' scores; - is standard output [-]"}) {
    add_text(app, "--stats", stats_, "FILE", "per row: T2, SPE, and whether they are above the model's limits",
             "Output");
    documents_.declare(app, false);
    run_.declare(app);
  }

 private:
  void add_targets(Targets& targets) const override { targets.add("--stats", stats_, Targets::Kind::table); }

  Dataset load(const Model& model) override {
    if (model.beside<TextIndex>()) return load_documents();
    if (const std::string flag = documents_.first_given(); !flag.empty())
      throw usage_error(fmt::format("{} is for documents, and this model takes {}; leave it out", flag,
                                    model.takes_text() ? "lines of text" : "numbers"));
    return model.takes_text()
               ? input_.load_lines(run_)
               : input_.load_columns(run_, Streaming::if_needed, input_.options(), model.head().feature_names);
  }

  /// Read as `fewdim lsi` reads them: the same formats, the same ids.
  Dataset load_documents() {
    input_.require_documents();
    documents_.set_format(input_.format(), input_.header());
    const auto source = open_documents(input_.paths(), documents_.options(), run_.execution());
    Dataset texts = run_.timed("read", [&] { return read_documents(*source, run_.execution()); });
    DocumentReading::tell(source->report(), run_);
    return texts;
  }

  Json work(const Model& model, const Dataset& data, Targets& targets) override {
    const Execution exec = run_.execution_beside(data);
    if (data.is_stream() && !data.stream()->rewindable() && !stats_.empty())
      throw usage_error("--stats needs a second pass over the rows, and a pipe has one; leave --stream out");
    if (data.is_stream()) {
      if (data.cols() != model.features()) model.transform(data, exec);  // says what is wrong
      targets.write(streamed_transform(model, data, exec), output(), to_);
      if (!stats_.empty()) data.stream()->rewind();
    } else {
      const Dataset scores = run_.timed("transform", [&] { return model.transform(data, exec); });
      targets.write(scores, output(), to_);
    }
    if (!stats_.empty())
      targets.write(run_.timed("statistics", [&] { return distance_table(model, data, exec); }), stats_);
    return sizes_of(model);
  }

  std::string stats_;
  DocumentReading documents_;
};

class Inverse : public ModelRows {
 public:
  explicit Inverse(CLI::App& app)
      : ModelRows(app, {.verb = "inverse",
                        .model = kept_model,
                        .input = {.name = "SCORES",
                                  .help = "what transform gave: a file, or - for standard input",
                                  .stream = true},
                        .output = "the rows in the space of the data; - is standard output [-]"}) {
    run_.declare(app);
  }

 private:
  /// By the components' names where the table has them; coordinates may also be named as one likes.
  Dataset load(const Model& model) override {
    const std::vector<std::string>& names = model.head().component_names;
    return input_.load_columns(run_, Streaming::if_needed, input_.options(), names, Unknown::taken);
  }

  Json work(const Model& model, const Dataset& data, Targets& targets) override {
    const Execution exec = run_.execution_beside(data);
    const bool streamed = data.is_stream() && data.cols() == model.components();
    if (streamed && data.stream()->rewindable()) data.stream()->rewind();
    const Dataset back = streamed ? streamed_inverse(model, data, exec)
                                  : run_.timed("inverse", [&] { return model.inverse_transform(data, exec); });
    targets.write(back, output(), to_);
    return sizes_of(model);
  }
};

}  // namespace

Verb transform_verb() {
  return {
      "transform",
      "Models",
      "Place rows in the space of a model",
      "The model's columns are found by name where both have names, and others are left out. A table without names "
      "must "
      "have as many columns as the model, in its order. An index of documents takes documents, in every format that "
      "`fewdim lsi` reads.",
      {{"fewdim transform cells.fewdim new.csv > new-scores.csv", "scores of new rows"},
       {"fewdim transform cells.fewdim new.csv -o scores.npy --stats stats.csv", "and how far off the model they are"},
       {"fewdim transform notes.fewdim more/ -o places.csv", "documents, by an index that `fewdim lsi` kept"}},
      [](CLI::App& app) -> Action {
        const auto verb = std::make_shared<Transform>(app);
        return [verb] { return (*verb)(); };
      }};
}

Verb inverse_verb() {
  return {"inverse",
          "Models",
          "Go back from scores to the space of the data",
          "",
          {{"fewdim inverse cells.fewdim new-scores.csv > approximated.csv", "rows as the kept components give them"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Inverse>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
