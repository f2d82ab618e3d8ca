#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/remedy.hpp"
#include "fewdim/pictures.hpp"
#include "fewdim/results.hpp"
#include "session/words.hpp"

namespace fewdim {

namespace {

constexpr Index most_pairs = 5;  // that are drawn unasked

void require_possible(const PictureSource& source, PictureKind kind) {
  const bool with_data = !source.data.empty() || (draws_rows(kind) && !source.scores.empty());
  const PictureNeed need = missing_for(kind, source.model, with_data);
  if (need == PictureNeed::nothing) return;
  std::vector<std::string> others;
  for (const PictureKind each : possible_pictures(source.model, !source.data.empty())) others.push_back(word_of(each));
  throw Unsupported(fmt::format("plot: {}{} needs {}; {}", word_of(kind),
                                source.model ? " of " + source.model->method() : "", reason_of(need),
                                others.empty() ? "give the data it was fitted on, or their scores"
                                               : fmt::format("there can be {}", one_of_words(others))));
}

/// "pca of cells.csv"; of a table its name.
std::string default_title(const PictureSource& source, PictureKind kind) {
  if (!source.model) return file_name_of(source.scores.source);
  const std::string& input = source.model->head().provenance.input;
  const std::string of = input.empty() ? source.model->method()  // numbers from memory have no name
                                       : fmt::format("{} of {}", source.model->method(), file_name_of(input));
  if (kind == PictureKind::circle) return "correlations, " + of;
  if (kind == PictureKind::shepard) return "Shepard diagram, " + of;
  return kind == PictureKind::residual ? "residual variance, " + of : of;
}

/// "PC1 (92.5 %)"; of a table the name of the column.
std::string axis_label(const PictureSource& source, const Dataset& scores, Index column) {
  const auto at = static_cast<std::size_t>(column);
  if (!source.model)
    return column < std::ssize(scores.column_names) ? scores.column_names[at] : fmt::format("column {}", column + 1);
  const auto& names = source.model->head().component_names;
  const auto& ratios = source.model->spectrum().explained_variance_ratio;
  const std::string name = names.empty() ? std::to_string(column + 1) : names[at];
  return column < ratios.size() ? fmt::format("{} ({:.1f} %)", name, 100.0 * ratios[column]) : name;
}

template <class T>
bool copy_dense_column(const Dataset& data, Index from, Eigen::Ref<Vector<double>> out) {
  const DenseView<T>* view = data.dense<T>();
  if (view == nullptr) return false;
  for (Index i = 0; i < view->rows; ++i) out[i] = static_cast<double>((*view)(i, from));
  return true;
}

template <class T>
bool copy_sparse_column(const Dataset& data, Index from, Eigen::Ref<Vector<double>> out) {
  const CsrView<T>* view = data.sparse<T>();
  if (view == nullptr) return false;
  out.setZero();
  for (Index i = 0; i < view->rows; ++i)
    for (std::int64_t e = view->offsets[i]; e < view->offsets[i + 1]; ++e)
      if (view->columns[e] == from) out[i] = static_cast<double>(view->values[e]);
  return true;
}

/// These alone: a table may have many more.
Matrix<double> columns_to_draw(const Dataset& scores, const std::vector<Index>& which) {
  Matrix<double> out(scores.rows(), std::ssize(which));
  for (Index c = 0; c < out.cols(); ++c) {
    const Index from = which[static_cast<std::size_t>(c)];
    if (copy_dense_column<double>(scores, from, out.col(c)) || copy_dense_column<float>(scores, from, out.col(c)) ||
        copy_sparse_column<double>(scores, from, out.col(c)) || copy_sparse_column<float>(scores, from, out.col(c)))
      continue;
    throw DataError(fmt::format("{}: is no table of numbers", scores.source));
  }
  return out;
}

/// The axes asked for, or the first ones.
std::vector<Index> axes_to_draw(const PictureRequest& request, Index columns, Index unasked) {
  std::vector<Index> axes = request.axes;
  if (axes.empty())
    for (Index c = 0; c < std::min(unasked, columns); ++c) axes.push_back(c);
  for (const Index axis : axes)
    if (axis < 0 || axis >= columns)
      throw InvalidOption("plot", "axes", std::to_string(axis + 1), fmt::format("must be between 1 and {}", columns),
                          "give components or columns that there are");
  return axes;
}

std::pair<Index, Index> two_axes(const PictureRequest& request, Index columns) {
  const std::vector<Index> axes = axes_to_draw(request, columns, 2);
  if (axes.size() != 2)
    throw InvalidOption("plot", "axes", std::to_string(axes.size()), "must be two", "give two components or columns");
  return {axes[0], axes[1]};
}

/// Makes the pictures of one request.
class PictureMaker {
 public:
  PictureMaker(const PictureSource& source, const PictureRequest& request, const Execution& exec)
      : source_(source), request_(request), exec_(exec) {
    if (!draws_rows(request.kind)) return;
    scores_ = !source.scores.empty() ? source.scores
              : source.data.empty()  ? kept_scores(*source.model)
                                     : scores_of(*source.model, source.data, exec);
  }

