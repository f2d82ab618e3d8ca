#include "fit_outputs.hpp"

#include <fmt/format.h>

#include "fewdim/pictures.hpp"
#include "fewdim/results.hpp"
#include "input.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* output_group = "Output";

/// "1,3": the components to draw, from 0 on.
std::pair<Index, Index> parse_axes(const std::string& text) {
  const std::vector<std::string> parts = split_list(text);
  if (parts.size() != 2) throw usage_error(fmt::format("--axes '{}' must be two numbers, such as 1,3", text));
  return {parse_whole(parts[0], "--axes", 1) - 1, parse_whole(parts[1], "--axes", 1) - 1};
}

}  // namespace

void OtherOutputs::declare(CLI::App& app, const std::string& flag) {
  Other& other = others_.emplace_back();
  other.flag = flag;
  other.option = add_text(app, flag, other.value, "FILE", "", hidden_group);
}

void OtherOutputs::refuse(const std::string& method, const std::vector<std::string>& own) const {
  for (const Other& other : others_)
    if (other.option->count() > 0)
      throw usage_error(fmt::format("{} has no {}; its outputs are {}", method, other.flag, all_of(own)));
}

void FitOutputs::declare(CLI::App& app, const char* uses) {
  const auto add = [&](bool has, const char* flags, std::string& target, const char* value, const std::string& help) {
    const std::string_view names = flags;
    const std::string flag(names.substr(names.rfind(',') + 1));
    if (!has) return others_.declare(app, flag);
    add_text(app, flags, target, value, help, output_group);
    own_.push_back(flag);
  };
  const auto gives = [&](ResultKind kind) { return card_.gives.results.has(kind); };
  const auto draws = [&](PictureKind kind) { return card_.gives.pictures.has(kind); };
  add(true, "-m,--model", model_, "FILE", fmt::format("keep the model: for {}", uses));
  add(gives(ResultKind::scores), "-o,--output", scores_, "FILE",
      "the rows' scores (N x k); - is standard output, as CSV");
  add_text(app, "--to", to_, written_format_names(), "format of the scores, where the name does not tell",
           output_group);
  add(draws(PictureKind::scatter), "--plot", plot_, "FILE", "picture of the scores, .svg or .png, colored by --label");
  add_text(app, "--axes", axes_, "A,B", "components on the picture's axes [1,2]", output_group);
  add(draws(PictureKind::scree), "--scree", scree_, "FILE", "picture of the components' shares, .svg or .png");
  add(draws(PictureKind::shepard), "--shepard", shepard_, "FILE", "picture of map distances against those given");
  add(gives(ResultKind::spectrum), "--spectrum", spectrum_, "FILE",
      "singular values or eigenvalues, variances, shares, residuals: of the components, and of all eigenvalues "
      "where they are known");
  add(gives(ResultKind::directions), "--right", right_, "FILE",
      gives(ResultKind::left_vectors) ? "the directions V: right singular vectors, unit columns (D x k)"
                                      : "the directions of the components, in columns (D x k)");
  add(gives(ResultKind::left_vectors), "--left", left_, "FILE", "left singular vectors U (N x k)");
  add(gives(ResultKind::loadings), "--loadings", loadings_, "FILE",
      gives(ResultKind::uniquenesses) ? "loadings of the factors, and the uniqueness of each column (D x k + 1)"
                                      : "directions times the square root of their variance (D x k)");
  add(gives(ResultKind::row_statistics), "--row-stats", row_stats_, "FILE", "per row: T2, SPE, contributions, cos2");
  add(gives(ResultKind::column_statistics), "--column-stats", column_stats_, "FILE",
      "per column: loadings, contributions, correlations, cos2");
  add(gives(ResultKind::approximation), "--approximate", approximate_, "FILE",
      card_.gives.inverse == Support::on_request
          ? "the data as the kept components give them back (N x D); needs --inverse"
          : "the data as the kept components give them back (N x D)");
}

void FitOutputs::add_to(Targets& targets) const {
  others_.refuse(card_.name, own_);
  using Kind = Targets::Kind;
  targets.add("--model", model_, Kind::model);
  targets.add("--output", scores_, Kind::table, to_);
  targets.add("--plot", plot_, Kind::picture);
  targets.add("--scree", scree_, Kind::picture);
  targets.add("--shepard", shepard_, Kind::picture);
  targets.add("--spectrum", spectrum_, Kind::table);
  targets.add("--right", right_, Kind::table);
  targets.add("--left", left_, Kind::table);
  targets.add("--loadings", loadings_, Kind::table);
  targets.add("--row-stats", row_stats_, Kind::table);
  targets.add("--column-stats", column_stats_, Kind::table);
  targets.add("--approximate", approximate_, Kind::table);
  if (!to_.empty()) parse_target_format(to_);
  parse_axes(axes_);
}

