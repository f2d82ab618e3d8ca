#include "plot_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "fewdim/plot.hpp"
#include "fewdim/text_index.hpp"
#include "fit_outputs.hpp"
#include "plot_labels.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace {

/// A safetensors file starts with the length of its header, which is JSON; no table does.
bool is_model(const std::string& path) {
  if (path.ends_with(".fewdim")) return true;
  if (path == "-" || path.starts_with('@')) return false;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 9> head{};
  if (!file.read(head.data(), head.size())) return false;
  std::uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  static_assert(std::endian::native == std::endian::little);
  return head[8] == '{' && length >= 2 && length <= std::filesystem::file_size(path, error);
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

template <class T>
bool copy_dense(const Dataset& data, Index from, Eigen::Ref<Vector<double>> out) {
  const DenseView<T>* view = data.dense<T>();
  if (view == nullptr) return false;
  for (Index i = 0; i < view->rows; ++i) out[i] = static_cast<double>((*view)(i, from));
  return true;
}

template <class T>
bool copy_sparse(const Dataset& data, Index from, Eigen::Ref<Vector<double>> out) {
  const CsrView<T>* view = data.sparse<T>();
  if (view == nullptr) return false;
  out.setZero();
  for (Index i = 0; i < view->rows; ++i)
    for (std::int64_t e = view->offsets[i]; e < view->offsets[i + 1]; ++e)
      if (view->columns[e] == from) out[i] = static_cast<double>(view->values[e]);
  return true;
}

}  // namespace

void PlotPoints::declare(CLI::App& app) {
  input_.declare(app,
                 {.help = "a model that a method kept with -m, or a table of coordinates: a file, -, or a built-in "
                          "table"});
  app.add_option("DATA", data_path_,
                 "of a model: the rows to place, or those it was fitted on: a file, -, or a "
                 "built-in table")
      ->type_name("FILE");
  add_text(app, "--color", color_, "COLUMN", "a column of numbers to color by, along a color bar", "Picture");
  add_text(app, "--labels", labels_path_, "FILE",
           "another table with the labels, one a row; --label or --color names its column [the only one]", "Picture");
}

std::vector<std::string> PlotPoints::paths() const {
  std::vector<std::string> out{input_.name()};
  for (const std::string& path : {data_path_, labels_path_})
    if (!path.empty()) out.push_back(path);
  return out;
}

void PlotPoints::open(Run& run) {
  input_path_ = input_.name();
  if (!color_.empty() && !input_.options().label.empty())
    throw usage_error("--color and --label both say what colors the points; give one of them");
  const std::vector<std::string> words = paths();
  if (std::ranges::count(words, "-") > 1) throw usage_error("standard input (-) can be read once; name it once");
  if (!is_model(input_path_)) {
    if (has_data())
      throw usage_error(fmt::format("{} is a table, and DATA is for models; give one of them", input_path_));
    return;
  }
  model_ = run.timed("load", [&] { return Model::load(input_path_); });
  if (has_data()) input_.set_path(data_path_);
}

std::string PlotPoints::title() const { return model_ ? title_of(*model_) : file_name(input_path_); }

bool PlotPoints::keeps_coordinates() const { return model_->beside<TextIndex>() || model_->places(); }

std::vector<std::string> PlotPoints::kinds() const {
  std::vector<std::string> out;
  const bool places = !model_ || has_data() || keeps_coordinates();
  if (places) out.emplace_back("scatter");
  if (places && (!model_ || model_->components() > 1)) out.emplace_back("pairs");
  if (!model_) return out;
  const bool linear = model_->as<LinearModel>(), plane = model_->components() > 1;
  if (model_->spectrum().explained_variance_ratio.size() > 0) out.insert(out.end(), {"scree", "cumulative"});
  const MethodCard* card = find_method(model_->method());
  const bool arrows = !card || card->gives.pictures.has(PictureKind::biplot);
  if (linear && plane && places && arrows) out.emplace_back("biplot");
  if (linear && plane && model_->linear().mean.size() > 0) out.emplace_back("circle");
  const bool distances =
      model_->as<StressModel>() || (model_->as<KernelModel>() && model_->kernel().similarity == Similarity::distance);
  if (distances && has_data()) out.emplace_back("shepard");
  const bool kept = find_diagnostic(model_->head().diagnostics, diagnostic::residual_variance(1));
  if (kept || (has_data() && !model_->takes_text() && !model_->beside<TextIndex>())) out.emplace_back("residual");
  return out;
}

