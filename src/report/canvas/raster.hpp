#pragma once

#include <functional>
#include <span>
#include <vector>

#include "report/canvas/canvas.hpp"

namespace fewdim {

using Path = std::vector<Point>;

/// A grid of pixels to draw on with smooth edges: each pixel takes the share of its area that a shape covers.
/// Coordinates are in pixels; what lies outside is cut off.
class Raster {
 public:
  Raster(int width, int height, Color background);  ///< alpha 0: transparent

  void fill(std::span<const Point> corners, Color color);               ///< a polygon, nonzero winding
  void stroke(std::span<const Path> paths, double width, Color color);  ///< round caps; painted once where paths cross
  void disc(Point center, double radius, Color color);
  void image(Point corner, double width, double height, const Pixels& pixels);  ///< nearest pixel

  int width() const { return width_; }
  int height() const { return height_; }
  Pixels pixels() const;  ///< RGB on a solid background, RGBA on a transparent one

 private:
  struct Window {  // pixels left <= x < right, top <= y < bottom
    int left, top, right, bottom;
    bool empty() const { return left >= right || top >= bottom; }
  };
  Window window(double left, double top, double right, double bottom) const;
  void blend(int x, int y, Color color, float coverage);

  int width_, height_;
  bool solid_;
  std::vector<float> premultiplied_;  // red, green, blue, alpha in 0 .. 1
};

}  // namespace fewdim
