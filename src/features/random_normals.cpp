#include "features/random_normals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/clones.hpp"

namespace fewdim {

namespace {

constexpr Index lanes = 8;
using Words __attribute__((vector_size(64))) = std::uint64_t;
using Reals __attribute__((vector_size(64))) = double;

__attribute__((always_inline)) inline void words_of(const Reals& from, Words& to) { __builtin_memcpy(&to, &from, 64); }
__attribute__((always_inline)) inline void reals_of(const Words& from, Reals& to) { __builtin_memcpy(&to, &from, 64); }

/// A whole number below 2^52 as a double: beside 2^52 it stands in the low bits.
__attribute__((always_inline)) inline void to_reals(const Words& whole, Reals& out) {
  reals_of(whole | 0x4330000000000000U, out);
  out -= 0x1p52;
}

/// a where the mask has ones, b where it has zeros. GCC takes `?:` of a mask that was computed lane by lane.
__attribute__((always_inline)) inline void choose(const Words& mask, const Reals& a, const Reals& b, Reals& out) {
  Words x, y;
  words_of(a, x);
  words_of(b, y);
  reals_of((x & mask) | (y & ~mask), out);
}

/// Ten rounds (Salmon et al. 2011) of 32-bit words, each in a lane of 64.
__attribute__((always_inline)) inline void philox(Words& c0, Words& c1, Words& c2, Words& c3, std::uint64_t k0,
                                                  std::uint64_t k1) {
  constexpr std::uint64_t low = 0xFFFFFFFFU;
  for (int round = 0; round < 10; ++round) {
    const Words p0 = c0 * std::uint64_t{0xD2511F53}, p1 = c2 * std::uint64_t{0xCD9E8D57};
    c0 = (p1 >> 32) ^ c1 ^ k0;
    c1 = p1 & low;
    c2 = (p0 >> 32) ^ c3 ^ k1;
    c3 = p0 & low;
    k0 = (k0 + 0x9E3779B9U) & low;
    k1 = (k1 + 0xBB67AE85U) & low;
  }
}

/// Within (0, 1), of 52 bits.
__attribute__((always_inline)) inline void to_unit(const Words& high, const Words& low, Reals& out) {
  to_reals((high << 32 | low) >> 12, out);
  out = (out + 0.5) * 0x1p-52;
}

/// u = m 2^e with m in (√½, √2]: log u = e ln 2 + 2 artanh((m − 1)/(m + 1)), whose series ends at 1e-17.
__attribute__((always_inline)) inline void log_of(const Reals& u, Reals& out) {
  Words bits;
  words_of(u, bits);
  Reals e, m;
  to_reals(bits >> 52, e);
  e -= 1023.0;
  reals_of((bits & 0x000FFFFFFFFFFFFFU) | 0x3FF0000000000000U, m);
  const auto large = m > std::numbers::sqrt2;
  m = large ? m * 0.5 : m;
  e = large ? e + 1.0 : e;
  const Reals f = (m - 1.0) / (m + 1.0), s = f * f;
  Reals p = s * (1.0 / 21.0) + 1.0 / 19.0;
  p = p * s + 1.0 / 17.0;
  p = p * s + 1.0 / 15.0;
  p = p * s + 1.0 / 13.0;
  p = p * s + 1.0 / 11.0;
  p = p * s + 1.0 / 9.0;
  p = p * s + 1.0 / 7.0;
  p = p * s + 1.0 / 5.0;
  p = p * s + 1.0 / 3.0;
  out = e * std::numbers::ln2 + (f + f * s * p) * 2.0;
}

/// cos and sin of 2πt: a quarter turn, and what is left of it, at most π/4, by Taylor's series.
__attribute__((always_inline)) inline void turn(const Reals& t, Reals& cosine, Reals& sine) {
  constexpr double round = 0x1.8p52;
  const Reals shifted = t * 4.0 + round, q = shifted - round;
  const Reals x = (t - q * 0.25) * (2.0 * std::numbers::pi), s = x * x;
  Reals a = s * (1.0 / 355687428096000.0) - 1.0 / 1307674368000.0;
  a = a * s + 1.0 / 6227020800.0;
  a = a * s - 1.0 / 39916800.0;
  a = a * s + 1.0 / 362880.0;
  a = a * s - 1.0 / 5040.0;
  a = a * s + 1.0 / 120.0;
  a = a * s - 1.0 / 6.0;
  a = x + x * s * a;
  Reals b = s * (1.0 / 20922789888000.0) - 1.0 / 87178291200.0;
  b = b * s + 1.0 / 479001600.0;
  b = b * s - 1.0 / 3628800.0;
  b = b * s + 1.0 / 40320.0;
  b = b * s - 1.0 / 720.0;
  b = b * s + 1.0 / 24.0;
  b = b * s - 0.5;
  b = b * s + 1.0;
  Words quarter, c, d;  // 0 to 4, in the low bits
  words_of(shifted, quarter);
  const Words odd = Words{} - (quarter & 1);
  choose(odd, a, b, cosine);
  choose(odd, b, a, sine);
  words_of(cosine, c);
  words_of(sine, d);
  reals_of(c ^ ((quarter + 1) & 2) << 62, cosine);
  reals_of(d ^ (quarter & 2) << 62, sine);
}

template <class T>
__attribute__((always_inline)) inline void fill(Seed seed, std::uint32_t stream, Index j, double scale, T* out,
                                                Index count) {
  for (Index c = 0; c < count; c += 2 * lanes) {
    const auto pair = static_cast<std::uint64_t>(c / 2);
    Words c0 = Words{0, 1, 2, 3, 4, 5, 6, 7} + pair;
    Words c1 = Words{} + (static_cast<std::uint64_t>(j) & 0xFFFFFFFFU), c2 = Words{} + stream, c3 = {};
    philox(c0, c1, c2, c3, seed & 0xFFFFFFFFU, seed >> 32);
    Reals u, t, radius, cosine, sine;
    to_unit(c0, c1, u);
    to_unit(c2, c3, t);
    log_of(u, radius);
    radius *= -2.0;
    for (Index l = 0; l < lanes; ++l) radius[l] = std::sqrt(radius[l]);
    radius *= scale;
    turn(t, cosine, sine);
    cosine *= radius;
    sine *= radius;
    T pairs[2 * lanes];
    for (Index l = 0; l < lanes; ++l)
      pairs[2 * l] = static_cast<T>(cosine[l]), pairs[2 * l + 1] = static_cast<T>(sine[l]);
    std::copy_n(pairs, std::min(2 * lanes, count - c), out + c);
  }
}

FEWDIM_CLONES void fill_row(Seed seed, std::uint32_t stream, Index j, double scale, double* out, Index count) {
  fill(seed, stream, j, scale, out, count);
}
FEWDIM_CLONES void fill_row(Seed seed, std::uint32_t stream, Index j, double scale, float* out, Index count) {
  fill(seed, stream, j, scale, out, count);
}

}  // namespace

void fill_normal_row(Seed seed, std::uint32_t stream, Index j, double scale, double* out, Index count) {
  fill_row(seed, stream, j, scale, out, count);
}
void fill_normal_row(Seed seed, std::uint32_t stream, Index j, double scale, float* out, Index count) {
  fill_row(seed, stream, j, scale, out, count);
}

}  // namespace fewdim
