#include "report/plot_names.hpp"

#include <algorithm>
#include <array>

#include "report/font.hpp"

namespace fewdim {

namespace {

constexpr double name_size = 11.5, longest_name = 150, ascent = 0.75 * name_size, descent = 0.2 * name_size;

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const double height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return std::max(0.0, width) * std::max(0.0, height);
}

/// Where a name may stand, by its reference point beside the dot.
struct Stand {
  double x, y;  // of the anchor on the baseline, from the dot's center
  Anchor anchor;
};

Box box_of(Point dot, const Stand& stand, double width) {
  const double shift = stand.anchor == Anchor::start ? 0.0 : stand.anchor == Anchor::middle ? width / 2 : width;
  return {dot.x + stand.x - shift, dot.y + stand.y - ascent, width, ascent + descent};
}

bool outside(const Box& box, const Box& area) {
  return box.x < area.x - 8 || box.right() > area.right() + 20 || box.y < area.y - 8 || box.bottom() > area.bottom();
}

}  // namespace

void draw_names(Canvas& canvas, std::span<const NamedPoint> points, double radius, const Box& area) {
  const double level = 0.36 * name_size, side = radius + 3.5, above = -radius - 4, below = radius + 2 + ascent,
               near = radius;
  const std::array<Stand, 8> stands{{{side, level, Anchor::start},
                                     {-side, level, Anchor::end},
                                     {0, above, Anchor::middle},
                                     {0, below, Anchor::middle},
                                     {near, above, Anchor::start},
                                     {-near, above, Anchor::end},
                                     {near, below - 1, Anchor::start},
                                     {-near, below - 1, Anchor::end}}};
  const double room = radius + 1.5;
  std::vector<Box> taken;
  for (const NamedPoint& p : points) taken.push_back({p.at.x - room, p.at.y - room, 2 * room, 2 * room});
  for (const NamedPoint& p : points) {
    const std::string name = fit_name(p.name, longest_name, name_size);
    if (name.empty()) continue;
    const double width = 1.08 * text_width(name, name_size);  // for other fonts too
    const Stand* best = nullptr;
    double least = 0.1 * width * name_size;  // a little touching is still legible
    for (const Stand& stand : stands) {
      const Box box = box_of(p.at, stand, width);
      if (outside(box, area)) continue;
      double cost = 0;
      for (const Box& other : taken) cost += overlap(box, other);
      if (cost >= least) continue;
      least = cost;
      best = &stand;
      if (cost == 0) break;
    }
    if (best == nullptr) continue;
    taken.push_back(box_of(p.at, *best, width));
    canvas.text({p.at.x + best->x, p.at.y + best->y}, name, {name_size, colors::ink, best->anchor});
  }
}

}  // namespace fewdim
