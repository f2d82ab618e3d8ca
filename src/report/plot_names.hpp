#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/plot_canvas.hpp"

namespace fewdim {

struct NamedPoint {
  Point at;
  std::string name;
};

/// Draws each name beside its point, where it covers neither names nor points; a name that finds no free place is left
/// out.
void draw_names(Canvas& canvas, std::span<const NamedPoint> points, double radius, const Box& area);

}  // namespace fewdim
