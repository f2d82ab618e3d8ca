#pragma once

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011): number i of stream s under a seed is a
/// function of (seed, s, i) alone, so any thread can draw any of them in any order.
class Random {
 public:
  Random(Seed seed, std::uint32_t stream)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}}, stream_(stream) {}

  /// Uniform in the open interval (0, 1).
  double uniform(std::uint64_t i) const {
    const auto words = draw(i);
    return to_unit(words[0], words[1]);
  }

  /// Standard normal (Box & Muller 1958).
  double normal(std::uint64_t i) const {
    const auto words = draw(i / 2);
    const double radius = std::sqrt(-2.0 * std::log(to_unit(words[0], words[1])));
    const double angle = 2.0 * std::numbers::pi * to_unit(words[2], words[3]);
    return radius * ((i & 1) != 0 ? std::sin(angle) : std::cos(angle));
  }

  /// Uniform in 0 .. bound-1.
  std::uint64_t below(std::uint64_t i, std::uint64_t bound) const {
    const auto words = draw(i);
    const std::uint64_t bits = (std::uint64_t{words[0]} << 32) | words[1];
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
  }

 private:
  std::array<std::uint32_t, 4> draw(std::uint64_t i) const {
    const r123::Philox4x32::ctr_type counter{
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), stream_, 0}};
    const auto out = r123::Philox4x32()(counter, key_);
    return {out[0], out[1], out[2], out[3]};
  }
  static double to_unit(std::uint32_t high, std::uint32_t low) {
    const std::uint64_t bits = (std::uint64_t{high} << 32) | low;
    // The last of the 2^53 steps plus a half would round to 2^53, and so to 1.
    return std::min((static_cast<double>(bits >> 11) + 0.5) * 0x1.0p-53, 0x1.fffffffffffffp-1);
  }

  r123::Philox4x32::key_type key_;
  std::uint32_t stream_;
};

/// Fills a block with independent standard normals; column c of the block uses stream first_stream + c.
template <class T>
void fill_normal(Seed seed, std::uint32_t first_stream, Block<T> out) {
  for (Index c = 0; c < out.cols(); ++c) {
    const Random random(seed, first_stream + static_cast<std::uint32_t>(c));
    for (Index i = 0; i < out.rows(); ++i) out(i, c) = static_cast<T>(random.normal(static_cast<std::uint64_t>(i)));
  }
}

/// `count` different numbers of 0 .. total-1, in random order: the first steps of a Fisher–Yates shuffle.
inline std::vector<Index> draw_without_replacement(Index total, Index count, Seed seed, std::uint32_t stream) {
  std::vector<Index> all(static_cast<std::size_t>(total));
  std::iota(all.begin(), all.end(), Index{0});
  const Random random(seed, stream);
  for (Index i = 0; i < count; ++i) {
    const auto step = random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(total - i));
    std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i) + step]);
  }
  all.resize(static_cast<std::size_t>(count));
  return all;
}

}  // namespace fewdim
