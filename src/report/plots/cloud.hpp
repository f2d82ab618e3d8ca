#pragma once

#include <string>
#include <vector>

#include "fewdim/plot.hpp"
#include "report/plots/coloring.hpp"

namespace fewdim {

/// Rows whose numbers are all finite; refuses where there is none.
std::vector<Index> finite_rows(const Matrix<double>& columns);

/// Colors of these rows by labels or by values, whichever there are; refuses both, and a number that is not `rows`.
PointColoring color_rows(const std::vector<Index>& kept, Index rows, const std::vector<std::string>& labels,
                         const Vector<double>& values, const std::string& name);

/// Refuses a list that is neither empty nor one entry for each of `rows`.
void require_one_each(std::string_view what, std::size_t found, Index rows);

struct CloudLook {
  bool hulls = false, density = false;
  double shrink = 1.0;  ///< of the dots, in small panels
};

/// Dots shrink and pale as they grow in number, so that a dense cloud still shows its shape.
DotStyle dots_for(std::size_t count, double shrink = 1.0);

/// The points layer: dots in a fixed shuffle (no class lies over another just because its rows come last), over hulls
/// or around the densest regions.
void draw_cloud(Canvas& canvas, const Box& area, std::vector<Dot> dots, const std::vector<std::int32_t>& classes,
                const Legend& legend, const CloudLook& look);

/// What the regions of a density hold.
std::string density_note(const Legend& legend);

/// "3 of 150 points left out: not finite", small, at the bottom right.
void draw_left_out(Canvas& canvas, Index all, std::size_t kept, double sheet_width, double sheet_height);

/// The range of some rows of a column, with a little room.
Scale scale_of(const Eigen::Ref<const Vector<double>>& column, const std::vector<Index>& kept, double padding = 0.05);

}  // namespace fewdim
