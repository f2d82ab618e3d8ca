#pragma once

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>
#include <type_traits>

/// Decimal text to the nearest float or double, exact to the last bit. The common case is done here in one
/// multiplication; whatever is long, far out or near a tie goes to fast_float, which is exact for all.
namespace fewdim::delimited::number {

__extension__ using Wide = unsigned __int128;

/// 5^q = mantissa * 2^exponent, the mantissa cut (not rounded) to 64 bits with its top bit set.
struct Power {
  std::uint64_t mantissa = 0;
  int exponent = 0;
};

constexpr int lowest_power = -80, highest_power = 55;

constexpr auto make_powers() {
  std::array<Power, highest_power - lowest_power + 1> powers{};
  const auto at = [](int q) { return static_cast<std::size_t>(q - lowest_power); };
  Wide positive = 1;  // 5^55 < 2^128
  for (int q = 0; q <= highest_power; ++q) {
    Wide aligned = positive;
    int shift = 0;
    while (aligned >> 127 == 0) aligned <<= 1, ++shift;
    powers[at(q)] = {static_cast<std::uint64_t>(aligned >> 64), 64 - shift};
    if (q < highest_power) positive *= 5;
  }
  std::array<std::uint64_t, 4> inverse{0, 0, 0,
                                       std::uint64_t{1} << 63};  // 2^255 / 5^k, cut: 69 bits are left at k = 80
  for (int k = 1; k <= -lowest_power; ++k) {
    std::uint64_t rest = 0;
    for (std::size_t limb = 4; limb-- > 0;) {
      const Wide part = (static_cast<Wide>(rest) << 64) | inverse[limb];
      inverse[limb] = static_cast<std::uint64_t>(part / 5);
      rest = static_cast<std::uint64_t>(part % 5);
    }
    std::size_t top = 3;
    while (inverse[top] == 0) --top;
    const int shift = std::countl_zero(inverse[top]);
    const std::uint64_t below = shift > 0 ? inverse[top - 1] >> (64 - shift) : 0;
    powers[at(-k)] = {(inverse[top] << shift) | below, static_cast<int>(64 * top) - shift - 255};
  }
  return powers;
}

inline constexpr auto powers_of_five = make_powers();

/// digits * 10^q, or false where the answer can't be told with certainty.
///
/// With w = digits * 2^z in [2^63, 2^64) and the cut mantissa m of 5^q, the true product lies in
/// [w m, w m + 2^64): its upper 64 bits are `high` or high + 1. So the bits dropped in rounding are known to within
/// 2 units, or 4 when the product has 127 bits and is moved up by one; only when they stand just below half, or at
/// half, can the rounding go either way.
template <class T>
inline bool convert(std::uint64_t digits, int q, bool negative, T& value) {
  constexpr int precision = sizeof(T) == 8 ? 53 : 24, dropped = 64 - precision;
  constexpr int bias = sizeof(T) == 8 ? 1023 : 127;
  constexpr std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto place = static_cast<std::size_t>(q - lowest_power);
  if (place >= powers_of_five.size() || digits == 0) return false;
  const Power power = powers_of_five[place];
  const int zeros = std::countl_zero(digits);
  std::uint64_t high = static_cast<std::uint64_t>((static_cast<Wide>(digits << zeros) * power.mantissa) >> 64);
  const int moved = high >> 63 == 0;
  high <<= moved;
  const std::uint64_t rest = high & (2 * half - 1);
  if (rest - (half - 3) <= 3) return false;
  const int exponent = 127 - moved - zeros + power.exponent + q;            // of the leading bit
  if (sizeof(T) == 4 && (exponent < -125 || exponent > 126)) return false;  // a double's ends are out of reach
  // Rounding up may carry into the exponent field: just what is wanted.
  const std::uint64_t mantissa = (high >> dropped) + (rest >> (dropped - 1));
  const Bits sign = static_cast<Bits>(negative) << (sizeof(T) * 8 - 1);
  const Bits field = static_cast<Bits>(exponent + bias - 1) << (precision - 1);
  value = std::bit_cast<T>(static_cast<Bits>(field + mantissa + sign));
  return true;
}

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Appends the digits at p to `digits` and returns the position after them; reads eight bytes at a time, 24 at
/// most. How many digits follow the last full eight is not a matter of branches, which no processor could foresee.
inline const char* take_digits(const char* p, std::uint64_t& digits) {
  static_assert(std::endian::native == std::endian::little, "the first digit must be the lowest byte");
  constexpr std::uint64_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  constexpr std::uint64_t pairs = 0x000000FF000000FFU;
  const auto value_of = [](std::uint64_t eight) {  // eight digits as bytes: pairs, then fours, then all
    eight = eight * 10 + (eight >> 8);
    return ((eight & pairs) * 0x000F424000000064U + ((eight >> 16) & pairs) * 0x0000271000000001U) >> 32;
  };
  for (int words = 0; words < 3; ++words, p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    const std::uint64_t bytes = word - 0x3030303030303030U;
    // The top bit of a byte that is no digit; bytes above the first of them may be wrong, and do not matter.
    const std::uint64_t others = ((word + 0x4646464646464646U) | bytes) & 0x8080808080808080U;
    if (others == 0) {
      digits = digits * 100000000 + value_of(bytes);
      continue;
    }
    const int bits = std::countr_zero(others) & ~7;
    digits = digits * tens[bits / 8] + value_of((bytes << (56 - bits)) << 8);
    return p + bits / 8;
  }
  return p;  // 24 digits and more: too many anyway
}

/// Any number fast_float takes (inf, infinity and nan in any case included), and a leading '+'. A number that is too
/// large for T comes out as infinity, one that is too small as 0 (the nearest there is).
template <class T>
const char* scan_any(const char* begin, const char* end, char decimal, T& value) {
  if (begin != end && *begin == '+' && begin + 1 != end && begin[1] != '-') ++begin;
  const auto result = fast_float::from_chars_advanced(
      begin, end, value, fast_float::parse_options{fast_float::chars_format::general, decimal});
  const bool read = result.ec == std::errc() || result.ec == std::errc::result_out_of_range;  // then inf or 0
  return read ? result.ptr : nullptr;
}

/// Whether the number at `begin`, read as `value`, is too large for T: infinite, but not spelled so.
template <class T>
bool is_too_large(const char* begin, T value) {
  if (!std::isinf(value)) return false;
  begin += *begin == '+' || *begin == '-';
  return (*begin | 0x20) != 'i';
}

/// As scan_any, but a number too large for T is none: bad data must not turn into infinity unseen.
template <class T>
const char* scan_in_range(const char* begin, const char* end, char decimal, T& value) {
  const char* const next = scan_any(begin, end, decimal, value);
  return next && is_too_large(begin, value) ? nullptr : next;
}

/// Reads the number at `begin` and returns the position after it, or null when there is none, or one too large
/// for T. A byte that can't be
/// part of a number must stand before `end`.
template <class T>
inline const char* scan(const char* begin, const char* end, char decimal, T& value) {
  constexpr std::ptrdiff_t reach = 80;  // what the steps below read at most before the exponent
  if (end - begin < reach) return scan_in_range(begin, end, decimal, value);
  const char* p = begin;
  const bool negative = *p == '-';
  p += negative;
  const char* const start = p;
  std::uint64_t digits = 0;
  for (; is_digit(*p) && p - start < 4; ++p) digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
  if (is_digit(*p)) p = take_digits(p, digits);
  std::ptrdiff_t count = p - start;
  int q = 0;
  if (*p == decimal) {
    const char* const fraction = ++p;
    p = take_digits(p, digits);
    q = static_cast<int>(fraction - p);
    count -= q;
  }
  if (count == 0 || count > 19) return scan_in_range(begin, end, decimal, value);  // any 19 digits fit 64 bits
  if ((*p | 0x20) == 'e') {
    const char* e = p + 1;
    const bool minus = *e == '-';
    e += minus || *e == '+';
    if (!is_digit(*e)) return scan_in_range(begin, end, decimal, value);
    int exponent = 0;
    for (; is_digit(*e); ++e) exponent = std::min(exponent * 10 + (*e - '0'), 100000);
    q += minus ? -exponent : exponent;
    p = e;
  }
  if (convert(digits, q, negative, value)) return p;
  if (digits != 0) return scan_in_range(begin, end, decimal, value);
  value = negative ? -T(0) : T(0);
  return p;
}

/// The whole text as a number, too large a one included.
template <class T>
bool parse_whole(std::string_view text, char decimal, T& value) {
  const char* end = text.data() + text.size();
  return !text.empty() && scan_any(text.data(), end, decimal, value) == end;
}

}  // namespace fewdim::delimited::number
