#pragma once

#include <span>
#include <vector>

#include "report/canvas/canvas.hpp"

namespace fewdim {

/// Corners of the convex hull in order around it, none on the line between its neighbors; of points on one line its two
/// ends, of equal points one (Andrew 1979).
std::vector<Point> convex_hull(std::span<const Point> points);

}  // namespace fewdim
