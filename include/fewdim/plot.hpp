#pragma once

#include <string>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/types.hpp"

namespace fewdim {

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

/// Gray images in a grid, each rows of `images` one picture of height×width.
struct ImageGrid {
  RowMatrix<double> images;
  Index height = 0, width = 0;
  Index columns = 0;                      ///< pictures per line
  std::vector<std::string> row_titles{};  ///< one per line, or empty
  std::string title{};
  double low = 0.0, high = 1.0;  ///< values drawn black and white; equal: from the data
};

FEWDIM_API void plot(const ScatterPlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const ScreePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const CurvePlot& plot, const std::string& path, bool overwrite = false);
FEWDIM_API void plot(const ImageGrid& plot, const std::string& path, bool overwrite = false);

/// A scree plot for a terminal: one line per component, at most `lines` of them, `width` characters wide.
FEWDIM_API std::string text_scree(const Vector<double>& ratios, int lines = 10, int width = 60);

}  // namespace fewdim
