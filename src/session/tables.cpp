#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/remedy.hpp"
#include "fewdim/results.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

namespace {

std::vector<std::string> all_component_names(const Model& model) {
  std::vector<std::string> names = model.head().component_names;
  for (Index i = std::ssize(names); i < model.components(); ++i) names.push_back(fmt::format("C{}", i + 1));
  return names;
}

/// Blocks of columns side by side, each with its names.
class TableColumns {
 public:
  explicit TableColumns(Index rows) : rows_(rows) {}

  void add(const std::string& name, const Vector<double>& values) {
    names_.push_back(name);
    values_.push_back(values);
  }
  void add(const std::string& prefix, const std::vector<std::string>& names, const Matrix<double>& values) {
    for (Index j = 0; j < values.cols(); ++j) add(prefix + names[static_cast<std::size_t>(j)], values.col(j));
  }
  Dataset table() const {
    RowMatrix<double> all(rows_, std::ssize(values_));
    for (std::size_t j = 0; j < values_.size(); ++j) all.col(static_cast<Index>(j)) = values_[j];
    Dataset data(std::move(all));
    data.column_names = names_;
    return data;
  }

 private:
  Index rows_;
  std::vector<std::string> names_;
  std::vector<Vector<double>> values_;
};

void name_rows_as(Dataset& table, const Dataset& data) {
  if (std::ssize(data.row_names) == table.rows()) {
    table.row_names = data.row_names;
    table.row_names_header = data.row_names_header;
  }
  if (std::ssize(data.labels) == table.rows()) {
    table.labels = data.labels;
    table.label_name = data.label_name;
  }
}

void name_rows_by_features(Dataset& table, const Model& model) {
  table.row_names = model.head().feature_names;
  if (model.beside<TextIndex>())
    for (Index t = 0; t < model.features(); ++t) table.row_names.emplace_back(model.index().terms[t]);
  if (!table.row_names.empty()) table.row_names_header = model.beside<TextIndex>() ? "term" : "feature";
}

/// "MDS3" after "MDS2".
std::string next_name(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789") + 1;
  return end < name.size() ? fmt::format("{}{}", name.substr(0, end), std::stol(name.substr(end)) + 1) : name + "'";
}

/// Those of the components, and none beyond.
Vector<double> residuals_of(const Vector<double>& known, Index rows) {
  Vector<double> out = Vector<double>::Constant(rows, std::numeric_limits<double>::quiet_NaN());
  out.head(known.size()) = known;
  return out;
}

Dataset by_feature(const Model& model, const Matrix<double>& values) {
  TableColumns columns(model.features());
  columns.add("", all_component_names(model), values);
  Dataset table = columns.table();
  name_rows_by_features(table, model);
  return table;
}

}  // namespace

Dataset spectrum_table(const Model& model) {
  const Spectrum& shape = model.spectrum();
  if (shape.explained_variance.size() == 0)
    throw Unsupported(
        fmt::format("{}: its directions have no variances to write; use {}", model.method(), use_method("pca")));
  const Index kept = model.components(), rows = std::max(kept, shape.all_eigenvalues.size());
  TableColumns columns(rows);
  if (model.as<LinearModel>() && model.linear().singular_values.size() > 0)
    columns.add("singular_value", model.linear().singular_values);
  // Of eigenvalues that are known beyond the components kept, a share is known where they are positive, and a residual
  // is not.
  const auto continued = [&](const Vector<double>& values, double scale) {
    Vector<double> out = Vector<double>::Constant(rows, std::numeric_limits<double>::quiet_NaN());
    out.head(kept) = values;
    for (Index i = kept; i < rows; ++i)
      if (shape.all_eigenvalues[i] >= 0.0) out[i] = shape.all_eigenvalues[i] * scale;
    return out;
  };
  const Vector<double> eigenvalues = model.eigenvalues(), variances = model.variances();
  if (!model.as<LinearModel>() && eigenvalues.size() > 0) {
    Vector<double> all = shape.all_eigenvalues.size() > 0 ? shape.all_eigenvalues : eigenvalues;
    all.head(kept) = eigenvalues;
    columns.add("eigenvalue", all);
  }
  const double largest = eigenvalues.size() > 0 && eigenvalues[0] > 0.0 ? eigenvalues[0] : 1.0;
  if (variances.size() > 0) columns.add("explained_variance", continued(variances, variances[0] / largest));
  if (shape.explained_variance_ratio.size() > 0) {  // the lowest eigenvalues have no shares
    const Vector<double> ratios =
        continued(shape.explained_variance_ratio, shape.explained_variance_ratio[0] / largest);
    columns.add("explained_variance_ratio", ratios);
    Vector<double> together = ratios;
    for (Index i = 1; i < together.size(); ++i) together[i] += together[i - 1];
    columns.add("cumulative_ratio", together);
  }
  const Vector<double>& residuals = model.certificate().residuals;
  if (residuals.size() > 0) columns.add("residual", residuals_of(residuals, rows));
  Dataset table = columns.table();
  table.row_names = all_component_names(model);
  for (Index i = kept; i < rows; ++i) table.row_names.push_back(next_name(table.row_names.back()));
  table.row_names_header = "component";
  return table;
}

