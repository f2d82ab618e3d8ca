#pragma once

#include <span>
#include <vector>

#include "report/canvas/canvas.hpp"
#include "report/canvas/raster.hpp"

namespace fewdim {

/// A kernel estimate on a grid of square cells: the share of the points that each cell holds. The grid reaches beyond
/// the area by as much as the kernel does, so that the shares sum to 1.
struct DensityGrid {
  Box area;           ///< what is drawn
  double cell = 3.0;  ///< side of a cell
  int columns = 0, rows = 0, margin_x = 0, margin_y = 0;
  std::vector<double> mass;  ///< rows × columns, from the top left

  double at(int column, int row) const {
    return mass[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
  /// Where a cell's middle lies.
  Point middle(int column, int row) const {
    return {area.x + (column - margin_x + 0.5) * cell, area.y + (row - margin_y + 0.5) * cell};
  }
  double value(Point p) const;  ///< between the middles by bilinear interpolation
};

/// Σ_i K((x − x_i)/h_x) K((y − y_i)/h_y) / N over cells, K the normal density, h = σ N^(−1/6) for each axis (Scott
/// 1992, for two dimensions), and one cell at least. The points lie inside the area.
DensityGrid estimate_density(std::span<const Point> points, const Box& area, double cell = 3.0);

/// The mass of a cell above which cells hold this share of the points: the border of the densest region that does
/// (Hyndman 1996).
double level_holding(const DensityGrid& grid, double share);

/// Lines of that level inside the area, by marching squares.
std::vector<Path> contours(const DensityGrid& grid, double level);

/// Paints what is above levels[b] and not above the next in fills[b]; levels rise.
void draw_bands(Canvas& canvas, const DensityGrid& grid, std::span<const double> levels, std::span<const Color> fills);

}  // namespace fewdim
