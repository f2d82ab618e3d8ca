#pragma once

#include "report/canvas/raster.hpp"

namespace fewdim {

/// Draws into pixels; finish() gives a PNG file. `scale` pixels to a unit of length.
class RasterCanvas final : public Canvas {
 public:
  static constexpr double standard_scale = 2.0;  // sharp on today's screens, and enough to print a column wide

  RasterCanvas(double width, double height, double scale = standard_scale, Color background = colors::paper);

  void rectangle(const Box& box, Color fill) override;
  void polygon(std::span<const Point> corners, Color fill) override;
  void line(std::span<const Point> points, double width, Color color) override;
  void dots(std::span<const Dot> dots, const DotStyle& style, const Box& area) override;
  void text(Point baseline, std::string_view utf8, const TextStyle& style) override;
  void image(const Box& box, const Pixels& pixels) override;
  std::string finish() override;

  const Raster& raster() const { return raster_; }

 private:
  Path scaled(std::span<const Point> points) const;

  double scale_;
  Raster raster_;
};

}  // namespace fewdim