Dataset directions_table(const Model& model) {
  if (model.linear().random.features > 0)
    throw Unsupported(fmt::format("{}: the directions are drawn from their seed; keep them with {}", model.method(),
                                  set_option("store", true)));
  return by_feature(model, model.linear().map);
}
Dataset loadings_table(const Model& model) {
  const MethodCard* card = find_method(model.method());
  if (!card || !card->gives.results.has(ResultKind::uniquenesses))
    return by_feature(model, column_statistics(model).loadings);
  TableColumns columns(model.features());
  columns.add("", all_component_names(model), model.linear().loadings);
  columns.add("uniqueness", model.linear().noise);
  Dataset table = columns.table();
  name_rows_by_features(table, model);
  return table;
}

Dataset left_table(const Model& model, const Dataset& scores) {
  const LinearModel& shape = model.linear();
  if (shape.singular_values.size() != model.components())
    throw Unsupported(
        fmt::format("{}: has no singular values, and so no left factor; use {}", model.method(), use_method("svd")));
  RowMatrix<double> left = scores.matrix<double>();
  for (Index j = 0; j < left.cols(); ++j) {
    const double sigma = shape.singular_values[j];
    const double scale = shape.output_scale.size() > 0 ? shape.output_scale[j] : 1.0;
    if (sigma > 1e-14 * shape.singular_values[0])
      left.col(j) /= sigma * scale;
    else
      left.col(j).setZero();  // no direction at all
  }
  Dataset table(std::move(left));
  table.column_names = all_component_names(model);
  name_rows_as(table, scores);
  return table;
}

Dataset row_statistics_table(const Model& model, const Dataset& data, const Execution& exec) {
  const RowStatistics statistics = row_statistics(model, data, exec);
  const std::vector<std::string> names = all_component_names(model);
  TableColumns columns(statistics.t2.size());
  columns.add("T2", statistics.t2);
  columns.add("SPE", statistics.spe);
  columns.add("contribution_", names, statistics.contributions);
  columns.add("cos2_", names, statistics.cos2);
  Dataset table = columns.table();
  name_rows_as(table, data);
  return table;
}

Dataset distance_table(const Model& model, const Dataset& data, const Execution& exec) {
  const RowStatistics statistics = row_statistics(model, data, exec);
  TableColumns columns(statistics.t2.size());
  columns.add("T2", statistics.t2);
  columns.add("SPE", statistics.spe);
  const auto beyond = [](const Vector<double>& values, double limit) -> Vector<double> {
    return (values.array() > limit).cast<double>();
  };
  for (const DistanceLimits& limits : model.linear().limits) {
    columns.add(fmt::format("T2_above_{:g}", 100.0 * limits.confidence), beyond(statistics.t2, limits.t2));
    if (limits.spe > 0.0)
      columns.add(fmt::format("SPE_above_{:g}", 100.0 * limits.confidence), beyond(statistics.spe, limits.spe));
  }
  Dataset table = columns.table();
  name_rows_as(table, data);
  return table;
}

Dataset column_statistics_table(const Model& model) {
  const ColumnStatistics statistics = column_statistics(model);
  const std::vector<std::string> names = all_component_names(model);
  TableColumns columns(model.features());
  columns.add("loading_", names, statistics.loadings);
  columns.add("contribution_", names, statistics.contributions);
  columns.add("correlation_", names, statistics.correlations);
  columns.add("cos2_", names, statistics.cos2);
  Dataset table = columns.table();
  name_rows_by_features(table, model);
  return table;
}

}  // namespace fewdim
