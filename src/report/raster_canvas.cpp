#include "report/raster_canvas.hpp"

#include <array>
#include <cmath>

#include "report/font.hpp"
#include "report/png.hpp"

namespace fewdim {

RasterCanvas::RasterCanvas(double width, double height, double scale, Color background)
    : scale_(scale),
      raster_(static_cast<int>(std::lround(width * scale)), static_cast<int>(std::lround(height * scale)), background) {
}

Path RasterCanvas::scaled(std::span<const Point> points) const {
  Path out;
  out.reserve(points.size());
  for (const Point& p : points) out.push_back({p.x * scale_, p.y * scale_});
  return out;
}

void RasterCanvas::rectangle(const Box& box, Color fill) {
  polygon(
      std::array<Point, 4>{{{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}}},
      fill);
}

void RasterCanvas::polygon(std::span<const Point> corners, Color fill) { raster_.fill(scaled(corners), fill); }

void RasterCanvas::line(std::span<const Point> points, double width, Color color) {
  raster_.stroke(std::array{scaled(points)}, width * scale_, color);
}

void RasterCanvas::dots(std::span<const Dot> dots, const DotStyle& style, const Box&) {
  const double rim = style.outlined ? 0.35 : 0.0;
  for (const Dot& dot : dots) {
    const Point center{dot.at.x * scale_, dot.at.y * scale_};
    Color white = colors::paper, color = dot.color;
    white.alpha = color.alpha = style.opacity;
    if (rim > 0) raster_.disc(center, (style.radius + rim) * scale_, white);
    raster_.disc(center, (style.radius - rim) * scale_, color);
  }
}

void RasterCanvas::text(Point baseline, std::string_view utf8, const TextStyle& style) {
  std::vector<Path> strokes = text_strokes(utf8, style.size, style.bold);
  const double width = text_width(utf8, style.size, style.bold);
  const double shift = style.anchor == Anchor::start ? 0.0 : style.anchor == Anchor::middle ? width / 2 : width;
  for (Path& path : strokes)
    for (Point& p : path) {
      const double along = p.x - shift;
      p = style.upward ? Point{baseline.x + p.y, baseline.y - along} : Point{baseline.x + along, baseline.y + p.y};
      p = {p.x * scale_, p.y * scale_};
    }
  raster_.stroke(strokes, stroke_width(style.size, style.bold) * scale_, style.color);
}

void RasterCanvas::image(const Box& box, const Pixels& pixels) {
  raster_.image({box.x * scale_, box.y * scale_}, box.width * scale_, box.height * scale_, pixels);
}

std::string RasterCanvas::finish() {
  constexpr double css_pixels_per_meter = 96 / 0.0254;
  return encode_png(raster_.pixels(), static_cast<unsigned>(std::lround(css_pixels_per_meter * scale_)));
}

}  // namespace fewdim
