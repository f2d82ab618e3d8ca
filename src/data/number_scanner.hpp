#pragma once

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

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

/// Fortran's double precision: 1.5D+03.
inline bool scan_fortran_real(const char*& at, const char* end, double& value) {
  std::string text(at, std::min<std::size_t>(static_cast<std::size_t>(end - at), 400));
  const std::size_t exponent = text.find_first_of("dD");
  if (exponent == std::string::npos) return false;
  text[exponent] = 'e';
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr <= text.data() + exponent) return false;
  at += result.ptr - text.data();
  return true;
}

}  // namespace detail

/// A decimal number, inf or nan, correctly rounded. A number beyond the range of float64 is not one.
inline bool scan_real(const char*& at, const char* end, double& value) {
  const char* next = at;
  if (next != end && *next == '+' && next + 1 != end && next[1] != '-') ++next;
  const auto result = fast_float::from_chars(next, end, value);
  if (result.ec != std::errc()) return false;
  if (result.ptr != end && (*result.ptr == 'd' || *result.ptr == 'D')) {
    if (!detail::scan_fortran_real(next, end, value) || !std::isfinite(value)) return false;
    at = next;
    return true;
  }
  const bool finite_text = next != end && (*next == '-' ? next + 1 != end && next[1] <= '9' : *next <= '9');
  if (finite_text && !std::isfinite(value)) return false;
  at = result.ptr;
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

}  // namespace fewdim
