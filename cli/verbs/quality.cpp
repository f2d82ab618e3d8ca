#include "fewdim/quality.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fewdim/model.hpp"
#include "fewdim/plot.hpp"
#include "input.hpp"
#include "method_options.hpp"
#include "quality_report.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// A table of coordinates beside the data. It may hold the data's labels, under their name.
Dataset read_beside(const std::string& path, const Dataset& data, const std::vector<std::string>& columns, Run& run) {
  return run.timed("read", [&] {
    ReadOptions options;
    options.columns = columns;
    const SessionContext context = run.context();
    if (!data.label_name.empty() && path != "-" && columns.empty()) {
      options.label = data.label_name;
      try {
        return read_and_tell(path, options, context);
      } catch (const IoError&) {
        throw;
      } catch (const Error&) {  // no such column, most likely: then all of them are coordinates
        options.label.clear();
      }
    }
    return read_and_tell(path, options, context);
  });
}

class Quality {
 public:
  explicit Quality(CLI::App& app) : run_("quality"), options_(quality_fields()) {
    input_.declare(app,
                   {.name = "DATA", .help = "the original rows, or their distances: a file, -, or a built-in table"});
    app.add_option("EMBEDDING", embedding_, "the same rows in few dimensions: a file, or -")->type_name("FILE");
    options_.declare(app, [](const OptionField&) { return "Quality"; });
    add_text(app, "-m,--model", model_, "FILE", "judge what this model makes of the data, instead of EMBEDDING",
             "Quality");
    add_list(app, "--embedding-columns", columns_, "COLUMNS",
             "the coordinates in EMBEDDING: names or numbers, with commas [all but the label of the data]", "Quality");
    add_text(app, "--reference", reference_, "FILE",
             "true coordinates: adds the error of the embedding against them (Procrustes)", "Quality");
    add_text(app, "-o,--output", curve_, "FILE", "the curve: K, share of neighbors kept, R_NX, its error", "Output");
    add_text(app, "--plot", plot_, "FILE", "picture of the curve R_NX over log K, .svg or .png", "Output");
    run_.declare(app, options_.flags());
  }

  int operator()() {
    check_words();
    Targets targets(run_);
    for (const std::string& path : {input_.name(), embedding_, model_, reference_})
      if (!path.empty()) targets.add_input(path);
    targets.add("--output", curve_, Targets::Kind::table);
    targets.add("--plot", plot_, Targets::Kind::picture);
    targets.check();

    OptionMap given = options_.map();
    QualityOptions options = quality_options(given);
    std::optional<Model> model;
    if (!model_.empty()) model = run_.timed("load", [&] { return Model::load(model_); });
    if (model && model->takes_text())
      throw Unsupported("quality: the model compares strings, and quality needs numbers or distances to judge by");
    const Dataset data =
        model ? input_.load_columns(run_, Streaming::never, input_.options(), model->head().feature_names)
              : input_.load(run_);
    const Dataset embedding = model ? embed(*model, data, options, given) : read_embedding(data);
    const Execution exec = run_.execution_beside(data);
    const QualityReport report =
        run_.timed("quality", [&] { return embedding_quality(data, embedding, options, exec); });
    std::optional<Procrustes> fit;
    if (!reference_.empty())
      fit = run_.timed("procrustes",
                       [&] { return procrustes(read_beside(reference_, data, {}, run_), embedding, {}, exec); });
    write(report, targets);
    tell(report);
    if (run_.json())
      print_json(data, embedding, options, report, fit, targets);
    else
      print(quality_table(report, fit));
    return 0;
  }

 private:
  void check_words() const {
    if (embedding_.empty() == model_.empty())
      throw usage_error(embedding_.empty() ? "an embedding is missing; give the file with the coordinates, or a model "
                                             "with -m"
                                           : "EMBEDDING and --model both say what to judge; give one of them");
    if (curve_ == "-") throw usage_error("the measures go to standard output; give the curve a file with -o");
    const std::string words[] = {input_.name(), embedding_, reference_};
    if (std::ranges::count(words, "-") > 1) throw usage_error("standard input (-) can be read once; name it once");
  }

  Dataset read_embedding(const Dataset& data) {
    std::vector<std::string> columns;
    for (const std::string& list : columns_)
      for (std::string& name : split_list(list)) columns.push_back(std::move(name));
    try {
      return read_beside(embedding_, data, columns, run_);
    } catch (const DataError& error) {
      // The reader's remedies are options, and those are of DATA here.
      if (!columns.empty() || std::string_view(error.what()).find("--drop") == std::string_view::npos) throw;
      throw DataError(fmt::format(
          "{} (those are for DATA: for EMBEDDING name the coordinates with --embedding-columns)", error.what()));
    }
  }