void PlotPoints::refuse(const std::string& kind, const std::vector<std::string>& possible) const {
  const std::string instead = possible.empty() ? "" : fmt::format("; it has {}", one_of(possible));
  if (!model_)
    throw usage_error(
        fmt::format("--kind {} needs a model, and {} is a table; it has {}", kind, input_path_, one_of(possible)));
  const bool placed = kind == "scatter" || kind == "pairs" || kind == "biplot";
  if (placed && model_->components() > 1 && (kind != "biplot" || model_->as<LinearModel>())) require_coordinates();
  std::string reason = "that it does not have";
  if (kind == "pairs") reason = "two components, and there is one";
  if (kind == "biplot" || kind == "circle")
    reason = model_->as<LinearModel>()
                 ? (model_->components() < 2 ? "two components, and there is one" : "columns that were centered")
                 : "loadings of columns";
  if (kind == "biplot" && model_->as<LinearModel>() && model_->components() > 1)
    reason = "variances of its directions, and there are none";
  if (kind == "scree" || kind == "cumulative") reason = "shares of variance, and its eigenvalues have none";
  if (kind == "shepard" || kind == "residual") {
    const bool could = kind == "residual"
                           ? !model_->takes_text() && !model_->beside<TextIndex>()
                           : model_->as<StressModel>() ||
                                 (model_->as<KernelModel>() && model_->kernel().similarity == Similarity::distance);
    reason = could ? "the data it was fitted on: give them as DATA" : "distances that it was made from";
  }
  throw usage_error(fmt::format("--kind {} of {} needs {}{}", kind, model_->method(), reason, instead));
}

void PlotPoints::require_coordinates() const {
  if (!model_ || has_data() || keeps_coordinates()) return;
  throw usage_error(
      fmt::format("{} keeps no coordinates of rows; give the rows as DATA, or fit with --embedding", input_path_));
}

const Dataset& PlotPoints::data(Run& run) {
  if (!has_data()) throw usage_error("DATA is missing: give what the model was fitted on");
  if (data_.empty())
    data_ = model_->takes_text() && !model_->beside<TextIndex>()
                ? input_.load_lines(run)
                : input_.load_columns(run, Streaming::never, input_.options(), model_->head().feature_names);
  return data_;
}

void PlotPoints::load(Run& run) {
  if (model_)
    load_model_rows(run);
  else
    load_table(run);
  load_colors(run);
}

void PlotPoints::load_table(Run& run) {
  ReadOptions options = input_.options();
  if (!labels_path_.empty())
    options.label.clear();  // names a column there
  else if (!color_.empty() && !input_.is_builtin())
    options.label = color_;
  scores_ = input_.load(run, Streaming::never, options);
  if (scores_.cols() == 0 || scores_.rows() == 0)
    throw DataError(fmt::format("{}: has no numbers to draw; give columns of coordinates", input_path_));
}

void PlotPoints::load_model_rows(Run& run) {
  if (!has_data()) {
    scores_ = kept_scores(*model_);
    return;
  }
  if (model_->beside<TextIndex>())
    throw usage_error(fmt::format("{} is an index that holds its documents; give it alone", input_path_));
  if (!labels_path_.empty() && !input_.options().label.empty()) {
    ReadOptions options = input_.options();
    options.label.clear();
    data_ = input_.load_columns(run, Streaming::never, options, model_->head().feature_names);
  }
  const Dataset& rows = data(run);
  const Provenance& origin = model_->head().provenance;
  const std::string hash = rows.input_hash();
  const bool same =
      rows.rows() == origin.rows && (hash.empty() ? rows.source == origin.input : hash == origin.input_hash);
  const Execution exec = run.execution_beside(rows);
  scores_ = run.timed("transform",
                      [&] { return same ? training_scores(*model_, rows, exec) : model_->transform(rows, exec); });
}

