#pragma once

#include <string>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

class Dataset;
class Model;

/// Pictures that need no viewer but a browser or an image program. The file name's ending decides: .svg or .png.

/// Of the sheet, in CSS pixels; a PNG has two pixels of its own for each. 0: what the kind of picture takes by itself.
struct PlotSize {
  int width = 0, height = 0;
};

struct ScatterPlot {
  Vector<double> x{}, y{};
  std::string title{}, x_label{}, y_label{};
  std::vector<std::string> labels{};  ///< empty, or one per point: classes (or numbers) to color by
  std::string label_name{};
  std::vector<std::string> point_names{};  ///< empty, or one per point: tooltips in SVG; drawn when there are few
  Vector<double> values{};                 ///< empty, or one per point: numbers to color by instead, along viridis
  bool equal = false;                      ///< a unit is as long on both axes, for maps whose distances mean something
  bool hulls = false;                      ///< the convex hull of each class, or of all points
  /// The densest regions that hold 25, 50, 75 and 95 % of the points instead of a dot for each (kernel estimate,
  /// Gaussian, bandwidth by Scott's rule); those outside keep their dots. With classes: 50 and 90 % of each.
  bool density = false;
  PlotSize size{};
};

/// The columns two by two: below the diagonal, each against each.
struct PairsPlot {
  Matrix<double> values{};           ///< N×k, k of 2 to 12
  std::vector<std::string> names{};  ///< one per column
  std::string title{};
  std::vector<std::string> labels{};  ///< as for ScatterPlot
  std::string label_name{};
  Vector<double> colors{};  ///< as ScatterPlot::values
  bool equal = false, hulls = false, density = false;
  PlotSize size{};
};

/// Rows as points and columns as arrows in one plane: the inner product of a point and an arrow is what the two
/// components make of that entry of the (centered, scaled) data (Gabriel 1971).
struct Biplot {
  Matrix<double> points{};  ///< N×2
  Matrix<double> arrows{};  ///< D×2, in the same units; drawn longer by one factor, which the picture states
  std::vector<std::string> arrow_names{};  ///< one per arrow
  double alpha = 1.0;                      ///< as it was taken, for the note
  std::string title{}, x_label{}, y_label{};
  std::vector<std::string> labels{};  ///< as for ScatterPlot
  std::string label_name{};
  std::vector<std::string> point_names{};
  Vector<double> values{};
  Index most_arrows = 30;  ///< the longest, where there are more
  PlotSize size{};
};

/// With components x and y of a linear model, counted from 0, and the scores of some rows: points G = Y Λ^((α−1)/2) and
/// arrows H = V Λ^((1−α)/2), so that G Hᵀ = Y Vᵀ for every α. 1: the points are the scores, distances between them
/// those of the rows in the plane. 0: inner products of arrows are covariances, their angles tell correlations.
FEWDIM_API Biplot biplot(const Model& model, const Dataset& scores, Index x = 0, Index y = 1, double alpha = 1.0);

/// Correlations of the columns with two components, inside of the circle of radius 1.
struct CirclePlot {
  Matrix<double> correlations{};     ///< D×2
  std::vector<std::string> names{};  ///< one per row of them
  std::string title{}, x_label{}, y_label{};
  Index most = 40;  ///< arrows drawn: the longest, where there are more
  PlotSize size{};
};

/// Of a linear model that was centered and knows the variances of its columns; throws Unsupported for others.
FEWDIM_API CirclePlot correlation_circle(const Model& model, Index x = 0, Index y = 1);

struct ScreePlot {
  Vector<double> ratios{};  ///< explained-variance ratios, in order
  std::string title{};
  std::string x_label = "component", y_label = "share of variance";
  PlotSize size{};
};

/// The share of the first 1, 2, … components together, and how many reach each of some levels.
struct CumulativePlot {
  Vector<double> ratios{};  ///< explained-variance ratios, in order
  std::vector<double> levels{0.80, 0.90, 0.95};
  std::string title{};
  std::string x_label = "components", y_label = "share of variance, together";
  PlotSize size{};
};

/// A number over another, as a line.
struct CurvePlot {
  Vector<double> x{}, y{};
  Vector<double> error{};  ///< empty, or one per point: a band of y ± error behind the line
  std::string title{}, x_label{}, y_label{};
  bool log_x = false;            ///< x above 0, drawn by their logarithms
  double low = 0.0, high = 0.0;  ///< of the y axis, which is widened where the line leaves them; equal: from the data
  PlotSize size{};
};

/// Residual variance by the number of coordinates, 1 − r², r the correlation of the distances between the objects with
/// those in the first d coordinates of the map (Tenenbaum, de Silva & Langford 2000). Isomap keeps it with the fit,
/// along its graph, for up to 10 coordinates; of other models it is taken from the data they were fitted on, with the
/// model's metric, or the Euclidean where it has none. Of more than `most` rows as many are compared with all.
FEWDIM_API CurvePlot residual_curve(const Model& model, const Dataset& data, const Execution& exec = {},
                                    Index most = 1000);
/// The same, where the model keeps it; throws Unsupported where it does not.
FEWDIM_API CurvePlot residual_curve(const Model& model);

/// Are lengths in the model's map those of the data, or of paths through them? Then a picture should have equal axes.
FEWDIM_API bool keeps_distances(const Model& model);

/// Shepard's diagram: how the distances in a map follow the dissimilarities they were made from, one dot a pair.
struct ShepardPlot {
  Vector<double> dissimilarities{}, distances{};  ///< one per pair
  Vector<double> line_x{}, line_y{};              ///< the corners of the disparities' graph; may be empty
  std::string title{};
  std::string x_label = "dissimilarity", y_label = "distance in the map";
  PlotSize size{};
};

/// Of a model made from distances (mds, smacof) and the data it was fitted on; throws Unsupported for others. Of more
/// than `most` pairs as many are drawn, spread evenly and always the same.
FEWDIM_API ShepardPlot shepard_diagram(const Model& model, const Dataset& data, const Execution& exec = {},
                                       Index most = 5000);

/// Images in a grid, each row of `images` one picture of height×width.
struct ImageGrid {
  RowMatrix<double> images;
  Index height = 0, width = 0;
  Index columns = 0;                      ///< pictures per line
  std::vector<std::string> row_titles{};  ///< one per line, or empty
  std::string title{};
  double low = 0.0, high = 1.0;         ///< values drawn black and white; equal: from the data
  Index channels = 1;                   ///< 3: red, green and blue of a pixel side by side
  std::vector<std::string> captions{};  ///< below each picture, one per picture; a line break starts a second line
  double longest_side = 104;            ///< of a picture on the sheet, at most
};

FEWDIM_API void plot(const ScatterPlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const PairsPlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const Biplot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const CirclePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const CumulativePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const ScreePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const CurvePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const ShepardPlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const ImageGrid& plot, const std::string& path, bool overwrite = false);

/// A scree plot for a terminal: one line per component, at most `lines` of them, `width` characters wide.
FEWDIM_API std::string text_scree(const Vector<double>& ratios, int lines = 10, int width = 60);

}  // namespace fewdim
