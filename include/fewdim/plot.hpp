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

struct ScatterPlot {
  Vector<double> x{}, y{};
  std::string title{}, x_label{}, y_label{};
  std::vector<std::string> labels{};  ///< empty, or one per point: classes (or numbers) to color by
  std::string label_name{};
  std::vector<std::string> point_names{};  ///< empty, or one per point: tooltips in SVG; drawn when there are few
};

struct ScreePlot {
  Vector<double> ratios{};  ///< explained-variance ratios, in order
  std::string title{};
  std::string x_label = "component", y_label = "share of variance";
};

/// A number over another, as a line.
struct CurvePlot {
  Vector<double> x{}, y{};
  Vector<double> error{};  ///< empty, or one per point: a band of y ± error behind the line
  std::string title{}, x_label{}, y_label{};
  bool log_x = false;            ///< x above 0, drawn by their logarithms
  double low = 0.0, high = 0.0;  ///< of the y axis, which is widened where the line leaves them; equal: from the data
};

/// Shepard's diagram: how the distances in a map follow the dissimilarities they were made from, one dot a pair.
struct ShepardPlot {
  Vector<double> dissimilarities{}, distances{};  ///< one per pair
  Vector<double> line_x{}, line_y{};              ///< the corners of the disparities' graph; may be empty
  std::string title{};
  std::string x_label = "dissimilarity", y_label = "distance in the map";
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
FEWDIM_API void plot(const ScreePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const CurvePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const ShepardPlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const ImageGrid& plot, const std::string& path, bool overwrite = false);

/// A scree plot for a terminal: one line per component, at most `lines` of them, `width` characters wide.
FEWDIM_API std::string text_scree(const Vector<double>& ratios, int lines = 10, int width = 60);

}  // namespace fewdim