void PlotPoints::load_colors(Run& run) {
  const std::string wanted = color_.empty() ? input_.options().label : color_;
  if (!labels_path_.empty()) {
    const Index rows = scores_.rows();
    const bool some = model_ && !model_->left_out().empty();
    LabelColumn column;
    try {
      column = read_labels(labels_path_, wanted, rows, run);
    } catch (const DataError&) {
      if (!some) throw;
      column = read_labels(labels_path_, wanted, rows + std::ssize(model_->left_out()), run);
      column.labels = fitted_of(column.labels, *model_);
    }
    labels_ = std::move(column.labels);
    color_name_ = column.name;
  } else if (!color_.empty() && input_.is_builtin()) {
    const Dataset table = input_.load(run);
    const auto at = std::ranges::find(table.column_names, color_);
    if (at == table.column_names.end())
      throw usage_error(fmt::format("--color {}: is no column of {}; there are {}", color_, input_.name(),
                                    fmt::join(table.column_names, ", ")));
    values_ = table.matrix<double>().col(at - table.column_names.begin());
    color_name_ = color_;
  } else if (!color_.empty() && model_) {
    if (!has_data())
      throw usage_error(fmt::format("--color {}: a model has no columns; give DATA or --labels", color_));
    if (input_.is_pipe()) throw usage_error("--color of a pipe: it can be read once; give a file");
    ReadOptions options = input_.options();
    options.label = color_;
    std::erase(options.drop, color_);
    std::vector<std::string> others = model_->head().feature_names;  // it may be one of the model's own columns
    std::erase(others, color_);
    labels_ = input_.load_columns(run, Streaming::never, options, others).labels;
    if (!model_->left_out().empty()) labels_ = fitted_of(labels_, *model_);
    color_name_ = color_;
  } else {
    labels_ = scores_.labels;
    color_name_ = scores_.labels.empty() ? "" : scores_.label_name;
  }
  if (!color_.empty() && values_.size() == 0)
    values_ = as_numbers(labels_, color_name_.empty() ? color_ : color_name_,
                         labels_path_.empty() ? input_.name() : labels_path_);
  if (values_.size() > 0) labels_.clear();
}

bool PlotPoints::keeps_lengths() const { return model_ && keeps_distances(*model_); }

std::vector<Index> PlotPoints::axes(const std::string& text) const {
  const std::vector<std::string> names =
      model_ && scores_.empty() ? model_->head().component_names : scores_.column_names;
  std::vector<Index> out;
  for (const std::string& part : split_list(text)) {
    const auto named = std::ranges::find(names, part);
    if (named != names.end()) {
      out.push_back(named - names.begin());
      continue;
    }
    const bool number = !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    const Index place = number && part.size() < 10 ? parse_whole(part, "--axes", 0) : 0;
    if (place >= 1 && place <= count()) {
      out.push_back(place - 1);
      continue;
    }
    std::string there = fmt::format("there are {}", count());
    if (!names.empty() && names.size() <= 12) there += fmt::format(": {}", fmt::join(names, ", "));
    throw usage_error(fmt::format("--axes {}: '{}' is none of the axes; {}", text, part, there));
  }
  return out;
}

std::string PlotPoints::axis_name(Index column) const {
  if (model_) return axis_label(*model_, column);
  const std::vector<std::string>& names = scores_.column_names;
  return column < std::ssize(names) ? names[static_cast<std::size_t>(column)] : fmt::format("column {}", column + 1);
}

Matrix<double> PlotPoints::columns(const std::vector<Index>& which) const {
  Matrix<double> out(scores_.rows(), std::ssize(which));
  for (Index c = 0; c < out.cols(); ++c) {
    const Index from = which[static_cast<std::size_t>(c)];
    if (copy_dense<double>(scores_, from, out.col(c)) || copy_dense<float>(scores_, from, out.col(c)) ||
        copy_sparse<double>(scores_, from, out.col(c)) || copy_sparse<float>(scores_, from, out.col(c)))
      continue;
    throw DataError(fmt::format("{}: is no table of numbers", input_path_));
  }
  return out;
}

void PlotPoints::color(std::vector<std::string>& labels, Vector<double>& values, std::string& name) const {
  labels = labels_;
  values = values_;
  name = color_name_;
}

}  // namespace fewdim::cli