  Picture make() const {
    switch (request_.kind) {
      case PictureKind::scatter:
      case PictureKind::density:
        return scatter();
      case PictureKind::pairs:
        return pairs();
      case PictureKind::scree:
        return with_looks(ScreePlot{.ratios = source_.model->spectrum().explained_variance_ratio});
      case PictureKind::cumulative:
        return with_looks(CumulativePlot{.ratios = source_.model->spectrum().explained_variance_ratio});
      case PictureKind::biplot:
        return with_arrows();
      case PictureKind::circle: {
        const auto [x, y] = two_axes(request_, source_.model->components());
        return with_looks(correlation_circle(*source_.model, x, y));
      }
      case PictureKind::shepard:
        return with_looks(shepard_diagram(*source_.model, source_.data, exec_));
      case PictureKind::residual:
        return with_looks(source_.data.empty() ? residual_curve(*source_.model)
                                               : residual_curve(*source_.model, source_.data, exec_));
    }
    return {};
  }

 private:
  template <class Kind>
  Kind with_looks(Kind picture) const {
    picture.title = request_.title ? *request_.title : default_title(source_, request_.kind);
    picture.size = request_.size;
    return picture;
  }

  void color(std::vector<std::string>& labels, Vector<double>& values, std::string& name) const {
    const bool asked = !request_.labels.empty() || request_.values.size() > 0;
    labels = asked ? request_.labels : scores_.labels;
    values = request_.values;
    name = asked ? request_.color_name : labels.empty() ? std::string() : scores_.label_name;
  }

  bool equal() const { return request_.equal.value_or(source_.model && keeps_distances(*source_.model)); }
  bool density() const { return request_.density || request_.kind == PictureKind::density; }

  ScatterPlot scatter() const {
    ScatterPlot picture;
    if (scores_.cols() == 1 && request_.axes.empty()) {  // no plane: numbers in the order of their rows
      picture.x = Vector<double>::LinSpaced(scores_.rows(), 1.0, static_cast<double>(scores_.rows()));
      picture.y = columns_to_draw(scores_, {0}).col(0);
      picture.x_label = "row";
      picture.y_label = axis_label(source_, scores_, 0);
    } else {
      const auto [x, y] = two_axes(request_, scores_.cols());
      const Matrix<double> drawn = columns_to_draw(scores_, {x, y});
      picture.x = drawn.col(0);
      picture.y = drawn.col(1);
      picture.x_label = axis_label(source_, scores_, x);
      picture.y_label = axis_label(source_, scores_, y);
      picture.equal = equal();
    }
    color(picture.labels, picture.values, picture.label_name);
    picture.point_names = scores_.row_names;
    picture.hulls = request_.hulls;
    picture.density = density();
    return with_looks(std::move(picture));
  }

  PairsPlot pairs() const {
    PairsPlot picture;
    const std::vector<Index> axes = axes_to_draw(request_, scores_.cols(), most_pairs);
    picture.values = columns_to_draw(scores_, axes);
    for (const Index axis : axes) picture.names.push_back(axis_label(source_, scores_, axis));
    color(picture.labels, picture.colors, picture.label_name);
    picture.hulls = request_.hulls;
    picture.density = density();
    picture.equal = equal();
    return with_looks(std::move(picture));
  }

  Biplot with_arrows() const {
    const auto [x, y] = two_axes(request_, source_.model->components());
    Biplot picture = biplot(*source_.model, scores_, x, y, request_.alpha);
    color(picture.labels, picture.values, picture.label_name);
    return with_looks(std::move(picture));
  }

  const PictureSource& source_;
  const PictureRequest& request_;
  const Execution& exec_;
  Dataset scores_;
};

}  // namespace

Picture make_picture(const PictureSource& source, const PictureRequest& request, const Execution& exec) {
  require_possible(source, request.kind);
  return PictureMaker(source, request, exec).make();
}

}  // namespace fewdim
