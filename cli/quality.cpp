#include "fewdim/quality.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fewdim/model.hpp"
#include "fewdim/plot.hpp"
#include "input.hpp"
#include "method_options.hpp"
#include "targets.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// What a number says, and which end is good.
std::string meaning(const std::string& name, Index neighbors) {
  if (name == "trustworthiness")
    return fmt::format("1: the {} nearest in the embedding are near in the data", neighbors);
  if (name == "continuity") return fmt::format("1: the {} nearest in the data are near in the embedding", neighbors);
  if (name == "neighbors_kept") return fmt::format("share of the {} nearest that are the same in both", neighbors);
  if (name == "rnx_area") return "neighbors kept at all scales: 0 by chance, 1 all";
  if (name == "residual_variance") return "0: distances agree up to a line; 1 - pearson^2";
  if (name == "pearson") return "correlation of the distances";
  if (name == "spearman") return "correlation of the distances' ranks";
  if (name == "distance_correlation") return "Szekely's; 0: the two are independent";
  if (name == "stress") return "Kruskal's stress-1; 0: the distances are the same";
  if (name == "stress_scaled") return "the same after the best stretching";
  if (name == "best_scale") return "the factor of that stretching";
  return {};
}

std::string show(double value) { return fmt::format("{:.4f}", value); }

/// A table of coordinates beside the data. It may hold the data's labels, under their name.
Dataset read_beside(const std::string& path, const Dataset& data, const std::vector<std::string>& columns, Run& run) {
  return run.timed("read", [&] {
    ReadOptions options;
    options.columns = columns;
    const Execution exec = run.execution();
    if (!data.label_name.empty() && path != "-" && columns.empty()) {
      options.label = data.label_name;
      try {
        return read(path, options, exec);
      } catch (const IoError&) {
        throw;
      } catch (const Error&) {  // no such column, most likely: then all of them are coordinates
        options.label.clear();
      }
    }
    return read(path, options, exec);
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
    const Dataset data = input_.load(run_);
    const Dataset embedding = model_.empty() ? read_embedding(data) : embed(data, options, given);
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
      print_table(report, fit);
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
  Dataset embed(const Dataset& data, QualityOptions& options, const OptionMap& given) {
    const Model model = run_.timed("load", [&] { return Model::load(model_); });
    if (!given.contains("metric") && !model.is_linear() && model.kernel().similarity == Similarity::distance)
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

  static void print_table(const QualityReport& report, const std::optional<Procrustes>& fit) {
    const bool errors = !report.exact() || report["spearman"].standard_error > 0.0;
    std::vector<std::vector<std::string>> rows;
    const auto error_of = [&](const Measure& measure) -> std::string {
      if (!measure.value) return "-";
      if (measure.standard_error > 0.0) return fmt::format("{:.1e}", measure.standard_error);
      return report.exact() ? "exact" : "0";
    };
    const auto add = [&](std::string name, std::string value, const std::string& error, std::string what) {
      std::vector<std::string> cells{std::move(name), std::move(value)};
      if (errors) cells.push_back(error);
      cells.push_back(std::move(what));
      rows.push_back(std::move(cells));
    };
    add("measure", "value", "std.error", "meaning");
    for (const Measure& measure : report.measures)
      add(measure.name, measure.value ? show(*measure.value) : "-", error_of(measure),
          meaning(measure.name, report.neighbors));
    if (fit) {
      add("procrustes_disparity", show(fit->disparity), "exact",
          "0: the reference, turned and stretched; 1: nothing of it");
      add("procrustes_rms", fmt::format("{:.4g}", fit->rms_error), "exact", "what is left, in units of the reference");
    }
    print(table(rows));
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
    Json measures = Json::object(), curve = Json::array();
    for (const Measure& measure : report.measures) {
      measures[measure.name] = {{"value", measure.value ? Json(*measure.value) : Json()},
                                {"standard_error", measure.value ? Json(measure.standard_error) : Json()}};
      if (!measure.note.empty()) measures[measure.name]["note"] = measure.note;
    }
    for (const CurvePoint& point : report.curve)
      curve.push_back({{"k", point.neighbors},
                       {"kept", point.kept},
                       {"rnx", point.beyond_chance},
                       {"standard_error", point.standard_error}});
    Json aligned;
    if (fit) {
      Json rotation = Json::array();
      for (Index i = 0; i < fit->rotation.rows(); ++i) rotation.push_back(numbers(fit->rotation.row(i)));
      aligned = {{"reference", reference_}, {"disparity", fit->disparity}, {"rms_error", fit->rms_error},
                 {"scale", fit->scale},     {"rotation", rotation},        {"shift", numbers(fit->shift)}};
    }
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
                         {"measures", measures},
                         {"procrustes", aligned},
                         {"curve", curve},
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
