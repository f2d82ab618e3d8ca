#include "report/canvas/colors.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fewdim {
namespace {

using Three = std::array<double, 3>;

Three linear_light(Color c) {  // sRGB's transfer curve, IEC 61966-2-1
  Three out{};
  const std::array bytes{c.red, c.green, c.blue};
  for (std::size_t i = 0; i < 3; ++i) {
    const double v = bytes[i] / 255.0;
    out[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  return out;
}

Three times(const std::array<Three, 3>& m, const Three& v) {
  Three out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = std::max(0.0, m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2]);
  return out;
}

Three lab(const Three& linear) {  // CIE 1976, white D65
  const std::array<Three, 3> to_xyz{{{.4124, .3576, .1805}, {.2126, .7152, .0722}, {.0193, .1192, .9505}}};
  const Three xyz = times(to_xyz, linear), white{.9505, 1.0, 1.089};
  Three f{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / white[i];
    f[i] = t > .008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

// Machado, Oliveira and Fernandes (2009), severity 1: how the colors look without one kind of cone.
const std::array<std::array<Three, 3>, 4> visions{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}}},
    {{{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}}},
    {{{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .303900}}},
}};

TEST(Colors, ClassesStayApartForEveryKindOfColorVision) {
  double least = 1e9;
  for (const auto& vision : visions)
    for (std::size_t a = 0; a < colors::classes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Three p = lab(times(vision, linear_light(colors::classes[a])));
        const Three q = lab(times(vision, linear_light(colors::classes[b])));
        least = std::min(least, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
      }
  EXPECT_GT(least,
            16);  // Okabe and Ito's own closest pair has 16.1 (green and sky blue, tritanopia); 2.3 is just noticeable
}

TEST(Colors, ViridisRunsFromVioletToYellowAndGetsLighter) {
  EXPECT_EQ(viridis(0), rgb(0x440154));  // the published ends
  EXPECT_EQ(viridis(1), rgb(0xfde725));
  EXPECT_EQ(viridis(0.5), rgb(0x21918c));
  EXPECT_EQ(viridis(-3), viridis(0));
  EXPECT_EQ(viridis(7), viridis(1));
  double last = 0;
  for (int i = 0; i <= 100; ++i) {
    const double lightness = lab(linear_light(viridis(i / 100.0)))[0];
    EXPECT_GT(lightness, last - 0.2) << i;  // bytes round
    last = lightness;
  }
}

}  // namespace
}  // namespace fewdim
