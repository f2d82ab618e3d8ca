#pragma once

#include <array>
#include <cmath>
#include <numbers>

/// Surfaces and curves in space: a point (u, v) of the unit square goes to its place.
namespace fewdim::manifolds {

using std::numbers::pi;

struct Place {
  std::array<double, 3> at;
  double position;  // along the manifold: what a good embedding unrolls
};

inline Place rolled(double t, double v) { return {{t * std::cos(t), 30.0 * v, t * std::sin(t)}, t}; }

// t = 3π/2 (1 + 2u), height 30v.
inline Place swiss_roll(double u, double v) { return rolled(1.5 * pi * (1.0 + 2.0 * u), v); }

// The same without the middle fifth of its length: u lies in [0, 0.4] or [0.6, 1] (van der Maaten et al. 2009).
inline Place broken_swiss_roll(double u, double v) { return swiss_roll(0.8 * u + (u > 0.5 ? 0.2 : 0.0), v); }

// The same with a hole: the middle third of its length and of its height. The square without its middle ninth is three
// strips: left of the hole, above and below it, and right of it; u says which, and where in it.
inline Place holed_swiss_roll(double u, double v) {
  const double strip = 8.0 / 9.0 * u;  // strips of area 1/3, 2/9, 1/3
  if (strip < 1.0 / 3.0) return swiss_roll(strip, v);
  if (strip > 5.0 / 9.0) return swiss_roll(strip + 1.0 / 9.0, v);
  return swiss_roll(1.0 / 3.0 + (strip - 1.0 / 3.0) * 1.5, 2.0 / 3.0 * v + (v > 0.5 ? 1.0 / 3.0 : 0.0));
}

// Two half turns of unit radius, one each way: t in ±3π/2.
inline Place s_curve(double u, double v) {
  const double t = 3.0 * pi * (u - 0.5);
  return {{std::sin(t), 2.0 * v, (t < 0.0 ? -1.0 : 1.0) * (std::cos(t) - 1.0)}, t};
}

// A closed curve, wound 8 times around a ring of radius 2.
inline Place helix(double u, double) {
  const double t = 2.0 * pi * u, radius = 2.0 + std::cos(8.0 * t);
  return {{radius * std::cos(t), radius * std::sin(t), std::sin(8.0 * t)}, t};
}

// z = 10 sin(πx) tanh(3y) over the square ±1.
inline Place twin_peaks(double u, double v) {
  const double x = 2.0 * u - 1.0, y = 2.0 * v - 1.0;
  return {{x, y, 10.0 * std::sin(pi * x) * std::tanh(3.0 * y)}, x};
}

}  // namespace fewdim::manifolds
