#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/canvas/colors.hpp"

namespace fewdim {

/// Lengths are in CSS pixels, x to the right, y down.
struct Point {
  double x = 0.0, y = 0.0;
};

struct Box {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12.0;
  Color color = colors::ink;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upward = false;  ///< turned by 90 degrees, to be read from below
};

/// All of the same area, so that none looks larger.
enum class Marker : std::uint8_t { disc, square, triangle, diamond };
constexpr std::size_t marker_count = 4;

struct Dot {
  Point at;
  Color color;
  std::string_view name;  ///< shown when the pointer rests on it, where that is possible
  Marker marker = Marker::disc;
};

/// Corners of a marker that is no disc, with the area of a disc of that radius.
std::vector<Point> marker_corners(Marker marker, Point center, double radius);

struct DotStyle {
  double radius = 3.0;
  double opacity = 1.0;
  bool outlined = false;  ///< a thin white rim keeps touching dots apart
};

/// Pixels row by row from the top; channels 1: gray, 3: RGB, 4: RGBA, not premultiplied.
struct Pixels {
  int width = 0, height = 0, channels = 1;
  std::vector<std::uint8_t> bytes;
};

/// A sheet of paper to draw on. Later strokes cover earlier ones.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void rectangle(const Box& box, Color fill) = 0;
  virtual void polygon(std::span<const Point> corners, Color fill) = 0;
  virtual void line(std::span<const Point> points, double width, Color color) = 0;           ///< round caps and joins
  virtual void dots(std::span<const Dot> dots, const DotStyle& style, const Box& area) = 0;  ///< all inside the area
  virtual void text(Point baseline, std::string_view utf8, const TextStyle& style) = 0;
  virtual void image(const Box& box, const Pixels& pixels) = 0;
  virtual std::string finish() = 0;  ///< the bytes of the file
};

}  // namespace fewdim
