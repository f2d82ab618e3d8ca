#include "fewdim/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fewdim/error.hpp"
#include "models/linear.hpp"
#include "models/metadata.hpp"

namespace fewdim {

namespace {

using Names = std::vector<std::string>;

/// The first place where the names differ, or -1. Names that went through a file are UTF-8.
Index first_difference(const Names& expected, const Names& found) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (expected[i] != found[i] && as_utf8(expected[i]) != as_utf8(found[i])) return static_cast<Index>(i);
  return -1;
}

bool same_set(Names a, Names b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

void require_columns(const Dataset& data, const Names& names) {
  if (names.empty() || data.column_names.size() != names.size()) return;
  const Index at = first_difference(names, data.column_names);
  if (at < 0) return;
  const auto i = static_cast<std::size_t>(at);
  throw DataError(fmt::format(
      "transform: column {} is '{}', the model has '{}' there; {}", at + 1, data.column_names[i], names[i],
      same_set(names, data.column_names) ? "the columns are in another order: put them in the model's with --columns"
                                         : "choose the model's columns with --columns"));
}

/// Coordinates may be named as one likes, but the model's own names in another order are a slip.
void require_coordinates(const Dataset& coordinates, const Names& names) {
  if (names.empty() || coordinates.column_names.size() != names.size() || !same_set(names, coordinates.column_names))
    return;
  const Index at = first_difference(names, coordinates.column_names);
  if (at < 0) return;
  const auto i = static_cast<std::size_t>(at);
  throw DataError(
      fmt::format("inverse_transform: column {} is '{}', the model has '{}' there; put the columns in the model's "
                  "order with --columns",
                  at + 1, coordinates.column_names[i], names[i]));
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

}  // namespace

Model::Model(Head head, LinearModel shape) : head_(std::move(head)), linear_(std::move(shape)) {
  require_shapes(head_, linear_, head_.method);
}

Index Model::features() const { return linear_.map.rows(); }
Index Model::components() const { return linear_.map.cols(); }

const LinearModel& Model::linear() const {
  if (linear_.map.size() == 0) throw Unsupported("the model is empty; fit one, or load one from a file");
  return linear_;
}

Dataset Model::transform(const Dataset& data, const Execution& exec) const {
  const LinearModel& model = linear();
  if (data.cols() != features())
    throw DataError(
        fmt::format("transform: the model has {} features, the data {}; give the columns it was fitted on (--columns, "
                    "--drop)",
                    features(), data.cols()));
  require_columns(data, head_.feature_names);
  return with_names(linear_transform(model, data, wants_single(head_, model), exec), data, head_.component_names);
}

Dataset Model::inverse_transform(const Dataset& coordinates, const Execution& exec) const {
  const LinearModel& model = linear();
  if (coordinates.cols() != components())
    throw DataError(
        fmt::format("inverse_transform: the model has {} components, the coordinates {} columns; give what transform "
                    "returned",
                    components(), coordinates.cols()));
  require_coordinates(coordinates, head_.component_names);
  return with_names(linear_inverse(model, coordinates, wants_single(head_, model), exec), coordinates,
                    head_.feature_names);
}

const Matrix<double>& Model::embedding() const {
  if (!has_embedding())
    throw Unsupported(
        fmt::format("{}: the model holds no coordinates of its training rows; fit with embedding=true, or use "
                    "transform on them, which gives the same",
                    head_.method.empty() ? "model" : head_.method));
  return embedding_;
}

void Model::keep_embedding(Matrix<double> coordinates) {
  if (coordinates.cols() != components())
    throw DataError(fmt::format("{}: an embedding with {} columns does not fit a model of {} components", head_.method,
                                coordinates.cols(), components()));
  embedding_ = std::move(coordinates);
}

}  // namespace fewdim
