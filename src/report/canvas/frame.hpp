#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/canvas/canvas.hpp"
#include "report/canvas/ticks.hpp"

namespace fewdim {

/// What explains the colors, to the right of the plot: a list of classes or a color bar.
struct Legend {
  struct Entry {
    std::string name;
    Color color;
    Marker marker = Marker::disc;
  };
  std::string title;
  std::vector<Entry> entries;
  std::optional<Scale> ramp;  ///< viridis from low to high

  bool empty() const { return entries.empty() && !ramp; }
};

/// Its title at `corner`, the classes or the color bar below, in so much height.
void draw_legend(Canvas& canvas, const Legend& legend, Point corner, double height);
double legend_width(const Legend& legend);

/// Axes, grid, title and legend around the area where the data goes.
struct Frame {
  Box area;
  Scale x, y;
  Ticks x_ticks, y_ticks;
  bool equal = false;  ///< lay_out() widens the shorter scale until a unit is as long on both axes
  std::string title, x_label, y_label;
  Legend legend;

  Point place(double x_value, double y_value) const {
    return {area.x + area.width * x.fraction(x_value), area.bottom() - area.height * y.fraction(y_value)};
  }
};

constexpr double title_size = 17, label_size = 13, tick_size = 12;

/// Cuts the sheet into margins, as wide as their texts need, and the area; sets the ticks that fit it.
void lay_out(Frame& frame, double sheet_width, double sheet_height);
void draw_frame(Canvas& canvas, const Frame& frame);

/// The area with its grid, and no words around it.
void draw_grid(Canvas& canvas, const Frame& frame);
/// Longer of the two scales' units: the shorter scale is widened around its middle.
void make_equal(Frame& frame);
/// The numbers below and at the left.
void draw_x_numbers(Canvas& canvas, const Frame& frame);
void draw_y_numbers(Canvas& canvas, const Frame& frame);

/// What a reader should know, small, above the area at its right end.
void draw_note(Canvas& canvas, const std::string& note, const Frame& frame);

/// A thin line on whole pixels: from a to b, level or upright.
void draw_rule(Canvas& canvas, Point a, Point b, Color color);
void draw_title(Canvas& canvas, const std::string& title, double x, double width);

}  // namespace fewdim
