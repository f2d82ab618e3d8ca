#include "report/canvas/frame.hpp"

#include <array>
#include <cmath>

#include "report/canvas/font.hpp"

namespace fewdim {

namespace {

constexpr double legend_gap = 26, legend_most = 170, legend_line = 21, ramp_width = 14;

double widest(const std::vector<std::string>& texts, double size) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, text_width(text, size));
  return width;
}

Ticks ramp_ticks(const Legend& legend) { return nice_ticks(legend.ramp->low, legend.ramp->high, 7); }

void draw_ramp(Canvas& canvas, const Legend& legend, Point corner, double height) {
  constexpr int steps = 256;
  Pixels colors{1, steps, 3, {}};
  for (int i = 0; i < steps; ++i) {
    const Color c = viridis(1.0 - (i + 0.5) / steps);
    colors.bytes.insert(colors.bytes.end(), {c.red, c.green, c.blue});
  }
  canvas.image({corner.x, corner.y, ramp_width, height}, colors);
  const Ticks ticks = ramp_ticks(legend);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double y = corner.y + height * (1.0 - legend.ramp->fraction(ticks.at[i]));
    draw_rule(canvas, {corner.x + ramp_width - 4, y}, {corner.x + ramp_width, y}, colors::paper);
    canvas.text({corner.x + ramp_width + 7, y + 0.36 * tick_size}, ticks.labels[i], {tick_size, colors::soft_ink});
  }
}

}  // namespace

double legend_width(const Legend& legend) {
  if (legend.empty()) return 0;
  double width = text_width(legend.title, label_size, true);
  for (const Legend::Entry& entry : legend.entries) width = std::max(width, 18 + text_width(entry.name, label_size));
  if (legend.ramp) width = std::max(width, ramp_width + 8 + widest(ramp_ticks(legend).labels, tick_size));
  return legend_gap + std::min(1.06 * width, legend_most);  // a little spare, for browsers with wider letters
}

void draw_legend(Canvas& canvas, const Legend& legend, Point corner, double height) {
  if (legend.empty()) return;
  const double x = corner.x, bottom = corner.y + height;
  double y = corner.y + 11;
  if (!legend.title.empty()) {
    canvas.text({x, y}, fit_text(legend.title, legend_most, label_size, true),
                {label_size, colors::ink, Anchor::start, true});
    y += legend_line + 1;
  }
  if (legend.ramp) draw_ramp(canvas, legend, {x, y - 8}, std::min(240.0, bottom - y));
  if (legend.entries.empty()) return;
  // Lines draw together where there are many, and their letters shrink with them.
  const double line = std::min(legend_line, (bottom + 4 - y) / static_cast<double>(legend.entries.size()));
  const double shrink = std::clamp(line / 17.0, 0.5, 1.0), size = label_size * shrink;
  for (const Legend::Entry& entry : legend.entries) {
    canvas.dots(std::array{Dot{{x + 5.5, y - 0.354 * size}, entry.color, {}, entry.marker}}, {5.0 * shrink, 1.0, false},
                {});
    canvas.text({x + 18, y}, fit_name(entry.name, legend_most - 18, size), {size, colors::ink});
    y += line;
  }
}

void make_equal(Frame& frame) {
  const double x_length = frame.x.high - frame.x.low, y_length = frame.y.high - frame.y.low;
  if (!(frame.area.width > 0) || !(frame.area.height > 0) || !std::isfinite(x_length) || !std::isfinite(y_length))
    return;  // ends of the doubles: no unit to speak of
  const double unit = std::max(x_length / frame.area.width, y_length / frame.area.height);
  const auto widen = [](Scale& scale, double length) {
    const double more = (length - (scale.high - scale.low)) / 2;
    if (std::isfinite(more)) scale = {scale.low - more, scale.high + more};
  };
  widen(frame.x, unit * frame.area.width);
  widen(frame.y, unit * frame.area.height);
}

