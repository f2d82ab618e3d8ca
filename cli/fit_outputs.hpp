#pragma once

#include "common.hpp"
#include "fewdim/model.hpp"
#include "targets.hpp"

namespace fewdim::cli {

/// What a fit can leave behind, each in a file of its own.
class FitOutputs {
 public:
  /// `uses`: of the model, for its help.
  void declare(CLI::App& app, const char* uses = "transform, inverse, inspect and verify");
  void add_to(Targets& targets) const;
  /// The flag of an output that needs the rows once more, or empty.
  std::string needs_rows() const;

  void write(const Model& model, const Dataset& data, Run& run, Targets& targets) const;

 private:
  void write_rows(const Model& model, const Dataset& data, Run& run, Targets& targets) const;
  void write_streamed(const Model& model, const Dataset& data, Run& run, Targets& targets) const;
  void draw(const Model& model, const Dataset& scores, Run& run, Targets& targets) const;

  std::string model_, scores_, to_, plot_, axes_ = "1,2", scree_, shepard_, loadings_, left_, right_, spectrum_,
                                           row_stats_, column_stats_, approximate_;
};

/// The coordinates of the training rows, with the names and labels of the data: where the fit has kept them, they need
/// no second pass.
Dataset training_scores(const Model& model, const Dataset& data, const Execution& exec);
/// The same from the model alone, whose rows have numbers for names where some were left out; empty where it keeps
/// none.
Dataset kept_scores(const Model& model);
/// The entries of a list that belong to rows the model was fitted on.
std::vector<std::string> fitted_of(const std::vector<std::string>& list, const Model& model);

std::string axis_label(const Model& model, Index component);
/// "pca of cells.csv"
std::string title_of(const Model& model);

/// Scores of a stream's rows as they come, or back.
Dataset streamed_transform(const Model& model, const Dataset& data, const Execution& exec);
Dataset streamed_inverse(const Model& model, const Dataset& coordinates, const Execution& exec);

}  // namespace fewdim::cli
