#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/canvas/raster.hpp"
#include "report/canvas/text.hpp"

namespace fewdim {

/// Width of a line of text. Both the drawn font and what a browser takes for Helvetica keep to these widths.
double text_width(std::string_view utf8, double size, bool bold = false);

/// The text, or as much of it as fits the width, ended by "…".
std::string fit_text(std::string_view utf8, double width, double size, bool bold = false);
/// The same for one name of many: what is left out is in the middle, for names differ at their ends.
std::string fit_name(std::string_view utf8, double width, double size);

/// The strokes of a line of text that starts at (0, 0) on its baseline, y down.
std::vector<Path> text_strokes(std::string_view utf8, double size, bool bold = false);
double stroke_width(double size, bool bold = false);

/// One glyph of the stroke font: lengths in hundredths of the type size, y up from the baseline. The path is a line of
/// commands: M x y starts, L x y draws on, C x y x y x y is a Bézier curve, O cx cy rx ry from to starts an arc of an
/// ellipse (degrees), A draws on to one and along it, D x y is a dot.
struct Glyph {
  char32_t code;
  double advance;
  const char* path;
};

/// A glyph made of two: a letter and a mark over or under it.
struct Composed {
  char32_t code;
  char32_t letter, mark;
};

std::span<const Glyph> glyph_table();
std::span<const Composed> composed_table();

}  // namespace fewdim
