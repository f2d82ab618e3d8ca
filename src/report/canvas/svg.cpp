#include "report/canvas/svg.hpp"

#include <fmt/format.h>

#include "report/canvas/font.hpp"
#include "report/canvas/png.hpp"
#include "report/canvas/raster_canvas.hpp"

namespace fewdim {

namespace {

/// At most two decimals, no trailing zeros, never "-0".
std::string svg_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string paint(std::string_view attribute, Color color) {
  std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", attribute, color.red, color.green, color.blue);
  if (color.alpha < 1.0) text += fmt::format(" {}-opacity=\"{}\"", attribute, svg_number(color.alpha));
  return text;
}

std::string coordinates(std::span<const Point> points) {
  std::string text;
  for (const Point& p : points) {
    if (!text.empty()) text += ' ';
    text += svg_number(p.x) + ',' + svg_number(p.y);
  }
  return text;
}

}  // namespace

std::string escape_xml(std::string_view utf8) {
  std::string out;
  for (const char c : encode_utf8(decode_utf8(utf8))) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title) {
  out_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" "
      "height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', sans-serif\">\n",
      svg_number(width), svg_number(height), escape_xml(title));
  rectangle({0, 0, width, height}, colors::paper);
}

void SvgCanvas::rectangle(const Box& box, Color fill) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", svg_number(box.x), svg_number(box.y),
                      svg_number(box.width), svg_number(box.height), paint("fill", fill));
}

void SvgCanvas::polygon(std::span<const Point> corners, Color fill) {
  out_ += fmt::format("<polygon points=\"{}\"{}/>\n", coordinates(corners), paint("fill", fill));
}

void SvgCanvas::line(std::span<const Point> points, double width, Color color) {
  out_ += fmt::format(
      "<polyline points=\"{}\" fill=\"none\"{} stroke-width=\"{}\" stroke-linecap=\"round\" "
      "stroke-linejoin=\"round\"/>\n",
      coordinates(points), paint("stroke", color), svg_number(width));
}

void SvgCanvas::dots(std::span<const Dot> dots, const DotStyle& style, const Box& area) {
  if (dots.size() > most_circles) {
    RasterCanvas cloud(area.width, area.height, RasterCanvas::standard_scale, rgb(0, 0.0));
    std::vector<Dot> moved(dots.begin(), dots.end());
    for (Dot& dot : moved) dot.at = {dot.at.x - area.x, dot.at.y - area.y};
    cloud.dots(moved, style, area);
    image(area, cloud.raster().pixels());
    return;
  }
  out_ += fmt::format("<g fill-opacity=\"{}\"", svg_number(style.opacity));
  if (style.outlined) out_ += " stroke=\"#fff\" stroke-width=\"0.7\"";
  out_ += ">\n";
  const bool tooltips = dots.size() <= most_tooltips;
  for (const Dot& dot : dots) {
    const bool disc = dot.marker == Marker::disc;
    out_ += disc ? fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}", svg_number(dot.at.x), svg_number(dot.at.y),
                               svg_number(style.radius), paint("fill", dot.color))
                 : fmt::format("<polygon points=\"{}\"{}",
                               coordinates(marker_corners(dot.marker, dot.at, style.radius)), paint("fill", dot.color));
    out_ += tooltips && !dot.name.empty()
                ? fmt::format("><title>{}</title></{}>\n", escape_xml(dot.name), disc ? "circle" : "polygon")
                : "/>\n";
  }
  out_ += "</g>\n";
}

void SvgCanvas::text(Point baseline, std::string_view utf8, const TextStyle& style) {
  if (utf8.empty()) return;
  const std::string x = svg_number(baseline.x), y = svg_number(baseline.y);
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}", x, y, svg_number(style.size),
                      paint("fill", style.color));
  if (style.anchor != Anchor::start)
    out_ += fmt::format(" text-anchor=\"{}\"", style.anchor == Anchor::middle ? "middle" : "end");
  if (style.bold) out_ += " font-weight=\"bold\"";
  if (style.upward) out_ += fmt::format(" transform=\"rotate(-90 {} {})\"", x, y);
  out_ += fmt::format(">{}</text>\n", escape_xml(utf8));
}

void SvgCanvas::image(const Box& box, const Pixels& pixels) {
  out_ += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      svg_number(box.x), svg_number(box.y), svg_number(box.width), svg_number(box.height), base64(encode_png(pixels)));
}

std::string SvgCanvas::finish() { return out_ + "</svg>\n"; }

}  // namespace fewdim