  /// Where the model was made from distances, they are what it should keep.
  Dataset embed(const Model& model, const Dataset& data, QualityOptions& options, const OptionMap& given) {
    if (!given.contains("metric") && model.as<NeighborModel>() && !model.neighbor().given)
      options.metric = model.neighbor().metric;
    if (!given.contains("metric") && model.as<KernelModel>() &&
        (model.kernel().similarity == Similarity::distance || model.kernel().similarity == Similarity::geodesic))
      options.metric = model.kernel().metric;
    return run_.timed("transform", [&] { return model.transform(data, run_.execution_beside(data)); });
  }

  void tell(const QualityReport& report) {
    if (!report.exact())
      run_.say(fmt::format("looked at {} of {} rows; --sample all takes every one", show_count(report.sampled),
                           show_count(report.rows)));
    for (const std::string& note : report.notes) run_.warn(note);
    for (const Measure& measure : report.measures)
      if (!measure.value) run_.warn(fmt::format("{} is {}", measure.name, measure.note));
  }

  void write(const QualityReport& report, Targets& targets) const {
    const auto size = static_cast<Index>(report.curve.size());
    Matrix<double> points(size, 4);
    for (Index p = 0; p < size; ++p) {
      const CurvePoint& point = report.curve[static_cast<std::size_t>(p)];
      points.row(p) << static_cast<double>(point.neighbors), point.kept, point.beyond_chance, point.standard_error;
    }
    if (!plot_.empty()) {
      CurvePlot picture{.x = points.col(0), .y = points.col(2), .error = 2.0 * points.col(3)};
      const std::string name = model_.empty() ? embedding_ : model_;
      picture.title = fmt::format("Neighbors kept by {}: area {:.3f}", name.substr(name.find_last_of('/') + 1),
                                  report["rnx_area"].value.value_or(0.0));
      picture.x_label = "K nearest neighbors";
      picture.y_label = "kept, 0 by chance, 1 all (R_NX)";
      picture.log_x = true;
      picture.high = 1.0;
      targets.write_with(plot_, "picture of the curve", [&] { plot(picture, plot_, run_.force()); });
    }
    if (curve_.empty()) return;
    Dataset curve(std::move(points));
    curve.column_names = {"k", "kept", "rnx", "rnx_error"};
    targets.write(curve, curve_);
  }

  void print_json(const Dataset& data, const Dataset& embedding, const QualityOptions& options,
                  const QualityReport& report, const std::optional<Procrustes>& fit, const Targets& targets) {
    run_.print_document({{"input", data.source},
                         {"input_hash", data.input_hash()},
                         {"embedding", model_.empty() ? embedding_ : model_},
                         {"rows", report.rows},
                         {"dimensions", embedding.cols()},
                         {"sampled", report.sampled},
                         {"exact", report.exact()},
                         {"seed", options.seed},
                         {"neighbors", report.neighbors},
                         {"metric", report.metric_name},
                         {"geodesics", options.geodesics},
                         {"measures", measures_json(report)},
                         {"procrustes", fit ? procrustes_json(*fit, reference_) : Json()},
                         {"curve", curve_json(report)},
                         {"notes", report.notes},
                         {"outputs", targets.document()}});
  }

  Run run_;
  Input input_;
  MethodOptions options_;
  std::string embedding_, model_, reference_, curve_, plot_;
  std::vector<std::string> columns_;
};

}  // namespace

Verb quality_verb() {
  return {
      "quality",
      "Models",
      "Measure how well an embedding keeps neighbors and distances",
      "Trustworthiness, continuity, neighbors kept at every scale, residual variance, stress, and correlations of the "
      "distances. The rows of both must be the same objects in the same order. Many rows are sampled, with a standard "
      "error for each number.",
      {{"fewdim quality cells.csv scores.csv", "the numbers, as a table"},
       {"fewdim quality cells.csv -m cells.fewdim --plot curve.svg", "of a model, and a picture"},
       {"fewdim quality roll.csv map.csv --reference sheet.csv --json", "against known coordinates"}},
      [](CLI::App& app) -> Action {
        const auto verb = std::make_shared<Quality>(app);
        return [verb] { return (*verb)(); };
      }};
}

}  // namespace fewdim::cli
