#include <algorithm>
#include <utility>

#include "fewdim/results.hpp"
#include "fewdim/text_index.hpp"
#include "session/map_stream.hpp"

namespace fewdim {

namespace {

/// A stream gives the rows' names and labels with the rows; their headings stand in the data set.
void name_rows_like(const Dataset& data, Dataset& mapped) {
  mapped.row_names_header = data.row_names_header;
  mapped.label_name = data.label_name;
}

/// Where the documents of an index lie.
Dataset document_scores(const Model& model) {
  const TextIndex& index = model.index();
  Matrix<float> places(index.documents(), model.components());
  for (Index i = 0; i < places.rows(); ++i)
    for (Index c = 0; c < places.cols(); ++c) places(i, c) = index.places[i * places.cols() + c] * index.norms[i];
  Dataset scores(std::move(places));
  scores.column_names = model.head().component_names;
  for (Index i = 0; i < index.documents(); ++i) scores.row_names.emplace_back(index.ids[i]);
  scores.row_names_header = "id";
  return scores;
}

/// Names by number, or nobody could tell which rows are there.
void number_rows(const Model& model, Index rows, Dataset& scores) {
  std::vector<std::string> numbers;
  for (Index i = 1; i <= rows; ++i) numbers.push_back(std::to_string(i));
  scores.row_names = fitted_of(numbers, model);
  scores.row_names_header = "row";
}

}  // namespace

std::vector<std::string> fitted_of(const std::vector<std::string>& list, const Model& model) {
  std::vector<std::string> out;
  auto left_out = model.left_out().begin();
  for (std::size_t row = 0; row < list.size(); ++row)
    if (left_out != model.left_out().end() && std::cmp_equal(*left_out, row))
      ++left_out;
    else
      out.push_back(list[row]);
  return out;
}

bool fitted_on(const Model& model, const Dataset& data) {
  const Provenance& origin = model.head().provenance;
  if (data.rows() != origin.rows) return false;
  const std::string hash = data.input_hash();
  return hash.empty() ? !data.source.empty() && data.source == origin.input : hash == origin.input_hash;
}

Dataset training_scores(const Model& model, const Dataset& data, const Execution& exec) {
  if (model.beside<TextIndex>()) return document_scores(model);
  if (model.as<LinearModel>() || !model.has_embedding()) return model.transform(data, exec);
  Dataset scores = model.head().precision == Precision::float32
                       ? Dataset(Matrix<float>(model.embedding().cast<float>()))
                       : Dataset(Matrix<double>(model.embedding()));
  scores.column_names = model.head().component_names;
  scores.row_names = fitted_of(data.row_names, model);
  scores.row_names_header = data.row_names_header;
  scores.labels = fitted_of(data.labels, model);
  scores.label_name = data.label_name;
  if (!model.left_out().empty() && scores.row_names.empty()) number_rows(model, data.rows(), scores);
  return scores;
}

Dataset kept_scores(const Model& model) {
  if (model.beside<TextIndex>()) return document_scores(model);
  const Matrix<double>* places = model.places();
  if (places == nullptr || places->size() == 0) return {};
  Dataset scores{Matrix<double>(*places)};
  scores.column_names = model.head().component_names;
  if (!model.left_out().empty()) number_rows(model, scores.rows() + std::ssize(model.left_out()), scores);
  return scores;
}

Dataset scores_of(const Model& model, const Dataset& data, const Execution& exec) {
  return fitted_on(model, data) ? training_scores(model, data, exec) : model.transform(data, exec);
}

Dataset streamed_transform(const Model& model, const Dataset& data, const Execution& exec) {
  if (data.stream()->rewindable()) data.stream()->rewind();
  Execution inside = exec;
  inside.progress = {};  // the writer reports
  Dataset scores{std::shared_ptr<RowStream>(std::make_shared<MapStream>(
      data, model.components(), [&model, inside](const Dataset& block) { return model.transform(block, inside); },
      "transform"))};
  scores.column_names = model.head().component_names;
  name_rows_like(data, scores);
  return scores;
}

Dataset streamed_inverse(const Model& model, const Dataset& coordinates, const Execution& exec) {
  Execution inside = exec;
  inside.progress = {};
  Dataset rows{std::shared_ptr<RowStream>(std::make_shared<MapStream>(
      coordinates, model.features(),
      [&model, inside](const Dataset& block) { return model.inverse_transform(block, inside); }, "inverse"))};
  rows.column_names = model.head().feature_names;
  name_rows_like(coordinates, rows);
  return rows;
}

}  // namespace fewdim
