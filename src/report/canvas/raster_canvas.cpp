#include "report/canvas/raster_canvas.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "report/canvas/font.hpp"
#include "report/canvas/png.hpp"

namespace fewdim {

std::vector<Point> marker_corners(Marker marker, Point center, double radius) {
  const auto around = [&](int corners, double reach, double turn) {
    std::vector<Point> out;
    for (int i = 0; i < corners; ++i) {
      const double angle = turn + 2 * std::numbers::pi * i / corners;
      out.push_back({center.x + reach * std::cos(angle), center.y + reach * std::sin(angle)});
    }
    return out;
  };
  // A regular polygon of n corners at distance R has the area n/2 R² sin(2π/n).
  const double square = radius * std::sqrt(std::numbers::pi / 2.0);
  const double triangle = radius * std::sqrt(std::numbers::pi / (0.75 * std::numbers::sqrt3));
  if (marker == Marker::triangle) return around(3, triangle, -std::numbers::pi / 2);
  return around(4, square, marker == Marker::square ? std::numbers::pi / 4 : 0.0);
}

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
    if (dot.marker != Marker::disc) {
      if (rim > 0) raster_.fill(marker_corners(dot.marker, center, (style.radius + rim) * scale_), white);
      raster_.fill(marker_corners(dot.marker, center, (style.radius - rim) * scale_), color);
      continue;
    }
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
