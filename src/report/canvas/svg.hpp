#pragma once

#include "report/canvas/canvas.hpp"

namespace fewdim {

/// Text that is safe inside XML elements and attributes, whatever bytes it is made from.
std::string escape_xml(std::string_view utf8);

/// Writes SVG 1.1. Clouds of more than `most_circles` dots become one embedded image, so that the file stays small.
class SvgCanvas final : public Canvas {
 public:
  static constexpr std::size_t most_circles = 5000;
  static constexpr std::size_t most_tooltips = 2000;

  SvgCanvas(double width, double height, std::string_view title);

  void rectangle(const Box& box, Color fill) override;
  void polygon(std::span<const Point> corners, Color fill) override;
  void line(std::span<const Point> points, double width, Color color) override;
  void dots(std::span<const Dot> dots, const DotStyle& style, const Box& area) override;
  void text(Point baseline, std::string_view utf8, const TextStyle& style) override;
  void image(const Box& box, const Pixels& pixels) override;
  std::string finish() override;

 private:
  std::string out_;
};

}  // namespace fewdim
