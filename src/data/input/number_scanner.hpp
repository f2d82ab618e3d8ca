#pragma once

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/input/line_pieces.hpp"

/// Numbers out of text. Each function moves `at` past what it read and returns whether that was a number; where it was
/// not, `at` stays.
namespace fewdim {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

/// Digits only; false beyond 2^63 - 1.
inline bool scan_integer(const char*& at, const char* end, std::int64_t& value) {
  const char* next = at;
  std::uint64_t sum = 0;
  for (; next != end && *next >= '0' && *next <= '9'; ++next) {
    if (sum > (std::uint64_t{INT64_MAX} - 9) / 10) return false;
    sum = sum * 10 + static_cast<unsigned>(*next - '0');
  }
  if (next == at) return false;
  value = static_cast<std::int64_t>(sum);
  at = next;
  return true;
}

namespace detail {

/// Out of range counts: the value is infinity or 0 then, the nearest there is.
inline bool was_read(std::errc code) { return code == std::errc() || code == std::errc::result_out_of_range; }

/// Fortran's double precision: 1.5D+03.
inline bool scan_fortran_real(const char*& at, const char* end, double& value) {
  std::string text(at, std::min<std::size_t>(static_cast<std::size_t>(end - at), 400));
  const std::size_t exponent = text.find_first_of("dD");
  if (exponent == std::string::npos) return false;
  text[exponent] = 'e';
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (!was_read(result.ec) || result.ptr <= text.data() + exponent) return false;
  at += result.ptr - text.data();
  return true;
}

}  // namespace detail

/// A decimal number, inf or nan, correctly rounded: one beyond the range of float64 comes out as infinity.
inline bool scan_real(const char*& at, const char* end, double& value) {
  const char* next = at;
  if (next != end && *next == '+' && next + 1 != end && next[1] != '-') ++next;
  const auto result = fast_float::from_chars(next, end, value);
  if (!detail::was_read(result.ec)) return false;
  if (result.ptr == end || (*result.ptr != 'd' && *result.ptr != 'D')) {
    at = result.ptr;
    return true;
  }
  if (!detail::scan_fortran_real(next, end, value)) return false;
  at = next;
  return true;
}

/// What stands at a place, for a message: up to the next blank or end of line, shortened, quoted.
inline std::string shown_token(const char* at, const char* end) {
  const char* stop = at;
  while (stop != end && !is_blank(*stop) && *stop != '\n' && stop - at < 24) ++stop;
  if (stop == at) return "the end of the line";
  std::string text = "'";
  for (; at != stop; ++at) text += *at >= ' ' && *at <= '~' ? *at : '?';
  return text + "'";
}

/// "beyond the largest float64 (1.8e308); correct it": one wording for all formats.
inline std::string too_large_text(bool single) {
  return single ? "beyond the largest float32 (3.4e38); read it as float64, correct it"
                : "beyond the largest float64 (1.8e308); correct it";
}

/// The number at a place, up to a blank or the end of the line; throws TextFault, which starts with `expected`, where
/// there is none. One too large for T is refused (inf must be spelled so), one too small is 0.
template <class T>
double take_real(const char*& at, const char* end, std::string_view expected) {
  const char* const start = at;
  double value = 0;
  if (!scan_real(at, end, value) || (at != end && !is_blank(*at)))
    throw TextFault{start, std::string(expected) + ", found " + shown_token(start, end)};
  const char first = *start == '+' || *start == '-' ? start[1] : *start;
  if (std::isinf(static_cast<T>(value)) && first != 'i' && first != 'I')
    throw TextFault{start, "found " + shown_token(start, end) + ", " + too_large_text(sizeof(T) == 4)};
  return value;
}

}  // namespace fewdim
