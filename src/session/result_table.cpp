#include <fmt/format.h>

#include "fewdim/results.hpp"

namespace fewdim {

namespace {

/// Of the data, or of the rows that the model keeps.
Dataset scores_for_table(const Model& model, const Dataset& data, const Execution& exec) {
  if (!data.empty()) return scores_of(model, data, exec);
  Dataset kept = kept_scores(model);
  if (kept.empty())
    throw Unsupported(
        fmt::format("{}: the model keeps no coordinates of rows; give the rows to place", model.method()));
  return kept;
}

}  // namespace

bool is_by_row(ResultKind kind) {
  return kind == ResultKind::scores || kind == ResultKind::left_vectors || kind == ResultKind::row_statistics ||
         kind == ResultKind::approximation;
}

Dataset result_table(const Model& model, ResultKind kind, const Dataset& data, const Execution& exec) {
  switch (kind) {
    case ResultKind::scores:
      return scores_for_table(model, data, exec);
    case ResultKind::spectrum:
      return spectrum_table(model);
    case ResultKind::directions:
      return directions_table(model);
    case ResultKind::left_vectors:
      return left_table(model, scores_for_table(model, data, exec));
    case ResultKind::loadings:
    case ResultKind::uniquenesses:
      return loadings_table(model);
    case ResultKind::row_statistics:
      if (data.empty()) throw Unsupported(fmt::format("{}: row statistics are of rows; give the rows", model.method()));
      return row_statistics_table(model, data, exec);
    case ResultKind::column_statistics:
      return column_statistics_table(model);
    case ResultKind::approximation:
      return model.inverse_transform(scores_for_table(model, data, exec), exec);
  }
  return {};
}

}  // namespace fewdim
