#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/method.hpp"
#include "fewdim/model.hpp"
#include "fewdim/plot.hpp"

/// Pictures of a model or of a table of coordinates, for every front: which there can be, and one of them on request.
namespace fewdim {

/// What a kind of picture needs and there is not.
enum class PictureNeed {
  nothing,         ///< it can be made
  model,           ///< a table of coordinates is not enough
  coordinates,     ///< of rows: the model keeps none, and no data are given
  data,            ///< those that the model was fitted on
  two_components,  ///< there is one
  loadings,        ///< of columns: the model is not linear
  variances,       ///< of its directions
  centering,       ///< of the columns
  correlations,    ///< of columns and components: the directions are not orthonormal, or variances are not kept
  shares,          ///< of variance
  distances        ///< that the model was made from
};

/// Without a model (null) it is a table of coordinates. `with_data`: the model's rows, or others to place, are at hand.
FEWDIM_API PictureNeed missing_for(PictureKind kind, const Model* model, bool with_data);
/// To be read behind "needs": "two components, and there is one".
FEWDIM_API std::string reason_of(PictureNeed need);
/// Kinds that can be made, the one to take first in front.
FEWDIM_API std::vector<PictureKind> possible_pictures(const Model* model, bool with_data);
/// Has it a point for each row? Then it is made from scores.
FEWDIM_API bool draws_rows(PictureKind kind);
/// Does it compare the map with the data of the fit? Then it is made from those, unless the model keeps the result.
FEWDIM_API bool compares_rows(PictureKind kind);
/// The kind of that name; throws InvalidOption with those there are.
FEWDIM_API PictureKind picture_kind(const std::string& name);

/// What a picture shows.
struct PictureSource {
  const Model* model = nullptr;  ///< null: `scores` are coordinates of any origin
  Dataset data{};                ///< rows of the model: for Shepard's diagram and residual variance those of its fit
  Dataset scores{};              ///< coordinates of rows; empty: those of the data, or that the model keeps
};

/// How it should look. What is not set is chosen.
struct PictureRequest {
  PictureKind kind = PictureKind::scatter;
  std::vector<Index> axes{};           ///< columns of the scores, from 0 on [the first two; of pairs up to five]
  std::vector<std::string> labels{};   ///< one a row: classes to color by [the labels of the scores]
  Vector<double> values{};             ///< or numbers
  std::string color_name{};            ///< of labels or values
  std::optional<std::string> title{};  ///< empty: none [method and input]
  double alpha = 1.0;                  ///< of a biplot
  bool hulls = false;                  ///< of classes, in scatter plots and pairs
  bool density = false;                ///< regions instead of dots, in scatter plots and pairs
  std::optional<bool> equal{};         ///< is a unit as long on both axes [where the map keeps distances]
  PlotSize size{};
};

using Picture =
    std::variant<ScatterPlot, PairsPlot, Biplot, CirclePlot, ScreePlot, CumulativePlot, CurvePlot, ShepardPlot>;

/// Throws Unsupported with what is missing and the kinds that there are, and InvalidOption for axes that are none.
FEWDIM_API Picture make_picture(const PictureSource& source, const PictureRequest& request, const Execution& exec = {});

FEWDIM_API void plot(const Picture& picture, const std::string& path, bool overwrite = false);

/// Rows of a scatter plot, of pairs or of a biplot, and how many of them are not finite and can't be drawn; of other
/// pictures 0.
struct PicturePoints {
  Index rows = 0, left_out = 0;
};
FEWDIM_API PicturePoints points_of(const Picture& picture);

/// All its numbers and words as one JSON document; what is not finite is null.
FEWDIM_API std::string picture_json(const Picture& picture);

/// One column of a table in text, or of a .npy or .npz file, that colors `rows` points. `column` is a name or a number
/// from 1 on; empty: the only one, or the one beside the rows' names. The first line is a header where there is one
/// line more than rows. Where `model` has left rows out, the table may also have all rows of the fit.
struct LabelColumn {
  std::string name{};
  std::vector<std::string> labels{};
};
FEWDIM_API LabelColumn read_labels(const std::string& path, const std::string& column, Index rows,
                                   const Model* model = nullptr, const Execution& exec = {});
/// Labels as numbers; missing ones are NaN. Throws DataError for the first that is none. `name` of the column and
/// `source` are for the message.
FEWDIM_API Vector<double> label_numbers(const std::vector<std::string>& labels, const std::string& name,
                                        const std::string& source);

}  // namespace fewdim
