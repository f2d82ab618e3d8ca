#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace fewdim {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  double alpha = 1.0;
  bool operator==(const Color&) const = default;
};

constexpr Color rgb(std::uint32_t hex, double alpha = 1.0) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex),
          alpha};
}

namespace colors {

inline constexpr Color paper = rgb(0xffffff), ink = rgb(0x222222), soft_ink = rgb(0x5f6368), grid = rgb(0xe8eaed),
                       zero_line = rgb(0xbdc1c6), other = rgb(0x9aa0a6), bar = rgb(0x4d8fbf), accent = rgb(0xd55e00),
                       missing = rgb(0xf2b8b5);

/// Okabe and Ito's colors, safe for every kind of color vision, their black and their faint yellow late; brown, lime,
/// indigo and wine are chosen to stay as far from all others as those are from each other, for any vision.
inline constexpr std::array classes{rgb(0x0072b2), rgb(0xe69f00), rgb(0x009e73), rgb(0xd55e00),
                                    rgb(0xcc79a7), rgb(0x56b4e9), rgb(0x661100), rgb(0xa9d168),
                                    rgb(0x332288), rgb(0x222222), rgb(0x882255), rgb(0xf0e442)};

}  // namespace colors

/// Viridis (Smith and van der Walt, CC0), eleven stops: position 0 dark violet .. 1 yellow, evenly spaced to the eye.
inline Color viridis(double position) {
  constexpr std::array stops{rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355f8d), rgb(0x2a788e), rgb(0x21918c),
                             rgb(0x22a884), rgb(0x44bf70), rgb(0x7ad151), rgb(0xbddf26), rgb(0xfde725)};
  const double along = std::clamp(position, 0.0, 1.0) * double(stops.size() - 1);
  const std::size_t i = std::min(stops.size() - 2, static_cast<std::size_t>(along));
  const auto mix = [f = along - double(i)](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + f * (double(b) - a)));
  };
  const Color& a = stops[i];
  const Color& b = stops[i + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue), 1.0};
}

}  // namespace fewdim
