#include "fewdim/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "data/table/column_names.hpp"
#include "data/table/reshape.hpp"
#include "fewdim/error.hpp"
#include "fewdim/image_index.hpp"
#include "fewdim/ratings_index.hpp"
#include "fewdim/text_index.hpp"
#include "models/shapes/shapes.hpp"
#include "models/text/term_rows.hpp"

namespace fewdim {

namespace {

using Names = std::vector<std::string>;

/// Coordinates may be named as one likes; where the model's own names are all there, they go by name.
std::optional<Dataset> own_coordinates(const Dataset& coordinates, const Names& names, const Execution& exec) {
  if (coordinates.column_names.empty() || !match_names(coordinates.column_names, names).missing.empty()) return {};
  return own_columns(coordinates, names, "inverse_transform", exec);
}

Dataset with_names(Dataset result, const Dataset& input, const Names& columns) {
  const auto per_row = [&](const Names& names) { return std::ssize(names) == result.rows() ? names : Names{}; };
  result.row_names = per_row(input.row_names);
  result.row_names_header = input.row_names_header;
  result.labels = per_row(input.labels);
  result.label_name = input.label_name;
  result.source = input.source;
  result.column_names = columns;
  return result;
}

std::string wrong_width(const Model& model, const Dataset& data) {
  if (model.takes_text()) return "transform: the model compares strings, and the data have none; give lines of text";
  if (data.is_text())
    return fmt::format("transform: the model has {} features, and the data are text", model.features());
  const Index found = data.cols();
  const std::string comes_as = model.new_object();
  if (comes_as.empty())
    return fmt::format(
        "transform: the model has {} features, the data {}; give the columns it was fitted on with {} or {}",
        model.features(), found, set_option("columns"), set_option("drop"));
  return fmt::format(
      "transform: a new object needs its {} to each of the {} training objects, one column each; the data "
      "have {}",
      comes_as, model.features(), found);
}

std::string name_of(const Model::Head& head) { return head.method.empty() ? "model" : head.method; }

}  // namespace

Model::Model(Head head, AnyShape shape) : head_(std::move(head)), shape_(std::move(shape)) {
  std::visit([&](const auto& s) { require_shapes(head_, s, head_.method); }, shape_);
}

Index Model::features() const {
  return std::visit([](const auto& s) { return features_of(s); }, shape_);
}

Index Model::components() const {
  return std::visit([](const auto& s) { return components_of(s); }, shape_);
}

bool Model::takes_text() const {
  return beside<TextIndex>() || std::visit([](const auto& s) { return fewdim::takes_text(s); }, shape_);
}

std::string Model::new_object() const {
  return std::visit([](const auto& s) { return fewdim::new_object(s); }, shape_);
}

std::optional<Metric> Model::metric() const {
  return std::visit([](const auto& s) { return metric_of(s); }, shape_);
}

const Matrix<double>* Model::places() const {
  if (has_embedding()) return &embedding_;
  return std::visit([](const auto& s) { return places_of(s); }, shape_);
}

const LinearModel& Model::linear() const {
  const auto* shape = std::get_if<LinearModel>(&shape_);
  if (!shape)
    throw Unsupported(
        fmt::format("{}: has no directions in the input space; its objects are placed by their "
                    "similarities: use transform",
                    head_.method));
  if (features_of(*shape) == 0) throw Unsupported("the model is empty; fit one, or load one from a file");
  return *shape;
}

const KernelModel& Model::kernel() const {
  if (const auto* shape = std::get_if<KernelModel>(&shape_)) return *shape;
  throw Unsupported(fmt::format("{}: is not a kernel model", name_of(head_)));
}

const StressModel& Model::stress() const {
  if (const auto* shape = std::get_if<StressModel>(&shape_)) return *shape;
  throw Unsupported(fmt::format("{}: has no map fitted by stress; use {}", name_of(head_), use_method("smacof")));
}

const NeighborModel& Model::neighbor() const {
  if (const auto* shape = std::get_if<NeighborModel>(&shape_)) return *shape;
  throw Unsupported(fmt::format("{}: does not place objects by their neighbors alone", name_of(head_)));
}

const Spectrum& Model::spectrum() const {
  if (as<LinearModel>()) linear();  // says so where the model is empty
  return std::visit([](const auto& s) -> const Spectrum& { return s; }, shape_);
}

Dataset Model::transform(const Dataset& data, const Execution& exec) const {
  if (as<LinearModel>()) linear();  // says so where the model is empty
  if (const TextIndex* index = beside<TextIndex>()) {
    if (!data.is_text()) throw DataError("transform: the model takes documents, and the data are numbers; give texts");
    return with_names(linear_transform(linear(), weighted_terms(*index, data.texts, exec), false, exec), data,
                      head_.component_names);
  }
  if (const auto own = own_columns(data, head_.feature_names, "transform", exec)) return transform(*own, exec);
  if (data.cols() != features() || data.is_text() != takes_text()) throw DataError(wrong_width(*this, data));
  return with_names(std::visit([&](const auto& s) { return place(s, head_, data, exec); }, shape_), data,
                    head_.component_names);
}

Dataset Model::inverse_transform(const Dataset& coordinates, const Execution& exec) const {
  std::visit([&](const auto& s) { require_way_back(s, head_); }, shape_);
  if (const auto own = own_coordinates(coordinates, head_.component_names, exec)) return inverse_transform(*own, exec);
  if (coordinates.cols() != components())
    throw DataError(
        fmt::format("inverse_transform: the model has {} components, the coordinates {} columns; give what transform "
                    "returned",
                    components(), coordinates.cols()));
  return with_names(std::visit([&](const auto& s) { return back(s, head_, coordinates, exec); }, shape_), coordinates,
                    head_.feature_names);
}

const Matrix<double>& Model::embedding() const {
  if (!has_embedding())
    throw Unsupported(
        fmt::format("{}: the model holds no coordinates of its training rows; fit with {}, or use "
                    "transform on them, which gives the same",
                    name_of(head_), set_option("embedding", "true")));
  return embedding_;
}

const std::vector<std::int32_t>& Model::left_out() const {
  return std::visit([](const auto& s) -> const std::vector<std::int32_t>& { return left_out_of(s); }, shape_);
}

const TextIndex& Model::index() const {
  if (const TextIndex* held = beside<TextIndex>()) return *held;
  throw Unsupported(
      fmt::format("{}: the model holds no documents; make one with {}", name_of(head_), use_method("lsi")));
}

const ImageIndex& Model::images() const {
  if (const ImageIndex* held = beside<ImageIndex>()) return *held;
  throw Unsupported(
      fmt::format("{}: the model holds no images; make one with {}", name_of(head_), use_command("faces")));
}

const RatingsIndex& Model::ratings() const {
  if (const RatingsIndex* held = beside<RatingsIndex>()) return *held;
  throw Unsupported(
      fmt::format("{}: the model holds no ratings; make one with {}", name_of(head_), use_method("complete")));
}

Vector<double> Model::eigenvalues() const {
  return std::visit([&](const auto& s) { return eigenvalues_of(s, head_); }, shape_);
}

Vector<double> Model::variances() const {
  const double divisor = std::visit([](const auto& s) { return variance_divisor(s); }, shape_);
  return divisor > 0.0 ? Vector<double>(spectrum().explained_variance / divisor) : Vector<double>();
}

double Model::total_of_variances() const {
  const double divisor = std::visit([](const auto& s) { return variance_divisor(s); }, shape_);
  return divisor > 0.0 ? spectrum().total_variance / divisor : 0.0;
}

void Model::keep_embedding(Matrix<double> coordinates) {
  if (coordinates.cols() != components())
    throw DataError(fmt::format("{}: an embedding with {} columns does not fit a model of {} components", head_.method,
                                coordinates.cols(), components()));
  embedding_ = std::move(coordinates);
}

}  // namespace fewdim