void lay_out(Frame& frame, double sheet_width, double sheet_height) {
  const double top = frame.title.empty() ? 24 : 58, bottom = frame.x_label.empty() ? 40 : 62;
  const double height = sheet_height - top - bottom;
  const Scale x = frame.x, y = frame.y;
  for (int pass = 0; pass < (frame.equal ? 3 : 1); ++pass) {  // the scales widen, their numbers may, and the margin
    frame.y_ticks = nice_ticks(frame.y.low, frame.y.high, static_cast<int>(height / 52));
    const double left =
        (frame.y_label.empty() ? 14 : 38) + std::min(110.0, widest(frame.y_ticks.labels, tick_size)) + 9;
    frame.area = {std::ceil(left), top, std::floor(sheet_width - left - 26 - legend_width(frame.legend)), height};
    if (!frame.equal) break;
    frame.x = x, frame.y = y;
    make_equal(frame);
  }

  for (int most = static_cast<int>(frame.area.width / 64); most >= 1; --most) {  // fewer, until the labels keep apart
    frame.x_ticks = nice_ticks(frame.x.low, frame.x.high, most);
    if (frame.x_ticks.at.size() < 2) break;
    const double apart = frame.place(frame.x_ticks.at[1], 0).x - frame.place(frame.x_ticks.at[0], 0).x;
    if (apart > widest(frame.x_ticks.labels, tick_size) + 14) break;
  }
}

void draw_rule(Canvas& canvas, Point a, Point b, Color color) {
  const auto snap = [](double v) { return std::floor(v) + 0.5; };
  if (a.x == b.x) a.x = b.x = snap(a.x);
  if (a.y == b.y) a.y = b.y = snap(a.y);
  canvas.line(std::array{a, b}, 1.0, color);
}

void draw_title(Canvas& canvas, const std::string& title, double x, double width) {
  if (title.empty()) return;
  double size = title_size;
  width *= 0.88;  // other fonts' bold letters are wider
  while (size > 12 && text_width(title, size, true) > width) size -= 1;
  canvas.text({x, 34}, fit_text(title, width, size, true), {size, colors::ink, Anchor::start, true});
}

void draw_note(Canvas& canvas, const std::string& note, const Frame& frame) {
  canvas.text({frame.area.right(), frame.area.y - 7}, fit_text(note, frame.area.width, 11),
              {11, colors::soft_ink, Anchor::end});
}

void draw_grid(Canvas& canvas, const Frame& frame) {
  const Box& area = frame.area;
  const auto grid_color = [](double at, const Ticks& ticks) {
    return ticks.at.size() > 1 && at == 0.0 ? colors::zero_line : colors::grid;
  };
  for (const bool zero : {false, true}) {  // the zero lines over the grid
    for (const double at : frame.x_ticks.at)
      if (const double x = frame.place(at, frame.y.low).x; zero == (at == 0.0))
        draw_rule(canvas, {x, area.y}, {x, area.bottom()}, grid_color(at, frame.x_ticks));
    for (const double at : frame.y_ticks.at)
      if (const double y = frame.place(frame.x.low, at).y; zero == (at == 0.0))
        draw_rule(canvas, {area.x, y}, {area.right(), y}, grid_color(at, frame.y_ticks));
  }
}

void draw_x_numbers(Canvas& canvas, const Frame& frame) {
  for (std::size_t i = 0; i < frame.x_ticks.at.size(); ++i)
    canvas.text({frame.place(frame.x_ticks.at[i], frame.y.low).x, frame.area.bottom() + 19}, frame.x_ticks.labels[i],
                {tick_size, colors::soft_ink, Anchor::middle});
}

void draw_y_numbers(Canvas& canvas, const Frame& frame) {
  for (std::size_t i = 0; i < frame.y_ticks.at.size(); ++i)
    canvas.text({frame.area.x - 9, frame.place(frame.x.low, frame.y_ticks.at[i]).y + 0.36 * tick_size},
                fit_text(frame.y_ticks.labels[i], 110, tick_size), {tick_size, colors::soft_ink, Anchor::end});
}

void draw_frame(Canvas& canvas, const Frame& frame) {
  const Box& area = frame.area;
  draw_grid(canvas, frame);
  draw_x_numbers(canvas, frame);
  draw_y_numbers(canvas, frame);
  canvas.text({area.x + area.width / 2, area.bottom() + 46}, fit_text(frame.x_label, area.width, label_size),
              {label_size, colors::ink, Anchor::middle});
  canvas.text({24, area.y + area.height / 2}, fit_text(frame.y_label, area.height, label_size),
              {label_size, colors::ink, Anchor::middle, false, true});
  draw_title(canvas, frame.title, area.x, area.width + legend_width(frame.legend));
  draw_legend(canvas, frame.legend, {area.right() + legend_gap, area.y}, area.height);
}

}  // namespace fewdim