std::string FitOutputs::needs_rows() const {
  if (!scores_.empty()) return "--output";
  if (!plot_.empty()) return "--plot";
  if (!left_.empty()) return "--left";
  if (!row_stats_.empty()) return "--row-stats";
  return approximate_.empty() ? "" : "--approximate";
}

void FitOutputs::write(const Model& model, const Dataset& data, Run& run, Targets& targets) const {
  const auto [x, y] = parse_axes(axes_);
  if (!plot_.empty() && model.components() > 1 && std::max(x, y) >= model.components())
    throw usage_error(
        fmt::format("--axes {} asks for more than the {} components kept; raise -k", axes_, model.components()));
  if (!scree_.empty() && model.spectrum().explained_variance_ratio.size() == 0)
    throw usage_error(fmt::format(
        "--scree draws shares of the variance, and the eigenvalues of {} have none; write them with --spectrum",
        model.method()));
  // What needs no rows is small: it is made first, so that a refusal comes before any file.
  const auto made = [&](ResultKind kind, const std::string& path) {
    return path.empty() ? Dataset() : result_table(model, kind);
  };
  const Dataset loadings = made(ResultKind::loadings, loadings_);
  const Dataset spectrum = made(ResultKind::spectrum, spectrum_);
  const Dataset directions = made(ResultKind::directions, right_);
  if (!left_.empty()) left_table(model, Dataset(Matrix<double>(0, model.components())));  // says where there is none
  const Dataset columns = made(ResultKind::column_statistics, column_stats_);
  Picture shepard;
  if (!shepard_.empty())
    shepard = run.timed("pairs", [&] {
      return make_picture({.model = &model, .data = data}, {.kind = PictureKind::shepard}, run.execution_beside(data));
    });
  if (data.is_stream())
    write_streamed(model, data, run, targets);
  else
    write_rows(model, data, run, targets);
  targets.write(spectrum, spectrum_);
  targets.write(directions, right_);
  targets.write(loadings, loadings_);
  targets.write(columns, column_stats_);
  if (!scree_.empty())
    targets.write_with(scree_, "picture of the spectrum", [&] {
      plot(make_picture({.model = &model}, {.kind = PictureKind::scree}), scree_, run.force());
    });
  if (!shepard_.empty())
    targets.write_with(shepard_, "picture of the pairs", [&] { plot(shepard, shepard_, run.force()); });
  if (!model_.empty()) targets.write_with(model_, "model", [&] { model.save(model_, run.force()); });
}

void FitOutputs::write_rows(const Model& model, const Dataset& data, Run& run, Targets& targets) const {
  if (needs_rows().empty()) return;
  const Execution exec = run.execution_beside(data);
  const Dataset scores = run.timed("transform", [&] { return training_scores(model, data, exec); });
  const Dataset rows =
      row_stats_.empty() ? Dataset() : run.timed("statistics", [&] { return row_statistics_table(model, data, exec); });
  const Dataset back =
      approximate_.empty() ? Dataset() : run.timed("transform", [&] { return model.inverse_transform(scores, exec); });
  targets.write(scores, scores_, to_);
  if (!left_.empty()) targets.write(left_table(model, scores), left_);
  targets.write(rows, row_stats_);
  targets.write(back, approximate_);
  draw(model, scores, run, targets);
}

void FitOutputs::write_streamed(const Model& model, const Dataset& data, Run& run, Targets& targets) const {
  if (needs_rows().empty()) return;
  const Execution exec = run.execution_beside(data);
  targets.write(streamed_transform(model, data, exec), scores_, to_);
  if (!approximate_.empty())
    targets.write(streamed_inverse(model, streamed_transform(model, data, exec), exec), approximate_);
  if (!row_stats_.empty()) {
    data.stream()->rewind();
    targets.write(run.timed("statistics", [&] { return row_statistics_table(model, data, exec); }), row_stats_);
  }
  if (plot_.empty() && left_.empty()) return;
  data.stream()->rewind();
  Dataset scores = run.timed("transform", [&] { return model.transform(data, exec); });
  if (!left_.empty()) targets.write(left_table(model, scores), left_);
  scores.labels = data.labels;
  scores.row_names = data.row_names;
  draw(model, scores, run, targets);
}

void FitOutputs::draw(const Model& model, const Dataset& scores, Run& run, Targets& targets) const {
  if (plot_.empty()) return;
  const auto [x, y] = parse_axes(axes_);
  PictureRequest request;
  if (model.components() > 1) request.axes = {x, y};  // one has no plane: its scores in the order of the rows
  const Picture picture = make_picture({.model = &model, .scores = scores}, request);
  targets.write_with(plot_, "picture of the scores", [&] { plot(picture, plot_, run.force()); });
}

}  // namespace fewdim::cli
