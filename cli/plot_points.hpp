#pragma once

#include <optional>

#include "fewdim/model.hpp"
#include "fewdim/pictures.hpp"
#include "input.hpp"

namespace fewdim::cli {

/// What `fewdim plot` draws: a model, with the rows to place in it or those it keeps, or a table of coordinates; and
/// what colors the points.
class PlotPoints {
 public:
  void declare(CLI::App& app);
  std::vector<std::string> paths() const;  ///< that are read

  /// Tells a model from a table, and loads it.
  void open(Run& run);
  bool has_model() const { return model_.has_value(); }
  bool has_data() const { return !data_path_.empty(); }
  const Model& model() const { return *model_; }
  std::string name() const { return input_path_; }

  /// Kinds of pictures it can show, the one to take first in front.
  std::vector<PictureKind> kinds() const { return possible_pictures(shown_model(), has_data()); }
  /// Says why not this one, and what there is; returns where it can be shown.
  void require(PictureKind kind) const;

  /// Reads what there is to place or to draw, and the colors.
  void load(Run& run);
  /// What the model was fitted on; throws where it was not given.
  const Dataset& data(Run& run);
  const Dataset& scores() const { return scores_; }
  const Model* shown_model() const { return model_ ? &*model_ : nullptr; }

  /// "1,3" or "PC1,PC3": columns of the scores, from 0 on.
  std::vector<Index> axes(const std::string& text) const;
  /// Sets labels, or values where --color asks for them.
  void color(PictureRequest& request) const;
  const std::string& color_name() const { return color_name_; }

 private:
  [[noreturn]] void refuse(PictureKind kind, PictureNeed need) const;
  void load_table(Run& run);
  void load_model_rows(Run& run);
  void load_colors(Run& run);
  Index count() const { return model_ && scores_.empty() ? model_->components() : scores_.cols(); }

  Input input_;
  std::string input_path_, data_path_, labels_path_, color_;
  std::optional<Model> model_;
  Dataset data_, scores_;
  std::vector<std::string> labels_;
  Vector<double> values_;
  std::string color_name_;
};

}  // namespace fewdim::cli
