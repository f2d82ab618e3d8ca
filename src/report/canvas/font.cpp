#include "report/canvas/font.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

namespace fewdim {

namespace {

constexpr double bold_stretch = 1.06;  // Helvetica-Bold's widths over Helvetica's, on average

/// A glyph ready to draw: polylines in units of the type size, y up.
struct Outline {
  double advance = 0.6;
  std::vector<Path> paths;
};

Point between(Point a, Point b, double t) { return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; }

/// Reads the little path language of font_glyphs.cpp.
class PathReader {
 public:
  explicit PathReader(const char* text) : at_(text), end_(text + std::strlen(text)) {}

  std::vector<Path> read() {
    while (at_ != end_) {
      const char command = *at_++;
      if (command == ' ') continue;
      if (command == 'M') paths_.push_back({point()});
      if (command == 'L') paths_.back().push_back(point());
      if (command == 'C') curve();
      if (command == 'O') paths_.emplace_back(), arc();
      if (command == 'A') arc();
      if (command == 'D') dot();
    }
    return std::move(paths_);
  }

 private:
  double number() {
    while (*at_ == ' ') ++at_;
    double value = 0;
    at_ = std::from_chars(at_, end_, value).ptr;
    return value;
  }
  Point point() {
    const double x = number();
    return {x / 100, number() / 100};
  }
  void curve() {
    const Point a = paths_.back().back(), b = point(), c = point(), d = point();
    for (int i = 1; i <= 10; ++i) {  // de Casteljau
      const double t = i / 10.0;
      const Point ab = between(a, b, t), bc = between(b, c, t), cd = between(c, d, t);
      paths_.back().push_back(between(between(ab, bc, t), between(bc, cd, t), t));
    }
  }
  void arc() {
    const Point center = point(), radius = point();
    const double from = number(), to = number();
    const int pieces = std::max(4, static_cast<int>(std::abs(to - from) / 10));
    for (int i = 0; i <= pieces; ++i) {
      const double angle = (from + (to - from) * i / pieces) * std::numbers::pi / 180;
      paths_.back().push_back({center.x + radius.x * std::cos(angle), center.y + radius.y * std::sin(angle)});
    }
  }
  void dot() {  // a touch larger than the pen
    const Point p = point();
    constexpr double r = 0.012;
    paths_.push_back(
        {{p.x - r, p.y - r}, {p.x + r, p.y - r}, {p.x + r, p.y + r}, {p.x - r, p.y + r}, {p.x - r, p.y - r}});
  }

  const char* at_;
  const char* end_;
  std::vector<Path> paths_;
};

/// The digit or letter that a raised or lowered character shrinks, or 0.
struct Shifted {
  char32_t base = 0;
  double rise = 0;
};
Shifted shifted(char32_t code) {
  if (code == U'²' || code == U'³') return {code == U'²' ? U'2' : U'3', 0.30};
  if (code == U'¹') return {U'1', 0.30};
  if (code == U'ª' || code == U'º') return {code == U'ª' ? U'a' : U'o', 0.36};
  if (code == 0x207b) return {U'−', 0.30};
  if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079)) return {U'0' + (code - 0x2070), 0.30};
  if (code >= 0x2080 && code <= 0x2089) return {U'0' + (code - 0x2080), -0.12};
  return {};
}

std::map<char32_t, Outline> make_font() {
  std::map<char32_t, Outline> font;
  for (const Glyph& glyph : glyph_table()) font[glyph.code] = {glyph.advance / 100, PathReader(glyph.path).read()};
  for (const Composed& both : composed_table()) {
    Outline letter = font.at(both.letter);
    const bool above = both.mark < 0x326;
    const bool tall = above && (both.letter < U'a' || both.letter == U'd' || both.letter == U't');
    for (Path path : font.at(both.mark).paths) {
      for (Point& p : path) p = {p.x + letter.advance / 2, p.y + (tall ? 0.18 : 0.0)};
      letter.paths.push_back(std::move(path));
    }
    font[both.code] = std::move(letter);
  }
  for (char32_t code = 0xaa; code <= 0x2089; ++code) {
    const Shifted s = shifted(code);
    if (s.base == 0) continue;
    Outline small = font.at(s.base);
    small.advance *= 0.6;
    for (Path& path : small.paths)
      for (Point& p : path) p = {0.6 * p.x, 0.6 * p.y + s.rise};
    font[code] = std::move(small);
  }
  return font;
}

const Outline& outline_of(char32_t code) {
  static const std::map<char32_t, Outline> font = make_font();
  static const Outline box{0.6, PathReader("M9 3 L51 3 L51 69 L9 69 L9 3").read()};
  static const Outline wide_box{1.0, PathReader("M9 3 L91 3 L91 69 L9 69 L9 3").read()};
  if (const auto found = font.find(code); found != font.end()) return found->second;
  return code >= 0x1100 && code != 0xfffd ? wide_box : box;  // Asian scripts and pictograms are a full square wide
}

double line_width(std::u32string_view text) {
  double width = 0;
  for (const char32_t code : text) width += outline_of(code).advance;
  return width;
}

/// The text, or its beginning and end with "…" between; `head` is the beginning's share of the room. Widths in units of
/// the type size.
std::string shorten(std::u32string_view text, double head, double width) {
  if (line_width(text) <= width) return encode_utf8(text);
  double room = width - line_width(U"…"), tail = (1 - head) * room;
  room -= tail;
  std::size_t first = 0, last = text.size();
  while (first < last && (room -= outline_of(text[first]).advance) >= 0) ++first;
  while (first < last && (tail -= outline_of(text[last - 1]).advance) >= 0) --last;
  while (first > 0 && text[first - 1] == U' ') --first;
  while (last < text.size() && text[last] == U' ') ++last;
  return encode_utf8(text.substr(0, first)) + "…" + encode_utf8(text.substr(last));
}

}  // namespace

double text_width(std::string_view utf8, double size, bool bold) {
  return line_width(decode_utf8(utf8)) * size * (bold ? bold_stretch : 1.0);
}

std::string fit_text(std::string_view utf8, double width, double size, bool bold) {
  return shorten(decode_utf8(utf8), 1.0, width / size / (bold ? bold_stretch : 1.0));
}

std::string fit_name(std::string_view utf8, double width, double size) {
  return shorten(decode_utf8(utf8), 0.6, width / size);
}

std::vector<Path> text_strokes(std::string_view utf8, double size, bool bold) {
  std::vector<Path> strokes;
  const double stretch = bold ? bold_stretch : 1.0;
  double pen = 0;
  for (const char32_t code : decode_utf8(utf8)) {
    const Outline& outline = outline_of(code);
    for (Path path : outline.paths) {
      for (Point& p : path) p = {(pen + p.x) * size * stretch, -p.y * size};
      strokes.push_back(std::move(path));
    }
    pen += outline.advance;
  }
  return strokes;
}

double stroke_width(double size, bool bold) { return size * (bold ? 0.118 : 0.082); }

}  // namespace fewdim
