#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/canvas/canvas.hpp"

namespace fewdim {

struct NamedPoint {
  Point at;
  std::string name;
  Color color = colors::ink;
};

struct Segment {
  Point from, to;
};

/// A name in its place: where its letters stand, and the thin line to its point where it could not stand beside it.
struct PlacedName {
  std::size_t point;  ///< of those given
  std::string text;   ///< shortened where it was long
  Box box;            ///< of the letters, with a little to spare
  Point baseline;     ///< the left end
  bool led = false;
  Segment leader{};  ///< where led
};

constexpr double name_size = 11.5;

/// What names must not cover.
struct Obstacles {
  double radius = 0.0;             ///< of a disc around each named point
  std::vector<Point> discs{};      ///< other dots
  double disc_radius = 0.0;        ///< of those
  std::vector<Segment> lines{};    ///< arrows
  std::vector<Box> boxes{};        ///< other names
  bool ordered = false;            ///< the first choose first, however crowded others are
  bool outward_of_origin = false;  ///< a name stands on the side of its point that looks away from `origin`
  Point origin{};
};

/// Gives each name the nearest free place: eight beside its point, then farther ones with a line to it. No name covers
/// another, a disc, a line or a leader; no leader crosses another. Crowded points choose first, so that few are left
/// without a place; those are left out.
std::vector<PlacedName> place_names(std::span<const NamedPoint> points, const Obstacles& obstacles, const Box& area);
void draw_names(Canvas& canvas, std::span<const NamedPoint> points, const std::vector<PlacedName>& names);

}  // namespace fewdim
