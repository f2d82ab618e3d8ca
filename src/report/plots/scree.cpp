#include <fmt/format.h>

#include <array>
#include <cmath>

#include "fewdim/plot.hpp"
#include "report/canvas/file.hpp"
#include "report/canvas/font.hpp"
#include "report/canvas/frame.hpp"
#include "report/plots/shares.hpp"

namespace fewdim {

namespace {

constexpr int intervals = 5;  // on both axes, so that one grid serves them

/// Of more components than the picture has pixels, every how many are drawn.
Index stride(Index count) { return (count + 1999) / 2000; }

/// The round number of percent that five steps of reach the largest share.
double step_percent(double largest_share) {
  const double least = std::max(largest_share * 100, 1e-6) / intervals;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0})
    if (factor * power >= least * (1 - 1e-12)) return factor * power;
  return 10 * power;
}

/// Percents as short as they can be: "7.5 %", "20 %".
std::string percent(double value) { return fmt::format("{:.6g} %", value); }

/// Component numbers: every one while they have room, else 1 and round ones.
Ticks component_ticks(Index count, double width) {
  Ticks ticks;
  const double room = text_width(std::to_string(count), tick_size) + 10;
  const bool all = width / double(count) >= room;
  Index step = 1;
  if (!all)
    step = std::max<Index>(1, std::llround(nice_ticks(0, double(count), std::max(2, int(width / (room + 24)))).step));
  for (Index i = 1; i <= count; ++i) {
    if (i != 1 && i % step != 0) continue;
    if (i != 1 && width * double(i - 1) / double(count) < room) continue;  // too close to the 1
    ticks.at.push_back(double(i));
    ticks.labels.push_back(std::to_string(i));
  }
  return ticks;
}

Frame frame_for(const ScreePlot& plot, const Sheet& sheet) {
  const Index count = plot.ratios.size();
  const double step = step_percent(plot.ratios.maxCoeff());
  Frame frame;
  frame.title = plot.title;
  frame.x_label = plot.x_label;
  frame.y_label = plot.y_label;
  frame.x = {0.5, double(count) + 0.5};
  frame.y = {0.0, step * intervals};
  lay_out(frame, sheet.width, sheet.height);
  frame.y_ticks = {step, {}, {}};
  double label_width = 0;
  for (int i = 0; i <= intervals; ++i) {
    frame.y_ticks.at.push_back(step * i);
    frame.y_ticks.labels.push_back(percent(step * i));
    label_width = std::max(label_width, text_width(frame.y_ticks.labels.back(), tick_size));
  }
  const double left = std::ceil((plot.y_label.empty() ? 14 : 38) + label_width + 9);
  frame.area.x = left;
  frame.area.width = sheet.width - left - 84;
  frame.x_ticks = component_ticks(count, frame.area.width);
  return frame;
}

void draw_bars(Canvas& canvas, const Frame& frame, const Vector<double>& shares) {
  const Index count = shares.size();
  const double pitch = frame.area.width / double(count);
  const double base = frame.place(1, 0).y;
  if (pitch < 3) {  // too thin for bars: one outline
    Path outline{{frame.area.x, base}};
    for (Index i = 0; i < count; i += stride(count)) {
      const double y = frame.place(1, 100 * shares[i]).y;
      outline.push_back({frame.area.x + pitch * double(i), y});
      outline.push_back({frame.area.x + pitch * double(std::min(count, i + stride(count))), y});
    }
    outline.push_back({frame.area.right(), base});
    canvas.polygon(outline, colors::bar);
    return;
  }
  const auto snap = [](double v) { return std::round(2 * v) / 2; };  // equal bars on whole pixels
  const double width = std::max(1.0, snap(std::min(64.0, pitch * (pitch < 12 ? 0.8 : 0.68))));
  const Vector<double> sums = running_sums(shares);
  for (Index i = 0; i < count; ++i) {
    const Point top = frame.place(double(i + 1), 100 * shares[i]);
    canvas.rectangle({snap(top.x - width / 2), top.y, width, base - top.y}, colors::bar);
    if (pitch < 50) continue;
    const bool at_line = std::abs(frame.place(1, frame.y.high * sums[i]).y - (top.y - 10)) < 15 && base - top.y > 30;
    canvas.text({top.x, at_line ? top.y + 20 : top.y - 6}, fmt::format("{:.1f} %", 100 * shares[i]),
                {11.5, at_line ? colors::paper : colors::soft_ink, Anchor::middle});
  }
}

void draw_cumulative(Canvas& canvas, const Frame& frame, const Vector<double>& shares) {
  const Vector<double> sums = running_sums(shares);
  const auto place = [&](Index i) { return frame.place(double(i + 1), frame.y.high * sums[i]); };
  Path line;
  for (Index i = 0; i < sums.size(); i += stride(sums.size())) line.push_back(place(i));
  line.push_back(place(sums.size() - 1));
  canvas.line(line, 1.8, colors::accent);
  if (sums.size() <= 60) {
    std::vector<Dot> dots;
    for (Index i = 0; i < sums.size(); ++i) dots.push_back({place(i), colors::accent, {}});
    canvas.dots(dots, {3.2, 1.0, true}, frame.area);
  }
  for (int i = 0; i <= intervals; ++i)
    canvas.text({frame.area.right() + 9, frame.place(1, frame.y_ticks.at[std::size_t(i)]).y + 0.36 * tick_size},
                percent(100.0 / intervals * i), {tick_size, colors::accent});
  canvas.text({frame.area.right() + 66, frame.area.y + frame.area.height / 2}, "cumulative",
              {label_size, colors::accent, Anchor::middle, false, true});
}

}  // namespace

void plot(const ScreePlot& plot, const std::string& path, bool overwrite) {
  const Vector<double> shares = checked_shares("plot", plot.ratios);
  const Sheet sheet = sheet_of(plot.size, 800, 520, plot.title);
  ScreePlot drawn = plot;
  drawn.ratios = shares;
  save_picture(path, overwrite, sheet, [&](Canvas& canvas) {
    const Frame frame = frame_for(drawn, sheet);
    Frame without_upright_grid = frame;
    without_upright_grid.x_ticks = {};
    draw_frame(canvas, without_upright_grid);
    for (std::size_t i = 0; i < frame.x_ticks.at.size(); ++i)
      canvas.text({frame.place(frame.x_ticks.at[i], 0).x, frame.area.bottom() + 19}, frame.x_ticks.labels[i],
                  {tick_size, colors::soft_ink, Anchor::middle});
    draw_bars(canvas, frame, shares);
    draw_cumulative(canvas, frame, shares);
  });
}

}  // namespace fewdim
