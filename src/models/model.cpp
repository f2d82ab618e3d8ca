#include "fewdim/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/table/column_names.hpp"
#include "data/table/reshape.hpp"
#include "fewdim/error.hpp"
#include "fewdim/image_index.hpp"
#include "fewdim/ratings_index.hpp"
#include "models/file/metadata.hpp"
#include "models/preimage/preimage.hpp"
#include "models/shapes/gaussian.hpp"
#include "models/shapes/kernel.hpp"
#include "models/shapes/linear.hpp"
#include "models/shapes/neighbor.hpp"
#include "models/shapes/stress.hpp"
#include "models/text/term_rows.hpp"

namespace fewdim {

namespace {

using Names = std::vector<std::string>;

/// Coordinates may be named as one likes; where the model's own names are all there, they go by name.
std::optional<Dataset> own_coordinates(const Dataset& coordinates, const Names& names, const Execution& exec) {
  if (coordinates.column_names.empty() || !match_names(coordinates.column_names, names).missing.empty()) return {};
  return own_columns(coordinates, names, "inverse_transform", exec);
}

/// Throws Unsupported where there is none.
void require_way_back(const Model& model) {
  const std::string& method = model.method();
  if (model.is_neighbor()) {
    if (model.neighbor().objects.size() > 0) return;
    throw Unsupported(
        fmt::format("{}: the model was made from distances or links, and has no rows to go back to", method));
  }
  if (model.is_kernel() && model.kernel().inverse.kind != Preimage::none) return;
  if (method != "kernel-pca") throw Unsupported(fmt::format("{}: has no way back to the input", method));
  throw Unsupported(
      fmt::format("{}: the model was fitted without a way back to the input; fit with --inverse ridge, fixed-point or "
                  "distances",
                  method));
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

bool wants_single(const Model::Head& head, const LinearModel& model) {
  const auto accuracy = head.options.find("accuracy");
  const bool high = accuracy != head.options.end() && accuracy->second == OptionValue(std::string("high"));
  return head.precision == Precision::float32 && !high && fits_single(model);
}

std::string wrong_width(const Model& model, const Dataset& data) {
  if (model.takes_text()) return "transform: the model compares strings, and the data have none; give lines of text";
  if (data.is_text())
    return fmt::format("transform: the model has {} features, and the data are text", model.features());
  const Index found = data.cols();
  const bool from_rows = model.is_linear() || (model.is_stress()     ? model.stress().objects
                                               : model.is_neighbor() ? model.neighbor().objects
                                                                     : model.kernel().objects)
                                                      .size() > 0;
  if (from_rows)
    return fmt::format(
        "transform: the model has {} features, the data {}; give the columns it was fitted on (--columns, --drop)",
        model.features(), found);
  return fmt::format(
      "transform: a new object needs its {} to each of the {} training objects, one column each; the data "
      "have {}",
      model.is_stress()                                 ? "distance"
      : model.is_neighbor()                             ? (model.neighbor().given ? "link" : "distance")
      : model.kernel().similarity == Similarity::kernel ? "kernel value"
      : model.kernel().paths.given                      ? "link"
                                                        : "distance",
      model.features(), found);
}

}  // namespace

Model::Model(Head head, LinearModel shape) : head_(std::move(head)), shape_(std::move(shape)) {
  require_shapes(head_, std::get<LinearModel>(shape_), head_.method);
}
Model::Model(Head head, KernelModel shape) : head_(std::move(head)), shape_(std::move(shape)) {
  require_shapes(head_, kernel(), head_.method);
}
Model::Model(Head head, StressModel shape) : head_(std::move(head)), shape_(std::move(shape)) {
  require_shapes(head_, stress(), head_.method);
}
Model::Model(Head head, NeighborModel shape) : head_(std::move(head)), shape_(std::move(shape)) {
  require_shapes(head_, neighbor(), head_.method);
}

Index Model::features() const {
  if (is_linear()) return features_of(std::get<LinearModel>(shape_));
  if (is_stress()) return stress().objects.size() > 0 ? stress().objects.cols() : stress().configuration.rows();
  if (is_neighbor()) {
    const NeighborModel& shape = neighbor();
    return shape.objects.size() > 0 ? shape.objects.cols() : shape.configuration.rows() + std::ssize(shape.left_out);
  }
  const auto& shape = std::get<KernelModel>(shape_);
  if (takes_text()) return 0;
  if (shape.objects.size() > 0) return shape.objects.cols();
  if (shape.paths.vertices > 0) return shape.paths.vertices + std::ssize(shape.paths.left_out);
  return shape.coefficients.rows();
}
Index Model::components() const {
  if (is_stress()) return stress().configuration.cols();
  if (is_neighbor()) return neighbor().configuration.cols();
  return is_linear() ? components_of(std::get<LinearModel>(shape_)) : std::get<KernelModel>(shape_).coefficients.cols();
}

bool Model::takes_text() const {
  const auto* shape = std::get_if<KernelModel>(&shape_);
  return has_index() || (shape && shape->kernel == KernelKind::spectrum);
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
  throw Unsupported(fmt::format("{}: is not a kernel model", head_.method.empty() ? "model" : head_.method));
}

const StressModel& Model::stress() const {
  if (const auto* shape = std::get_if<StressModel>(&shape_)) return *shape;
  throw Unsupported(
      fmt::format("{}: has no map fitted by stress; use smacof", head_.method.empty() ? "model" : head_.method));
}

const NeighborModel& Model::neighbor() const {
  if (const auto* shape = std::get_if<NeighborModel>(&shape_)) return *shape;
  throw Unsupported(fmt::format("{}: does not place objects by their neighbors alone",
                                head_.method.empty() ? "model" : head_.method));
}

const Spectrum& Model::spectrum() const {
  if (is_stress()) return stress();
  if (is_neighbor()) return neighbor();
  if (const auto* shape = std::get_if<KernelModel>(&shape_)) return *shape;
  return linear();
}

Dataset Model::transform(const Dataset& data, const Execution& exec) const {
  if (is_linear()) linear();  // says so where the model is empty
  if (has_index()) {
    if (!data.is_text()) throw DataError("transform: the model takes documents, and the data are numbers; give texts");
    return with_names(linear_transform(linear(), weighted_terms(index(), data.texts, exec), false, exec), data,
                      head_.component_names);
  }
  if (const auto own = own_columns(data, head_.feature_names, "transform", exec)) return transform(*own, exec);
  if (data.cols() != features() || data.is_text() != takes_text()) throw DataError(wrong_width(*this, data));
  if (is_linear() && linear().noise.size() > 0 && has_missing(data, exec))
    return transform(fill_rows(linear(), data, false, "transform", exec).rows, exec);
  Dataset result = is_linear()     ? linear_transform(linear(), data, wants_single(head_, linear()), exec)
                   : is_stress()   ? stress_transform(stress(), data, head_.precision, exec)
                   : is_neighbor() ? neighbor_transform(neighbor(), data, head_.precision, exec)
                                   : kernel_transform(kernel(), data, head_.precision, exec);
  return with_names(std::move(result), data, head_.component_names);
}

Dataset Model::inverse_transform(const Dataset& coordinates, const Execution& exec) const {
  if (is_linear())
    linear();  // says so where the model is empty
  else
    require_way_back(*this);
  if (const auto own = own_coordinates(coordinates, head_.component_names, exec)) return inverse_transform(*own, exec);
  if (coordinates.cols() != components())
    throw DataError(
        fmt::format("inverse_transform: the model has {} components, the coordinates {} columns; give what transform "
                    "returned",
                    components(), coordinates.cols()));
  Dataset result = is_linear()     ? linear_inverse(linear(), coordinates, wants_single(head_, linear()), exec)
                   : is_neighbor() ? neighbor_inverse(neighbor(), coordinates, head_.precision, exec)
                                   : kernel_inverse(kernel(), coordinates, head_.precision, exec);
  return with_names(std::move(result), coordinates, head_.feature_names);
}

const Matrix<double>& Model::embedding() const {
  if (!has_embedding())
    throw Unsupported(
        fmt::format("{}: the model holds no coordinates of its training rows; fit with embedding=true, or use "
                    "transform on them, which gives the same",
                    head_.method.empty() ? "model" : head_.method));
  return embedding_;
}

const std::vector<std::int32_t>& Model::left_out() const {
  static const std::vector<std::int32_t> none;
  if (is_neighbor()) return neighbor().left_out;
  return is_kernel() ? kernel().paths.left_out : none;
}

const TextIndex& Model::index() const {
  if (index_) return *index_;
  throw Unsupported(fmt::format("{}: the model holds no documents; make one with `fewdim lsi`",
                                head_.method.empty() ? "model" : head_.method));
}

void Model::keep_index(TextIndex index) { index_ = std::make_shared<const TextIndex>(std::move(index)); }

const ImageIndex& Model::images() const {
  if (images_) return *images_;
  throw Unsupported(fmt::format("{}: the model holds no images; make one with `fewdim faces`",
                                head_.method.empty() ? "model" : head_.method));
}

void Model::keep_images(ImageIndex images) { images_ = std::make_shared<const ImageIndex>(std::move(images)); }

const RatingsIndex& Model::ratings() const {
  if (ratings_) return *ratings_;
  throw Unsupported(fmt::format("{}: the model holds no ratings; make one with `fewdim complete`",
                                head_.method.empty() ? "model" : head_.method));
}

void Model::keep_ratings(RatingsIndex ratings) { ratings_ = std::make_shared<const RatingsIndex>(std::move(ratings)); }

void Model::keep_embedding(Matrix<double> coordinates) {
  if (coordinates.cols() != components())
    throw DataError(fmt::format("{}: an embedding with {} columns does not fit a model of {} components", head_.method,
                                coordinates.cols(), components()));
  embedding_ = std::move(coordinates);
}

}  // namespace fewdim
