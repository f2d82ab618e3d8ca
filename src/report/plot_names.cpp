#include "report/plot_names.hpp"

#include <algorithm>
#include <array>

#include "report/font.hpp"

namespace fewdim {

namespace {

constexpr double name_size = 11.5, longest_name = 150;

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const double height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return std::max(0.0, width) * std::max(0.0, height);
}

}  // namespace

void draw_names(Canvas& canvas, std::span<const NamedPoint> points, double radius, const Box& area) {
  std::vector<Box> taken;
  for (const NamedPoint& p : points) taken.push_back({p.at.x - radius, p.at.y - radius, 2 * radius, 2 * radius});
  for (const NamedPoint& p : points) {
    const std::string name = fit_text(p.name, longest_name, name_size);
    const double width = text_width(name, name_size), height = name_size, gap = radius + 3;
    if (width == 0) continue;
    const double left = p.at.x - gap - width, right = p.at.x + gap, center = p.at.x - width / 2;
    const double above = p.at.y - gap - height, below = p.at.y + gap, middle = p.at.y - height / 2;
    const std::array<Box, 8> candidates{{{right, middle, width, height},
                                         {left, middle, width, height},
                                         {center, above, width, height},
                                         {center, below, width, height},
                                         {right - 3, above + 3, width, height},
                                         {left + 3, above + 3, width, height},
                                         {right - 3, below - 3, width, height},
                                         {left + 3, below - 3, width, height}}};
    const Box* best = nullptr;
    double least = 0.12 * width * height;  // a little touching is still legible
    for (const Box& box : candidates) {
      if (box.x < area.x - 8 || box.right() > area.right() + 20 || box.y < area.y - 8 || box.bottom() > area.bottom())
        continue;
      double cost = 0;
      for (const Box& other : taken) cost += overlap(box, other);
      if (cost >= least) continue;
      least = cost;
      best = &box;
      if (cost == 0) break;
    }
    if (best == nullptr) continue;
    taken.push_back(*best);
    canvas.text({best->x, best->y + 0.83 * name_size}, name, {name_size, colors::ink});
  }
}

}  // namespace fewdim
